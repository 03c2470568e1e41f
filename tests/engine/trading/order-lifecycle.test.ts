import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, gamma, operator } = USERS;

describe("submitting an order", () => {
  test("an order without a counterpart works in the book", () => {
    const engine = new EngineDriver();
    const submitted = engine.buy(alpha, { price: 4_550, quantity: 10, clientOrderId: "mine" });
    expect(submitted.outcome).toBe("ok");
    expect(submitted.story).toEqual(["new.order ORD-1 working", "change.book"]);
    expect(submitted.paths).toEqual([]);
    expect(engine.order("ORD-1")).toEqual({
      id: "ORD-1",
      clientOrderId: "mine",
      engineId: "ENG-N-H12",
      contractId: "N-H12",
      productCode: "N-HOUR",
      marketId: "M1",
      entityId: "ALPHA",
      userId: alpha,
      side: 0,
      timeInForce: "gtc",
      createdAt: "2026-01-14T13:00:00.000Z",
      price: 4_550,
      quantity: 10,
      filledQuantity: 0,
      remainingQuantity: 10,
      averagePrice: null,
      status: "working",
      closeReason: null,
      updatedAt: "2026-01-14T13:00:00.000Z",
    });
    expect(engine.module("ENGINE", "ENG-N-H12")).toMatchObject({
      bids: [{ price: 4_550, volume: 10, orderCount: 1 }],
      asks: [],
      bestBid: 4_550,
      bestAsk: null,
      totalWorkingOrders: 1,
    });
  });

  test("two entities trade at the resting price; states, events and answer come in causal order", () => {
    const engine = new EngineDriver();
    engine.sell(alpha, { price: 4_500, quantity: 4 });
    const crossing = engine.buy(beta, { price: 4_600, quantity: 10 });
    expect(crossing.story).toEqual([
      "new.order ORD-2 working",
      "new.trade TRD-1",
      "new.fill FIL-1 resting",
      "new.fill FIL-2 aggressor",
      "change.order ORD-1 filled",
      "change.order ORD-2 partial",
      "change.book",
    ]);
    expect(crossing.paths).toEqual(["/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA"]);
    expect(crossing.order).toMatchObject({ status: "partial", filledQuantity: 4, remainingQuantity: 6 });
    expect(engine.order("ORD-1")).toMatchObject({ status: "filled", closeReason: "filled", remainingQuantity: 0 });
    expect(engine.module("TRADE", "TRD-1")).toMatchObject({
      buyOrderId: "ORD-2",
      sellOrderId: "ORD-1",
      buyEntityId: "BETA",
      sellEntityId: "ALPHA",
      aggressorSide: 0,
      price: 4_500,
      quantity: 4,
      energy: 4,
      notional: 180,
    });
    expect(engine.module("FILL", "FIL-1")).toMatchObject({
      orderId: "ORD-1",
      tradeId: "TRD-1",
      entityId: "ALPHA",
      counterpartyId: "BETA",
      userId: alpha,
      side: 1,
      liquidity: "resting",
      notional: 180,
    });
    expect(engine.module("FILL", "FIL-2")).toMatchObject({ orderId: "ORD-2", side: 0, liquidity: "aggressor" });
    expect(engine.credit("ALPHA", "BETA")).toMatchObject({ usedNotional: 180, usedMw: 4, usedMwh: 4 });
    expect(engine.module("ENGINE", "ENG-N-H12")).toMatchObject({ lastPrice: 4_500, tradedQuantity: 4, bestBid: 4_600 });
  });

  test("an aggressor trades through levels, and its average price is weighted by its fills", () => {
    const engine = new EngineDriver();
    engine.sell(alpha, { price: 4_000, quantity: 1 });
    engine.sell(gamma, { price: 4_100, quantity: 2 });
    engine.sell(alpha, { price: 4_100, quantity: 9 });
    const { order } = engine.buy(beta, { price: 4_100, quantity: 6 });
    expect(order).toMatchObject({ status: "filled", averagePrice: 4083.333333, closeReason: "filled" });
    expect(engine.all("TRADE").map(({ price, quantity }) => [price, quantity])).toEqual([[4_000, 1], [4_100, 2], [
      4_100,
      3,
    ]]);
  });

  test("negative prices trade, and their notional is positive", () => {
    const engine = new EngineDriver();
    engine.buy(beta, { price: -1_000, quantity: 5 });
    engine.sell(alpha, { price: -2_000, quantity: 5 });
    expect(engine.module("TRADE", "TRD-1")).toMatchObject({ price: -1_000, notional: 50, aggressorSide: 1 });
    expect(engine.order("ORD-1").averagePrice).toBe(-1_000);
    expect(engine.credit("BETA", "ALPHA").usedNotional).toBe(50);
  });

  test("a contract of many hours counts its hours", () => {
    const engine = new EngineDriver();
    engine.sell(alpha, { contractId: "S-PK", price: 5_000, quantity: 2.5 });
    engine.buy(beta, { contractId: "S-PK", price: 5_000, quantity: 2.5 });
    expect(engine.module("TRADE", "TRD-1")).toMatchObject({ quantity: 2.5, energy: 40, notional: 2_000 });
  });

  test("the book shows ten levels of each side", () => {
    const engine = new EngineDriver();
    for (let price = 1; price <= 15; price++) engine.buy(alpha, { price, quantity: price });
    const { bids, totalWorkingOrders } = engine.module("ENGINE", "ENG-N-H12");
    expect(bids.map(({ price }) => price)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6]);
    expect(totalWorkingOrders).toBe(15);
  });
});

