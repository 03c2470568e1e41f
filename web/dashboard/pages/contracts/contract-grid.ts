// The list of contracts as it is filtered and sorted, to take along: the columns of its widest form.

import { price, quantity } from "../../../components/format.ts";
import { type Grid, plainNumber } from "../../take-along/csv.ts";
import type { NodeGroups } from "./contract-groups.ts";
import { type ListedContract, spreadOf } from "./contract-order.ts";

const HEADINGS = [
  ...["Contract", "Id", "Node", "Delivery start", "Delivery end", "Bid, $/MWh", "Bid, MW", "Ask, $/MWh", "Ask, MW"],
  ...["Spread, $/MWh", "Last, $/MWh", "Change, $/MWh", "Traded, MW", "Orders"],
];

/** `sorted`: the contracts of a group as they are shown. */
export function contractGrid(
  nodes: readonly NodeGroups[],
  sorted: (contractIds: readonly string[]) => readonly ListedContract[],
): Grid {
  const groups = nodes.flatMap(({ hours, longer }) => [...hours, ...longer]);
  return { headings: HEADINGS, rows: groups.flatMap(({ contractIds }) => sorted(contractIds).map(cellsOf)) };
}

function cellsOf({ row, name, change }: ListedContract): string[] {
  return [
    ...[name.full, row.contractId, row.node, row.deliveryStart, row.deliveryEnd],
    ...[price(row.bestBid), quantity(row.bestBidVolume), price(row.bestAsk), quantity(row.bestAskVolume)].map(plain),
    ...[price(spreadOf(row)), price(row.lastPrice), price(change), quantity(row.tradedQuantity)].map(plain),
    String(row.workingOrders),
  ];
}

/** Empty if it is absent. */
function plain(shown: string): string {
  return plainNumber(shown) ?? "";
}
