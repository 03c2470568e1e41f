import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { SECRET, smallMarket, USERS } from "../support/market.ts";

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

describe("the terms of an order", () => {
  const CODES = { price: "invalid_price", quantity: "invalid_quantity" } as const;

  test.each(
    [
      ["the lowest price", "price", -50_000, -50_005],
      ["the highest price", "price", 500_000, 500_005],
      ["the tick", "price", 10, 11],
      ["the lot", "quantity", 0.5, 0.499],
      ["a multiple of the lot", "quantity", 1.5, 1.501],
    ] as const,
  )("may be exactly at %s, and no step beyond, in a submission and in a change", (_, term, at, beyond) => {
    const engine = new EngineDriver();
    const terms = { contractId: "S-PK", price: 100, quantity: 1 };
    expect(engine.buy(alpha, { ...terms, [term]: at }).order[term]).toBe(at);
    expect(engine.buy(alpha, { ...terms, [term]: beyond }).outcome).toBe(CODES[term]);
    const { orderId } = engine.buy(alpha, terms);
    expect(engine.execute(alpha, "order.modify", { orderId, [term]: beyond }).outcome).toBe(CODES[term]);
    expect(engine.execute(alpha, "order.modify", { orderId, [term]: at }).order[term]).toBe(at);
  });

  test.each([
    ["a greater quantity", { quantity: 5 }, [0, 1]],
    ["another price", { price: 6 }, [0, 1]],
    ["another price and a lower quantity", { price: 6, quantity: 3 }, [0, 1]],
    ["a lower quantity", { quantity: 3 }, [1, 0]],
    ["the same terms", { price: 5, quantity: 4 }, [1, 0]],
  ])("of %s keep or lose the place behind which others wait", (_, change, filled) => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 4 });
    engine.buy(gamma, { price: "price" in change ? change.price : 5, quantity: 4 });
    expect(engine.execute(alpha, "order.modify", { orderId: "ORD-1", ...change }).outcome).toBe("ok");
    engine.sell(beta, { price: 5, quantity: 1 });
    expect(["ORD-1", "ORD-2"].map((id) => engine.order(id).filledQuantity)).toEqual(filled);
  });

  test("a change of nothing, and orders that there never were, are told apart", () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, { price: 5, quantity: 4 });
    expect(engine.execute(alpha, "order.modify", { orderId }).outcome).toBe("invalid_payload");
    expect(engine.execute(alpha, "order.modify", { orderId: "ORD-2", price: 1 }).outcome).toBe("not_found");
    expect(engine.execute(alpha, "order.cancel", { orderId: "ORD-2" }).outcome).toBe("not_found");
  });

  test("the newest order, once closed and forgotten, is told apart from one that there never was", () => {
    const engine = new EngineDriver(smallMarket(), SECRET, { closedOrders: 0, trades: 1 });
    const { orderId } = engine.buy(alpha, { price: 5, quantity: 4 });
    engine.execute(alpha, "order.cancel", { orderId });
    expect(engine.execute(alpha, "order.cancel", { orderId }).outcome).toBe("not_cancellable");
    expect(engine.execute(alpha, "order.modify", { orderId, price: 1 }).outcome).toBe("not_modifiable");
    expect(engine.execute(alpha, "order.cancel", { orderId: "ORD-2" }).outcome).toBe("not_found");
  });

  test("that would end below what is filled are refused with what is filled, not with what is open", () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, { price: 5, quantity: 10 });
    engine.sell(beta, { price: 5, quantity: 4 });
    for (const quantity of [1, 4]) {
      const { outcome, message } = engine.execute(alpha, "order.modify", { orderId, quantity });
      expect([outcome, message]).toEqual([
        "invalid_quantity",
        `4 MW of order ${orderId} are filled: give more, or cancel the rest.`,
      ]);
    }
    expect(engine.execute(alpha, "order.modify", { orderId, quantity: 5 }).order).toMatchObject({
      ...{ quantity: 5, filledQuantity: 4, remainingQuantity: 1, status: "partial" },
    });
  });

  test.each([
    [11, ": for example 10."],
    [-6, ": for example -5."],
    [3, ": for example 0 or 5."],
    [13, "."],
    [-8, "."],
  ])(
    "with the price %d, off the ticks or out of the range, are refused with prices that are allowed",
    (price, near) => {
      const definition = smallMarket();
      const products = definition.products.map((product) => ({
        ...product,
        tick: 5,
        minimumPrice: -7,
        maximumPrice: 12,
      }));
      const { outcome, message } = new EngineDriver({ ...definition, products }).buy(alpha, { price, quantity: 1 });
      expect([outcome, message]).toEqual([
        "invalid_price",
        `The price is ${price} cents/MWh; N-H12 takes prices from -7 to 12 in multiples of 5, its tick${near}`,
      ]);
    },
  );

  test("of a closed order are refused with how it was closed, and why if that is not the same", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 4 });
    engine.sell(beta, { price: 5, quantity: 5 });
    engine.execute(beta, "order.cancel", { orderId: "ORD-2" });
    engine.buy(alpha, { price: 5, quantity: 7 });
    engine.execute(USERS.operator, "market.flush", {});
    const [at, late] = ["at 2026-01-14T13:00:00.000Z", { price: 6 }];
    const messages = ["ORD-1", "ORD-2", "ORD-3"].map((orderId) => {
      const userId = orderId === "ORD-2" ? beta : alpha;
      const [cancel, change] = [
        engine.execute(userId, "order.cancel", { orderId }),
        engine.execute(userId, "order.modify", { orderId, ...late }),
      ];
      expect([cancel.outcome, change.outcome, change.message]).toEqual([
        "not_cancellable",
        "not_modifiable",
        cancel.message,
      ]);
      return cancel.message;
    });
    expect(messages).toEqual([
      `Order ORD-1 was filled ${at}; 4 of 4 MW were filled.`,
      `Order ORD-2 was cancelled ${at}; 4 of 5 MW were filled.`,
      `Order ORD-3 was cancelled (flushed) ${at}; 0 of 7 MW were filled.`,
    ]);
  });
});
