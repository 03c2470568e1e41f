import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, alphaSecond, beta, gamma } = USERS;

describe("cancelling an order", () => {
  test("a working order leaves the book", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    const cancelled = engine.execute(alphaSecond, "order.cancel", { orderId: "ORD-1" });
    expect(cancelled.order).toMatchObject({ status: "cancelled", closeReason: "cancelled", remainingQuantity: 0 });
    expect(cancelled.story).toEqual(["cancel.order ORD-1 cancelled", "change.book"]);
    expect(engine.module("ENGINE", "ENG-N-H12")).toMatchObject({ bids: [], bestBid: null, totalWorkingOrders: 0 });
  });

  test("a partly filled order keeps its fills", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 3 });
    engine.sell(beta, { price: 5, quantity: 1 });
    expect(engine.order("ORD-1").status).toBe("partial");
    const { order } = engine.execute(alpha, "order.cancel", { orderId: "ORD-1" });
    expect(order).toMatchObject({ status: "cancelled", filledQuantity: 1, remainingQuantity: 0, averagePrice: 5 });
  });

  test("a filled or cancelled order is not_cancellable, and the answer shows it", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.sell(beta, { price: 5, quantity: 1 });
    const filled = engine.execute(alpha, "order.cancel", { orderId: "ORD-1" });
    expect([filled.outcome, filled.order.status, filled.paths]).toEqual(["not_cancellable", "filled", []]);
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.execute(alpha, "order.cancel", { orderId: "ORD-3" });
    const again = engine.execute(alpha, "order.cancel", { orderId: "ORD-3" });
    expect([again.outcome, again.order.status, again.eventTypes]).toEqual(["not_cancellable", "cancelled", []]);
  });

  test("the open orders of a connection are cancelled when it ends", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.buy(alpha, { price: 4, quantity: 1 });
    engine.sell(beta, { price: 5, quantity: 1 });
    const ended = engine.cancelDisconnected(["ORD-1", "ORD-2", "ORD-99"]);
    expect(ended.story).toEqual(["cancel.order ORD-2 cancelled", "change.book"]);
    expect(engine.order("ORD-2").closeReason).toBe("disconnected");
    expect(engine.order("ORD-1").status).toBe("filled");
  });
});

describe("modifying an order", () => {
  function queueOfTwo(): EngineDriver {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 4 });
    engine.buy(gamma, { price: 5, quantity: 4 });
    return engine;
  }

  test("a lower quantity keeps the order's time priority", () => {
    const engine = queueOfTwo();
    const modified = engine.execute(alpha, "order.modify", { orderId: "ORD-1", quantity: 2 });
    expect(modified.story).toEqual(["change.order ORD-1 working", "change.book"]);
    expect(modified.order).toMatchObject({ quantity: 2, remainingQuantity: 2 });
    engine.sell(beta, { price: 5, quantity: 1 });
    expect(engine.order("ORD-1").filledQuantity).toBe(1);
  });

  test("a new price that crosses trades at once, as the aggressor", () => {
    const engine = queueOfTwo();
    engine.sell(beta, { price: 9, quantity: 1 });
    const modified = engine.execute(gamma, "order.modify", { orderId: "ORD-2", price: 10, quantity: 6 });
    expect(modified.story).toEqual([
      "change.order ORD-2 working",
      "new.trade TRD-1",
      "new.fill FIL-1 resting",
      "new.fill FIL-2 aggressor",
      "change.order ORD-3 filled",
      "change.order ORD-2 partial",
      "change.book",
    ]);
    expect(modified.order).toMatchObject({ averagePrice: 9, quantity: 6, filledQuantity: 1, remainingQuantity: 5 });
  });

  test("the quantity is the whole ordered quantity and must exceed the filled quantity", () => {
    const engine = queueOfTwo();
    engine.sell(beta, { price: 5, quantity: 3 });
    expect(engine.execute(alpha, "order.modify", { orderId: "ORD-1", quantity: 3 }).outcome).toBe("invalid_quantity");
    expect(engine.execute(alpha, "order.modify", { orderId: "ORD-1", quantity: 3.5 }).message).toContain(
      "multiple of 1 MW",
    );
    expect(engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 999_999 }).outcome).toBe("invalid_price");
    expect(engine.order("ORD-1")).toMatchObject({ quantity: 4, filledQuantity: 3, status: "partial" });
  });

  test("the same terms again change nothing", () => {
    const engine = queueOfTwo();
    const same = engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 5, quantity: 4 });
    expect([same.outcome, same.paths, same.eventTypes, same.audited]).toEqual(["ok", [], [], []]);
  });

  test("a closed order is not_modifiable, and the answer shows it", () => {
    const engine = queueOfTwo();
    engine.execute(alpha, "order.cancel", { orderId: "ORD-1" });
    const closed = engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 4 });
    expect([closed.outcome, closed.order.status]).toEqual(["not_modifiable", "cancelled"]);
  });
});