describe("a rejected submission", () => {
  test.each([
    ["a quantity off the lot", "invalid_quantity", { quantity: 1.5 }],
    ["a quantity off the kilowatt", "invalid_quantity", { contractId: "S-PK", price: 5, quantity: 0.50001 }],
    ["a price off the tick", "invalid_price", { contractId: "S-PK", price: 7 }],
    ["a price below the range", "invalid_price", { price: -50_001 }],
    ["a price above the range", "invalid_price", { price: 500_001 }],
  ])("%s is %s: an event and an audit record, no order", (_, code, change) => {
    const engine = new EngineDriver();
    const rejected = engine.buy(alpha, { price: 5, quantity: 1, ...change });
    expect(rejected.outcome).toBe(code);
    expect([rejected.eventTypes, rejected.audited, rejected.paths]).toEqual([["reject.order"], ["orderRejected"], []]);
    expect(rejected.dataOf("reject.order")).toMatchObject([{ code, clientOrderId: "operation-1", entityId: "ALPHA" }]);
    expect(engine.all("ORDER")).toEqual([]);
  });

  test("prices at the ends of the range and negative prices on the tick are accepted", () => {
    const engine = new EngineDriver();
    expect(engine.buy(alpha, { price: -50_000, quantity: 1 }).outcome).toBe("ok");
    expect(engine.sell(alpha, { price: 500_000, quantity: 1_000_000 }).outcome).toBe("ok");
    expect(engine.buy(alpha, { contractId: "S-PK", price: -15, quantity: 0.5 }).outcome).toBe("ok");
  });

  test("an unknown contract is not_found, in the audit trail only: the event needs the contract", () => {
    const engine = new EngineDriver();
    const refused = engine.buy(alpha, { contractId: "NOWHERE", price: 1, quantity: 1 });
    expect([refused.outcome, refused.eventTypes, refused.audited]).toEqual(["not_found", [], ["orderRejected"]]);
  });

  test("a rejected order uses no order number", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 0.5 });
    expect(engine.buy(alpha, { price: 5, quantity: 1 }).orderId).toBe("ORD-1");
    engine.execute(operator, "market.flush", {});
    expect(engine.buy(alpha, { price: 5, quantity: 1 }).orderId).toBe("ORD-2");
  });
});

describe("the audit trail of orders", () => {
  test("has submit, fill, change and cancel, with the user who caused each, under ids that sort", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 3 });
    engine.sell(beta, { price: 5, quantity: 1 });
    engine.execute(alpha, "order.modify", { orderId: "ORD-1", quantity: 2 });
    engine.execute(operator, "order.cancel", { orderId: "ORD-1" });
    const ofOrder = engine.audit.filter(({ orderId }) => orderId === "ORD-1");
    expect(ofOrder.map(({ event, userId, entityId }) => [event, userId, entityId])).toEqual([
      ["orderQueued", alpha, "ALPHA"],
      ["orderFilled", beta, "ALPHA"],
      ["orderModified", alpha, "ALPHA"],
      ["orderCancelled", operator, "ALPHA"],
    ]);
    expect(ofOrder[1]?.details).toMatchObject({
      tradeId: "TRD-1",
      fillPrice: 5,
      fillQuantity: 1,
      counterpartyId: "BETA",
    });
    expect(ofOrder[2]?.details).toMatchObject({ quantity: 2, previousQuantity: 3, previousPrice: 5 });
    const ids = engine.audit.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
