// Reading an order book through the handler of mkt_get_order_book. The peer computes the book from the orders.
//
// Claim: the cost of reading a book doesn't depend on the number of orders.

import { deepStrictEqual } from "node:assert";
import type { Snapshot } from "../core/market/snapshot.ts";
import type { ModuleData } from "../protocol/modules/registry.ts";
import marketTools from "../plugins/query/market.ts";
import { depthOf, makeContracts, makeEngines, makeOrders, stateMessage } from "./market-data.ts";
import { type Prepare, SIZES, type Subject, type Suite } from "./suite.ts";
import { contextOver, snapshotOf, toolNamed } from "./tool-context.ts";

const DEPTH = 5;
export const CONTRACT_ID = "contract-7";

/** A snapshot of a market with this many orders: contracts, engines with their books, and orders. */
export function marketSnapshot(items: number): Snapshot {
  const orders = makeOrders(items);
  return snapshotOf([
    ...makeContracts().map((contract) => stateMessage("CONTRACT", contract)),
    ...makeEngines(orders).map((engine) => stateMessage("ENGINE", engine)),
    ...orders.map((order) => stateMessage("ORDER", order)),
  ]);
}

interface Book {
  readonly bids: ModuleData<"ENGINE">["bids"];
  readonly asks: ModuleData<"ENGINE">["asks"];
  readonly totalWorkingOrders: number;
}

function reading(items: number, read: () => Book | Promise<Book>): Subject {
  const expected = depthOf(makeOrders(items).filter(({ contractId }) => contractId === CONTRACT_ID), DEPTH);
  return {
    run: read,
    check: async () => {
      const { bids, asks, totalWorkingOrders } = await read();
      deepStrictEqual({ bids, asks, totalWorkingOrders }, expected);
      deepStrictEqual([bids.length, asks.length], [DEPTH, DEPTH]);
    },
  };
}

const readFromEngine: Prepare = (items) => {
  const context = contextOver(marketSnapshot(items));
  const { handler } = toolNamed("mkt_get_order_book", marketTools);
  return reading(items, async () => await handler({ contractId: CONTRACT_ID }, context) as unknown as Book);
};

const addUpOrders: Prepare = (items) => {
  const orders = new Map(makeOrders(items).map((order) => [order.id, order]));
  return reading(items, () => depthOf(orders.values().filter(({ contractId }) => contractId === CONTRACT_ID), DEPTH));
};

export default {
  name: "order-book-read",
  description: "Order book, by number of orders in the market (20 books)",
  sizes: SIZES,
  cases: [{ name: "five best levels", peerName: "Map scan", mkt: readFromEngine, peer: addUpOrders }],
} satisfies Suite;
