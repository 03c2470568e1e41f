// The order of the contracts of a group: by a column, then by delivery.

import type { ContractName } from "../../../components/contract-name.ts";
import type { ContractRow } from "../../../contract/market.ts";

export const SORT_KEYS = ["delivery", "bid", "ask", "spread", "last", "change", "volume", "orders"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

export const BY_DELIVERY: Sort = { key: "delivery", isDescending: false };

export interface ListedContract {
  readonly row: ContractRow;
  readonly name: ContractName;
  /** Cents/MWh over the spark line; null if unknown. */
  readonly change: number | null;
}

/** What is compared. It is compared thousands of times, so that it is worked out once. */
interface Placed {
  readonly contract: ListedContract;
  /** Of delivery, ms since 1970. */
  readonly start: number;
  readonly end: number;
  /** Of the column; null: none. */
  readonly value: number | null;
}

/** Contracts without a value come last, whatever the direction. */
export function sortContracts(contracts: readonly ListedContract[], { key, isDescending }: Sort): ListedContract[] {
  const factor = isDescending ? -1 : 1;
  const placed = contracts.map((contract): Placed => {
    const start = Date.parse(contract.row.deliveryStart);
    const end = Date.parse(contract.row.deliveryEnd);
    return { contract, start, end, value: key === "delivery" ? start : valueOf(contract, key) };
  });
  placed.sort((a, b) => {
    if (a.value !== null && b.value !== null) return factor * (a.value - b.value) || byDelivery(a, b);
    return Number(a.value === null) - Number(b.value === null) || byDelivery(a, b);
  });
  return placed.map(({ contract }) => contract);
}

function byDelivery(a: Placed, b: Placed): number {
  return a.start - b.start || a.end - b.end || (a.contract.row.contractId < b.contract.row.contractId ? -1 : 1);
}

function valueOf({ row, change }: ListedContract, key: Exclude<SortKey, "delivery">): number | null {
  switch (key) {
    case "bid":
      return row.bestBid;
    case "ask":
      return row.bestAsk;
    case "spread":
      return spreadOf(row);
    case "last":
      return row.lastPrice;
    case "change":
      return change;
    case "volume":
      return row.tradedQuantity;
    case "orders":
      return row.workingOrders;
  }
}

/** Cents/MWh; null without both sides. */
export function spreadOf({ bestBid, bestAsk }: ContractRow): number | null {
  return bestBid === null || bestAsk === null ? null : bestAsk - bestBid;
}
