// How the listed contracts are arranged: by node, then by hours, days and longer deliveries; filtered.

import type { ContractGroup, DeliveryKind } from "../../../components/contract-name.ts";
import { BY_DELIVERY, type ListedContract, sortContracts } from "./contract-order.ts";

export interface ContractFilter {
  /** Words that id, name and product must have, in any order. */
  readonly text: string;
  /** Empty: all. */
  readonly node: string;
  readonly kind: DeliveryKind | "";
}

/** The contracts of one node. */
export interface NodeGroups {
  readonly node: string;
  readonly hours: readonly Group[];
  readonly longer: readonly Group[];
}

export interface Group extends ContractGroup {
  /** By delivery. */
  readonly contractIds: readonly string[];
}

const KINDS: readonly DeliveryKind[] = ["hours", "days", "months", "other"];

export function groupContracts(contracts: readonly ListedContract[], filter: ContractFilter): NodeGroups[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const sorted = sortContracts(contracts.filter((contract) => matches(contract, filter, words)), BY_DELIVERY);
  const nodes = Map.groupBy(sorted, ({ row }) => row.node);
  return [...nodes].sort(([a], [b]) => a < b ? -1 : 1).map(([node, ofNode]) => {
    const groups = [...Map.groupBy(ofNode, ({ name }) => name.group.key).values()].map((ofGroup) => ({
      ...ofGroup[0]!.name.group,
      contractIds: ofGroup.map(({ row }) => row.contractId),
    }));
    const ofKinds = KINDS.map((kind) => groups.filter((group) => group.kind === kind));
    return { node, hours: ofKinds[0]!, longer: ofKinds.slice(1).flat() };
  });
}

/** `words`: those of the filter's text. */
function matches({ row, name }: ListedContract, { node, kind }: ContractFilter, words: readonly string[]): boolean {
  if (node !== "" && row.node !== node) return false;
  if (kind !== "" && name.group.kind !== kind) return false;
  if (words.length === 0) return true;
  const all = `${row.contractId} ${name.full} ${name.delivery} ${row.productName} ${name.group.title}`.toLowerCase();
  return words.every((word) => all.includes(word));
}
