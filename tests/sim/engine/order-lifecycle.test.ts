import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { smallMarket, USERS } from "../support/market.ts";

const { alpha, alphaSecond, beta, gamma, operator } = USERS;

describe("submitting an order", () => {
  test("an order without a counterpart works in the book", () => {
    const engine = new EngineDriver();
    const submitted = engine.buy(alpha, { price: 4_550, quantity: 10, clientOrderId: "mine" });
    expect(submitted.outcome).toBe("ok");
    expect(submitted.story).toEqual(["new.order ORD-1 working", "change.book"]);
    expect(submitted.paths).toEqual(["/ENGINE/ENG-N-H12", "/ORDER/ORD-1"]);
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

  test("the clientOrderId is the operationId if none is given", () => {
    const engine = new EngineDriver();
    const payload = { contractId: "N-H12", side: 0, price: 1, quantity: 1 };
    expect(engine.send(alpha, "order.submit", payload, "op-9").order.clientOrderId).toBe("op-9");
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
    expect(crossing.paths).toEqual([
      "/CREDIT/ALPHA:BETA",
      "/CREDIT/BETA:ALPHA",
      "/ENGINE/ENG-N-H12",
      "/ORDER/ORD-2",
      "/ORDER/ORD-1",
      "/TRADE/TRD-1",
      "/FILL/FIL-1",
      "/FILL/FIL-2",
    ]);
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

  test("an entity's own orders never trade with each other, and may rest crossed", () => {
    const engine = new EngineDriver();
    engine.sell(alpha, { price: 4_000, quantity: 1 });
    engine.buy(alphaSecond, { price: 4_100, quantity: 1 });
    expect(engine.all("TRADE")).toEqual([]);
    expect(engine.module("ENGINE", "ENG-N-H12")).toMatchObject({ bestBid: 4_100, bestAsk: 4_000 });
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
  const rejections: [string, string, Record<string, unknown>, string][] = [
    ["a quantity off the lot", "invalid_quantity", { quantity: 1.5 }, "multiple of 1 MW"],
    [
      "a quantity off the kilowatt",
      "invalid_quantity",
      { contractId: "S-PK", price: 5, quantity: 0.50001 },
      "multiple of 0.5 MW",
    ],
    ["a price off the tick", "invalid_price", { contractId: "S-PK", price: 7 }, "multiple of 5 cents/MWh"],
    ["a price below the range", "invalid_price", { price: -50_001 }, "from -50000 to 500000"],
    ["a price above the range", "invalid_price", { price: 500_001 }, "from -50000 to 500000"],
  ];

  test.each(rejections)("%s is %s: an event and an audit record, no order", (_, code, change, said) => {
    const engine = new EngineDriver();
    const rejected = engine.buy(alpha, { price: 5, quantity: 1, ...change });
    expect(rejected.outcome).toBe(code);
    expect(rejected.message).toContain(said);
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

  test("a payload that does not parse is answered with each fault and leaves nothing", () => {
    const engine = new EngineDriver();
    const refused = engine.send(alpha, "order.submit", { contractId: "N-H12", side: 2, price: 0.5, quantity: 1 }, "o");
    expect(refused.outcome).toBe("invalid_payload");
    expect(refused.message).toContain("side:");
    expect(refused.message).toContain("price:");
    expect([refused.eventTypes, refused.audited]).toEqual([[], []]);
  });

  test("a rejected order uses no order number", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 0.5 });
    expect(engine.buy(alpha, { price: 5, quantity: 1 }).orderId).toBe("ORD-1");
    engine.execute(operator, "market.flush", {});
    expect(engine.buy(alpha, { price: 5, quantity: 1 }).orderId).toBe("ORD-2");
  });
});

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

  test("a higher quantity or another price costs the order its time priority", () => {
    for (const change of [{ quantity: 5 }, { price: 6 }]) {
      const engine = queueOfTwo();
      engine.execute(alpha, "order.modify", { orderId: "ORD-1", ...change });
      engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 5 });
      engine.sell(beta, { price: 5, quantity: 1 });
      expect(engine.order("ORD-2").filledQuantity).toBe(1);
    }
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

describe("contracts and delivery", () => {
  test("the contract and its open orders expire at the start of delivery, whatever their time in force", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.buy(alpha, { contractId: "S-PK", price: 5, quantity: 1 });
    expect(engine.advanceTo("2026-01-20T16:59:59.999Z").paths).toEqual([]);
    expect(engine.engine.nextDeadline()).toBe(Date.parse("2026-01-20T17:00:00Z"));
    const begun = engine.advanceTo("2026-01-20T17:00:00Z");
    expect(begun.story).toEqual(["change.contract N-H12 expired", "expire.order ORD-1 cancelled", "change.book"]);
    expect(begun.audited).toEqual(["contractExpired", "orderExpired"]);
    expect(engine.module("CONTRACT", "N-H12").status).toBe("expired");
    expect(engine.order("ORD-1").closeReason).toBe("expired");
    expect(engine.order("ORD-2").status).toBe("working");
  });

  test("used credit is released at the end of delivery, and orders that may trade then do", () => {
    const definition = smallMarket();
    const engine = new EngineDriver({
      ...definition,
      creditDefaults: {
        limits: [{ limitType: "mw", scope: "total", limit: 4, marginPercent: 100 }],
        documentation: "docs_in_place",
      },
    });
    engine.sell(alpha, { price: 5, quantity: 3 });
    engine.buy(beta, { price: 5, quantity: 3 });
    engine.sell(alpha, { contractId: "S-PK", price: 5, quantity: 3 });
    engine.buy(beta, { contractId: "S-PK", price: 10, quantity: 3 });
    expect(engine.order("ORD-4")).toMatchObject({ status: "partial", filledQuantity: 1 });
    engine.advanceTo("2026-01-20T17:59:59Z");
    expect(engine.credit("ALPHA", "BETA").usedMw).toBe(4);
    engine.advanceTo("2026-01-20T18:00:00Z");
    expect(engine.order("ORD-4")).toMatchObject({ status: "filled", averagePrice: 5 });
    expect(engine.credit("BETA", "ALPHA").usedMw).toBe(3);
  });

  test("a request after a deadline meets the market of its time without a call of advance", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.now = Date.parse("2026-01-20T17:00:00Z");
    const refused = engine.sell(beta, { price: 5, quantity: 1 });
    expect(refused.outcome).toBe("contract_expired");
    expect(refused.eventTypes).toEqual(["change.contract", "expire.order", "reject.order", "change.book"]);
    expect(refused.execution.audit.map(({ userId }) => userId)).toEqual([null, null, beta]);
  });

  test("nothing is scheduled after the last delivery", () => {
    const engine = new EngineDriver();
    engine.advanceTo("2026-02-01T00:00:00Z");
    expect(engine.engine.nextDeadline()).toBeNull();
  });

  test("a time before that of the last call counts as that time", () => {
    const engine = new EngineDriver();
    engine.advanceTo("2026-01-20T17:00:00Z");
    const payload = { contractId: "N-H12", side: 0, price: 1, quantity: 1 };
    const { response } = engine.engine.execute(
      { userId: alpha, operationId: "o", action: "order.submit", payload },
      engine.now - 1_000_000,
    );
    expect(response?.code).toBe("contract_expired");
  });
});
