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

const KINDS: readonly DeliveryKind[] = ["hours", "days", "months", "other"];

export function groupContracts(contracts: readonly ListedContract[], filter: ContractFilter, sort: Sort): NodeGroups[] {
  const nodes = Map.groupBy(contracts.filter((contract) => matches(contract, filter)), ({ row }) => row.node);
  return [...nodes].sort(([a], [b]) => a < b ? -1 : 1).map(([node, ofNode]) => {
    const ordered = [...Map.groupBy(ofNode, ({ name }) => name.group.key).values()].map((ofGroup) => ({
      ...ofGroup[0]!.name.group,
      begin: Math.min(...ofGroup.map(startOf)),
      contractIds: ofGroup.toSorted(comparison(sort)).map(({ row }) => row.contractId),
    })).sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.begin - b.begin);
    return {
      node,
      hours: ordered.filter(({ kind }) => kind === "hours"),
      longer: ordered.filter(({ kind }) => kind !== "hours"),
    };
  });
}

function matches({ row, name }: ListedContract, { text, node, kind }: ContractFilter): boolean {
  if (node !== "" && row.node !== node) return false;
  if (kind !== "" && name.group.kind !== kind) return false;
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return true;
  const all = `${row.contractId} ${name.full} ${name.delivery} ${row.productName} ${name.group.title}`.toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Contracts without a value come last, whatever the direction. */
function comparison({ key, isDescending }: Sort): (a: ListedContract, b: ListedContract) => number {
  const factor = isDescending ? -1 : 1;
  if (key === "delivery") return (a, b) => factor * byDelivery(a, b);
  return (a, b) => {
    const [left, right] = [valueOf(a, key), valueOf(b, key)];
    if (left === null || right === null) return left === right ? byDelivery(a, b) : left === null ? 1 : -1;
    return factor * (left - right) || byDelivery(a, b);
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

function byDelivery(a: ListedContract, b: ListedContract): number {
  return startOf(a) - startOf(b) || Date.parse(a.row.deliveryEnd) - Date.parse(b.row.deliveryEnd) ||
    (a.row.contractId < b.row.contractId ? -1 : 1);
}

function startOf({ row }: ListedContract): number {
  return Date.parse(row.deliveryStart);
}
