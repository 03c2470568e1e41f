// What an agent is shown: each field, of a trader and a market that have something to show in each of them.

import { expect, test } from "bun:test";
import { BUY, SELL } from "../../../../engine/market/order-book.ts";
import { NO_LEVEL } from "../../../../engine/market/price-levels.ts";
import { observationOf, termsOf } from "../../../../sim/outside/agents/agent-observation.ts";
import { contract } from "../../personas/support.ts";

const FIRST_LEVEL = 100;
const NOW = Date.parse("2026-03-02T12:00:00Z");
const at = (second: number) => NOW + second * 1_000;
const iso = (second: number) => new Date(at(second)).toISOString();
const traded = (index: number, more: object) => ({ ...contract(index), ...more });
const [LATER, SOON, NEXT, HIDDEN] = [
  traded(0, { id: "LATER", deliveryStart: at(60) }),
  traded(1, { id: "SOON", deliveryStart: NOW }),
  traded(2, { id: "NEXT", deliveryStart: NOW + 1 }),
  traded(3, { id: "HIDDEN", deliveryStart: at(60) }),
];

/** Levels as [price, kW, orders] from the best to the worst. */
function book(bids: number[][], asks: number[][]) {
  const all = [...bids, ...asks];
  const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  const [bidIds, askIds] = [ids(FIRST_LEVEL, bids.length), ids(FIRST_LEVEL + bids.length, asks.length)];
  return {
    bestLevel: (side: number) => (side === BUY ? bidIds : askIds)[0] ?? NO_LEVEL,
    nextLevel: (level: number) =>
      [...bidIds, NO_LEVEL, ...askIds, NO_LEVEL][[...bidIds, -1, ...askIds].indexOf(level) + 1],
    priceOfLevel: (level: number) => all[level - FIRST_LEVEL]![0]!,
    volumeOfLevel: (level: number) => all[level - FIRST_LEVEL]![1]!,
    orderCountOfLevel: (level: number) => all[level - FIRST_LEVEL]![2]!,
  };
}

function observed(depth = 2) {
  const order = (reference: number, side: number, remaining: number) => (
    { reference, contract: LATER, side, price: 4_000 + reference, quantity: 5_000, filled: 5_000 - remaining }
  );
  const asked: unknown[][] = [];
  const news = {
    fills: [{ time: at(-2), order: order(1, SELL, 4_000), price: 3_990, quantity: 1_000 }],
    closed: [7, 8],
    trades: [{ time: at(-1), contract: NEXT, price: 5, quantity: 2_500, aggressorSide: SELL }],
    missedTrades: 3,
    listed: [NEXT],
    delivered: [SOON],
  };
  const trader = {
    reason: "fill",
    takeNews: () => news,
    account: {
      cash: 42_000_000,
      holdings: [
        { contract: LATER, position: -2_000, averagePrice: 4_010 },
        { contract: NEXT, position: 0, averagePrice: null },
        { contract: SOON, position: 500, averagePrice: null },
      ],
      profitAndLoss: (markOf: (of: object) => number) => 6_000_000 * markOf(LATER),
    },
    orders: { all: [order(1, BUY, 4_000), order(2, SELL, 5_000)] },
    view: { isOpen: (of: object) => of === LATER },
    wishes: { depth },
    watches: (of: object) => of !== HIDDEN,
    forecast: (...given: unknown[]) => (asked.push(given), 4_012.3456),
  };
  const books = new Map<unknown, ReturnType<typeof book>>([
    [LATER, book([[9, 1_000, 1], [8, 2_000, 2], [7, 3_000, 3]], [[11, 4_000, 4]])],
    [NEXT, book([], [])],
  ]);
  const run = {
    time: NOW,
    markPrice: (of: object) => of === LATER ? 2 : 0,
    contracts: [LATER, SOON, NEXT, HIDDEN],
    book: (of: object) => ({ bestBid: 9, bestAsk: 11, lastPrice: of === LATER ? 10 : null }),
    bookOf: (of: object) => books.get(of),
  };
  const spot = {
    nodes: ["N", "W"],
    current: (node: string) => ({ node, priceCents: node === "N" ? 1 : 2, regime: node === "N" ? "base" : "spike" }),
    activeEvents: [{
      id: "e",
      type: "heat_wave",
      node: null,
      size: 2,
      startTime: at(-60),
      endTime: at(60),
      remaining: 1,
    }],
  };
  return { asked, told: observationOf(trader as never, { run, spot } as never) };
}

test("an agent is shown its account, its orders, what has happened, the books that it may trade, and spot prices", () => {
  const { told, asked } = observed();
  expect(told).toEqual({
    type: "observe",
    time: iso(0),
    reason: "fill",
    cash: 7,
    profitAndLoss: 2,
    positions: [
      { contractId: "LATER", position: -2, averagePrice: 4_010 },
      { contractId: "SOON", position: 0.5, averagePrice: 0 },
    ],
    orders: [
      { orderId: "1", contractId: "LATER", side: "BUY", price: 4_001, quantity: 5, remainingQuantity: 4 },
      { orderId: "2", contractId: "LATER", side: "SELL", price: 4_002, quantity: 5, remainingQuantity: 5 },
    ],
    fills: [{ time: iso(-2), orderId: "1", contractId: "LATER", side: "SELL", price: 3_990, quantity: 1 }],
    closed: ["7", "8"],
    books: [
      {
        contractId: "LATER",
        isOpen: true,
        lastPrice: 10,
        forecast: 4_012.35,
        bids: [{ price: 9, quantity: 1, orders: 1 }, { price: 8, quantity: 2, orders: 2 }],
        asks: [{ price: 11, quantity: 4, orders: 4 }],
      },
      { contractId: "NEXT", isOpen: false, lastPrice: null, forecast: 4_012.35, bids: [], asks: [] },
    ],
    trades: [{ time: iso(-1), contractId: "NEXT", price: 5, quantity: 2.5, aggressorSide: "SELL" }],
    missedTrades: 3,
    spot: [{ node: "N", price: 1, regime: "base" }, { node: "W", price: 2, regime: "spike" }],
    events: [{ type: "heat_wave", node: null, size: 2, since: iso(-60) }],
    listed: [termsOf(NEXT)],
    delivered: ["SOON"],
  } as never);
  expect(asked).toEqual([[LATER, NOW], [NEXT, NOW]]);
});

test.each([[0, 0], [1, 1], [3, 3], [9, 3]])("with a depth of %d an agent is shown %d of three bids", (depth, count) => {
  const { bids } = observed(depth).told.books[0]!;
  expect(bids.map(({ price }) => price)).toEqual([9, 8, 7].slice(0, count));
});

test("the terms of a contract are told in megawatts and hours", () => {
  const terms = { lot: 100, tick: 5, minimumPrice: -50, maximumPrice: 900, minutes: 90, deliveryEnd: at(5_400) };
  const given = traded(4, { deliveryStart: NOW, ...terms });
  expect(termsOf(given)).toEqual({
    contractId: given.id,
    productId: given.productId,
    node: given.node,
    type: given.type,
    shape: given.shape,
    deliveryStart: iso(0),
    deliveryEnd: iso(5_400),
    hours: 1.5,
    lot: 0.1,
    tick: 5,
    minimumPrice: -50,
    maximumPrice: 900,
  });
});
