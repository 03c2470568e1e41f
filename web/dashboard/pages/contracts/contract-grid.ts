// The list of contracts as it is filtered and sorted, to take along: the columns of its widest form.

import { price, quantity } from "../../../components/format.ts";
import { type Grid, plainNumber } from "../../take-along/csv.ts";
import { type ListedContract, type NodeGroups, spreadOf } from "./contract-groups.ts";

const HEADINGS = [
  ...["Contract", "Id", "Node", "Delivery start", "Delivery end", "Bid, $/MWh", "Bid, MW", "Ask, $/MWh", "Ask, MW"],
  ...["Spread, $/MWh", "Last, $/MWh", "Change, $/MWh", "Traded, MW", "Orders"],
];

export function contractGrid(nodes: readonly NodeGroups[], contractOf: (id: string) => ListedContract | null): Grid {
  const ids = nodes.flatMap(({ hours, longer }) => [...hours, ...longer].flatMap(({ contractIds }) => contractIds));
  const contracts = ids.flatMap((id) => contractOf(id) ?? []);
  return { headings: HEADINGS, rows: contracts.map(cellsOf) };
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
