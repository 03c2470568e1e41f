// The texts of credit and books at their extremes. After each call the driver compares what was sent with a snapshot, which is
// made of module objects.

import { expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, operator } = USERS;

test("used and available credit are exact for the smallest trade and for the greatest, and available may be negative", () => {
  const engine = new EngineDriver();
  const ample = { limitType: "notional", limit: 1e12 } as const;
  for (const [user, pair] of [[alpha, "ALPHA:BETA"], [beta, "BETA:ALPHA"]] as const) {
    engine.setLimit(user, pair, ample);
  }
  engine.setLimit(alpha, "ALPHA:BETA", { ...ample, contractId: "S-PK", marginPercent: 12.5 });
  engine.setLimit(alpha, "ALPHA:BETA", { limitType: "mwh", limit: 1e12 });
  const trade = (price: number, quantity: number) => {
    engine.sell(alpha, { contractId: "S-PK", price, quantity });
    expect(engine.buy(beta, { contractId: "S-PK", price, quantity }).order.filledQuantity).toBe(quantity);
    return engine.credit("ALPHA", "BETA").limits.map(({ used, available }) => [used, available]);
  };
  expect(trade(-5, 0.5)).toEqual([[0.4, 999_999_999_999.6], [0.05, 999_999_999_999.95], [8, 999_999_999_992]]);
  expect(trade(500_000, 30_000)).toEqual([
    [2_400_000_000.4, 997_599_999_999.6],
    [300_000_000.05, 999_699_999_999.95],
    [480_008, 999_999_519_992],
  ]);
  expect(engine.credit("BETA", "ALPHA")).toMatchObject({ usedNotional: 2_400_000_000.4, usedMw: 30_000.5 });
  engine.setLimit(alpha, "ALPHA:BETA", { limitType: "notional", limit: 1 });
  expect(engine.credit("ALPHA", "BETA").limits[0]).toMatchObject({
    used: 2_400_000_000.4,
    available: -2_399_999_999.4,
  });
  engine.setLimit(beta, "BETA:ALPHA", { limitType: "notional", limit: 0.1, marginPercent: 0 });
  expect(engine.credit("BETA", "ALPHA").limits[0]).toMatchObject({ used: 0, available: 0.1 });
});

test("notes of any characters are sent as they are, and none as null", () => {
  const engine = new EngineDriver();
  for (const notes of ['say "a"\\\n\t', "\u00e4\u20ac\u{1f600}\ud800", ""]) {
    engine.setDocuments(alpha, "ALPHA:BETA", "pending", notes);
    expect(engine.credit("ALPHA", "BETA").notes).toBe(notes);
  }
  engine.setDocuments(alpha, "ALPHA:BETA", "pending");
  expect(engine.credit("ALPHA", "BETA").notes).toBeNull();
});

test("a book tells how many orders it holds, also more than its queue names, and its last price and volume", () => {
  const engine = new EngineDriver();
  engine.sell(alpha, { price: -7, quantity: 0.5 * 4 });
  engine.buy(beta, { price: -7, quantity: 1 });
  engine.execute(operator, "market.halt", {});
  for (let count = 0; count < 101; count++) engine.buy(beta, { price: count - 50, quantity: 1 });
  const book = engine.module("ENGINE", "ENG-N-H12");
  expect(book).toMatchObject({
    ...{ heldOrders: 101, totalWorkingOrders: 1, lastPrice: -7, tradedQuantity: 1, bestBid: null, bestAsk: -7 },
    ...{ bids: [], asks: [{ price: -7, volume: 1, orderCount: 1 }] },
  });
  expect(engine.module("QUEUE", "QUE-N-H12")).toMatchObject({ length: 101, orderIds: { length: 100 } });
  const resumed = engine.execute(operator, "market.resume", {});
  // The first of those that cross takes what was left; ten levels are shown.
  expect(resumed.dataOf("change.book")).toMatchObject([{ heldOrders: 0, totalWorkingOrders: 100, bestBid: 50 }]);
  const after = engine.module("ENGINE", "ENG-N-H12");
  expect([after.bids.length, after.bids[0], after.bids[9]?.price]).toEqual([
    10,
    { price: 50, volume: 1, orderCount: 1 },
    41,
  ]);
});

test("an order that is closed is blocked by nothing", () => {
  const engine = new EngineDriver();
  engine.setDocuments(alpha, "ALPHA:BETA", "pending");
  engine.sell(beta, { price: 5, quantity: 1 });
  const { orderId } = engine.buy(alpha, { price: 6, quantity: 1 });
  expect(engine.explain(orderId, alpha).map(({ reason }) => reason)).toEqual(["entity_documents"]);
  engine.execute(alpha, "order.cancel", { orderId });
  expect(engine.explain(orderId, alpha)).toEqual([]);
});
