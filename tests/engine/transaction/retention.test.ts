import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { SECRET, smallMarket, USERS } from "../support/market.ts";

const { alpha, beta, operator } = USERS;

function forgetfulEngine(closedOrders: number, trades: number): EngineDriver {
  return new EngineDriver(smallMarket(), SECRET, { closedOrders, trades });
}

/** Lets two users trade a MW at 50 dollars; returns the ids of both orders. */
function trade(engine: EngineDriver, buyer: string, seller: string): string[] {
  const buy = engine.buy(buyer, { price: 5000, quantity: 1 });
  return [buy.orderId, engine.sell(seller, { price: 5000, quantity: 1 }).orderId];
}

describe("an engine with more history than it keeps", () => {
  test("forgets the orders that were closed first, with their fills, and sends their removal", () => {
    const engine = forgetfulEngine(2, 10);
    const [buyId, sellId] = trade(engine, alpha, beta);
    const third = engine.buy(alpha, { price: 1, quantity: 1 }).orderId;
    const cancelled = engine.execute(alpha, "order.cancel", { orderId: third });
    expect(cancelled.outcome).toBe("ok");
    expect(cancelled.removed).toEqual([`/ORDER/${buyId}`, "/FILL/FIL-1"]);
    expect(engine.all("ORDER").map(({ id }) => id)).toEqual([sellId ?? "", third]);
    expect(engine.all("FILL").map(({ orderId }) => orderId)).toEqual([sellId ?? ""]);
    expect(engine.execute(alpha, "order.cancel", { orderId: buyId ?? "" }).outcome).toBe("not_cancellable");
    // Nobody knows any more whose it was; a kept one is another entity's.
    expect(engine.execute(beta, "order.cancel", { orderId: buyId ?? "" }).outcome).toBe("not_cancellable");
    expect(engine.execute(beta, "order.modify", { orderId: buyId ?? "" }).outcome).toBe("not_modifiable");
    expect(engine.execute(beta, "order.cancel", { orderId: third }).outcome).toBe("forbidden");
    const change = engine.execute(alpha, "order.modify", { orderId: buyId ?? "", quantity: 1 });
    expect([change.outcome, change.paths]).toEqual(["not_modifiable", []]);
    expect(engine.execute(alpha, "order.cancel", { orderId: "ORD-4" }).outcome).toBe("not_found");
  });

  test("never forgets an open order or its fills", () => {
    const engine = forgetfulEngine(1, 100);
    const open = engine.buy(alpha, { price: 5000, quantity: 9 }).orderId;
    for (let count = 0; count < 5; count++) engine.sell(beta, { price: 5000, quantity: 1 });
    expect(engine.order(open)).toMatchObject({ status: "partial", filledQuantity: 5 });
    expect(engine.all("FILL").filter(({ orderId }) => orderId === open)).toHaveLength(5);
    expect(engine.all("ORDER")).toHaveLength(2);
  });

  test("keeps used credit exact while it forgets trades", () => {
    const engine = forgetfulEngine(2, 3);
    for (let count = 0; count < 20; count++) trade(engine, alpha, beta);
    expect(engine.all("TRADE").map(({ id }) => id)).toEqual(["TRD-18", "TRD-19", "TRD-20"]);
    expect(engine.credit("ALPHA", "BETA")).toMatchObject({ usedNotional: 1000, usedMw: 20 });
  });

  test("keeps flushed orders like other closed ones, without their removed fills", () => {
    const engine = forgetfulEngine(3, 3);
    const [, sellId] = trade(engine, alpha, beta);
    for (let price = 1; price <= 5; price++) engine.buy(alpha, { price, quantity: 1 });
    expect(engine.execute(operator, "market.flush", {}).result.ordersAffected).toBe(5);
    expect(engine.all("ORDER").map(({ id, status }) => [id, status])).toEqual([
      [sellId ?? "", "filled"],
      ["ORD-6", "cancelled"],
      ["ORD-7", "cancelled"],
    ]);
    for (let count = 0; count < 3; count++) trade(engine, alpha, beta);
    expect([engine.all("ORDER").length, engine.all("FILL").length]).toEqual([3, 3]);
  });

  test("forgets as many trades and orders in one call as are too many", () => {
    const engine = forgetfulEngine(2, 1);
    for (let count = 0; count < 5; count++) engine.buy(alpha, { price: 5, quantity: 1 });
    const { removed } = engine.sell(beta, { price: 5, quantity: 5 });
    expect(removed.filter((path) => path.startsWith("/TRADE/"))).toEqual([1, 2, 3, 4].map((at) => `/TRADE/TRD-${at}`));
    expect([engine.all("TRADE").map(({ id }) => id), engine.all("ORDER").length]).toEqual([["TRD-5"], 2]);
  });
});
