// How the listed contracts are arranged: by node, then by hours, days and longer deliveries; filtered and sorted.

import type { ContractGroup, ContractName, DeliveryKind } from "../../../components/contract-name.ts";
import type { ContractRow } from "../../../contract/market.ts";

export const SORT_KEYS = ["delivery", "bid", "ask", "spread", "last", "change", "volume", "orders"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

export const BY_DELIVERY: Sort = { key: "delivery", isDescending: false };

export interface ContractFilter {
  /** Words that id, name and product must have, in any order. */
  readonly text: string;
  /** Empty: all. */
  readonly node: string;
  readonly kind: DeliveryKind | "";
}

export interface ListedContract {
  readonly row: ContractRow;
  readonly name: ContractName;
  /** Cents/MWh over the spark line; null if unknown. */
  readonly change: number | null;
}

/** The contracts of one node. */
export interface NodeGroups {
  readonly node: string;
  readonly hours: readonly Group[];
  readonly longer: readonly Group[];
}

export interface Group extends ContractGroup {
  readonly contractIds: readonly string[];
}

/** With what the sorting compares. It compares thousands of times, so that this is worked out once. */
interface Placed extends ListedContract {
  /** Of delivery, ms since 1970. */
  readonly start: number;
  readonly end: number;
  /** Of the column that is sorted by; null: none. */
  readonly value: number | null;
}

const KINDS: readonly DeliveryKind[] = ["hours", "days", "months", "other"];

export function groupContracts(contracts: readonly ListedContract[], filter: ContractFilter, sort: Sort): NodeGroups[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const placed = contracts.filter((contract) => matches(contract, filter, words)).map((each) => place(each, sort));
  const nodes = Map.groupBy(placed, ({ row }) => row.node);
  return [...nodes].sort(([a], [b]) => a < b ? -1 : 1).map(([node, ofNode]) => {
    const ordered = [...Map.groupBy(ofNode, ({ name }) => name.group.key).values()].map((ofGroup) => ({
      ...ofGroup[0]!.name.group,
      begin: Math.min(...ofGroup.map(({ start }) => start)),
      contractIds: ofGroup.toSorted(comparison(sort)).map(({ row }) => row.contractId),
    })).sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.begin - b.begin);
    return {
      node,
      hours: ordered.filter(({ kind }) => kind === "hours"),
      longer: ordered.filter(({ kind }) => kind !== "hours"),
    };
  });
}

function place(contract: ListedContract, { key }: Sort): Placed {
  const { deliveryStart, deliveryEnd } = contract.row;
  const value = key === "delivery" ? null : valueOf(contract, key);
  return { ...contract, start: Date.parse(deliveryStart), end: Date.parse(deliveryEnd), value };
}

/** `words`: those of the filter's text. */
function matches({ row, name }: ListedContract, { node, kind }: ContractFilter, words: readonly string[]): boolean {
  if (node !== "" && row.node !== node) return false;
  if (kind !== "" && name.group.kind !== kind) return false;
  if (words.length === 0) return true;
  const all = `${row.contractId} ${name.full} ${name.delivery} ${row.productName} ${name.group.title}`.toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Contracts without a value come last, whatever the direction. */
function comparison({ key, isDescending }: Sort): (a: Placed, b: Placed) => number {
  const factor = isDescending ? -1 : 1;
  if (key === "delivery") return (a, b) => factor * byDelivery(a, b);
  return (a, b) => {
    if (a.value === null || b.value === null) {
      return a.value === b.value ? byDelivery(a, b) : a.value === null ? 1 : -1;
    }
    return factor * (a.value - b.value) || byDelivery(a, b);
  };
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

function byDelivery(a: Placed, b: Placed): number {
  return a.start - b.start || a.end - b.end || (a.row.contractId < b.row.contractId ? -1 : 1);
}
