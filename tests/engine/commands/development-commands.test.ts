import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { marketWithoutCredit, SECRET, smallMarket, USERS } from "../support/market.ts";

const { alpha, beta, operator, viewer } = USERS;

/** Three open orders in N-H12 (one of them partly filled, one held), one open order in S-PK, and a filled one. */
function busyEngine(): EngineDriver {
  const engine = new EngineDriver();
  engine.buy(alpha, { price: 5, quantity: 3 });
  engine.sell(beta, { price: 5, quantity: 1 });
  engine.sell(beta, { price: 9, quantity: 1 });
  engine.sell(beta, { contractId: "S-PK", price: 10, quantity: 1 });
  engine.execute(operator, "market.halt", {});
  engine.buy(alpha, { price: 1, quantity: 1 });
  return engine;
}

describe("flushing one engine", () => {
  test("a preview counts the orders and changes nothing", () => {
    const preview = busyEngine().execute(operator, "engine.flush", { engineId: "ENG-N-H12", preview: true });
    expect(preview.result).toEqual({ engineId: "ENG-N-H12", contractId: "N-H12", ordersAffected: 3 });
    expect([preview.paths, preview.eventTypes, preview.audited]).toEqual([[], [], []]);
  });

  test("working, partly filled and held orders are cancelled with closeReason flushed; filled orders and other engines stay", () => {
    const engine = busyEngine();
    const flushed = engine.execute(operator, "engine.flush", { engineId: "ENG-N-H12" });
    expect(flushed.result.ordersAffected).toBe(3);
    expect(flushed.story).toEqual([
      "cancel.order ORD-1 cancelled",
      "cancel.order ORD-3 cancelled",
      "cancel.order ORD-5 cancelled",
      "change.book",
    ]);
    expect(flushed.audited).toEqual(["orderCancelled", "orderCancelled", "orderCancelled", "engineFlushed"]);
    expect(engine.all("ORDER").map(({ status, closeReason }) => [status, closeReason])).toEqual([
      ["cancelled", "flushed"],
      ["filled", "filled"],
      ["cancelled", "flushed"],
      ["working", null],
      ["cancelled", "flushed"],
    ]);
    expect(engine.execute(operator, "engine.flush", { engineId: "ENG-N-H12" }).result.ordersAffected).toBe(0);
  });
});

describe("flushing all", () => {
  test("a preview counts the open orders and changes nothing", () => {
    const preview = busyEngine().execute(operator, "market.flush", { preview: true });
    expect([preview.result, preview.paths, preview.eventTypes]).toEqual([{ ordersAffected: 4 }, [], []]);
  });

  test("every open order is cancelled and fills are removed; closed orders, trades, used credit and audit trail stay", () => {
    const engine = busyEngine();
    const flushed = engine.execute(operator, "market.flush", {});
    expect(flushed.result).toEqual({ ordersAffected: 4 });
    expect(flushed.story.filter((line) => line.startsWith("cancel"))).toHaveLength(4);
    expect(flushed.events[0]?.data).toMatchObject({ status: "cancelled", closeReason: "flushed" });
    expect(flushed.removed.toSorted()).toEqual(["/FILL/FIL-1", "/FILL/FIL-2"]);
    expect(engine.all("ORDER").map(({ id, status, closeReason }) => [id, status, closeReason])).toEqual([
      ["ORD-1", "cancelled", "flushed"],
      ["ORD-2", "filled", "filled"],
      ["ORD-3", "cancelled", "flushed"],
      ["ORD-4", "cancelled", "flushed"],
      ["ORD-5", "cancelled", "flushed"],
    ]);
    expect([engine.all("FILL"), engine.all("TRADE").length]).toEqual([[], 1]);
    expect(engine.credit("ALPHA", "BETA").usedMw).toBe(1);
    expect(flushed.audited.at(-1)).toBe("marketFlushed");
    expect(engine.module("QUEUE", "QUE-N-H12").length).toBe(0);
    expect(engine.module("ENGINE", "ENG-N-H12")).toMatchObject({
      totalWorkingOrders: 0,
      bids: [],
      lastPrice: 5,
      tradedQuantity: 1,
    });
    expect(engine.execute(alpha, "order.cancel", { orderId: "ORD-1" }).outcome).toBe("not_cancellable");
  });

  test("numbers continue after a flush", () => {
    const engine = busyEngine();
    engine.execute(operator, "market.flush", {});
    engine.execute(operator, "market.resume", {});
    expect(engine.buy(alpha, { price: 5, quantity: 1 }).orderId).toBe("ORD-6");
    engine.sell(beta, { price: 5, quantity: 1 });
    expect(engine.all("FILL").map(({ id, tradeId }) => [id, tradeId])).toEqual([["FIL-3", "TRD-2"], [
      "FIL-4",
      "TRD-2",
    ]]);
  });
});

describe("the development reset", () => {
  const RESET = { secret: SECRET, creditLimit: 5_000 };

  test("gives every pair one notional limit and documents, then matches the orders that may trade", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    engine.sell(alpha, { price: 5_000, quantity: 1 });
    engine.buy(beta, { price: 5_000, quantity: 1 });
    const reset = engine.execute(viewer, "dev.reset", RESET);
    expect(reset.result).toEqual({ summary: { entities: 3, pairs: 6, creditUpdates: 6, docsUpdates: 6 }, errors: [] });
    expect(reset.audited.filter((event) => event !== "orderFilled")).toEqual(["developmentReset"]);
    for (const credit of engine.all("CREDIT")) {
      expect(credit).toMatchObject({
        limits: [{ limitType: "notional", scope: "total", contractId: null, limit: 5_000, marginPercent: 100 }],
        documentation: "docs_in_place",
        counterpartyDocumentation: "docs_in_place",
      });
    }
    expect(engine.all("TRADE")).toHaveLength(1);
  });

  test("removes a pair's other limits", () => {
    const engine = new EngineDriver();
    engine.setLimit(alpha, "ALPHA:BETA", { contractId: "N-H12", limit: 0 });
    engine.execute(alpha, "dev.reset", RESET);
    expect(engine.credit("ALPHA", "BETA").limits).toHaveLength(1);
    engine.sell(alpha, { price: 5, quantity: 1 });
    expect(engine.buy(beta, { price: 5, quantity: 1 }).order.status).toBe("filled");
  });

  test("a second reset answers the same and changes nothing", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    const first = engine.execute(alpha, "dev.reset", RESET);
    const again = engine.execute(alpha, "dev.reset", RESET);
    expect(again.result).toEqual(first.result);
    expect([again.paths, again.eventTypes]).toEqual([[], []]);
  });

  test.each(
    [
      ["limit", { limitType: "notional", limit: 4_999 }, "change.credit"],
      ["margin", { limitType: "notional", limit: 5_000, marginPercent: 99 }, "change.credit"],
      ["further limit", { limitType: "mwh", limit: 5_000 }, "change.credit"],
      ["further limit of a contract", { limitType: "notional", limit: 5_000, contractId: "S-PK" }, "change.credit"],
      ["documents", "pending", "change.documentation"],
    ] as const,
  )("again, it changes only the pair with another %s", (_, other, type) => {
    const engine = new EngineDriver();
    engine.execute(alpha, "dev.reset", RESET);
    if (other === "pending") engine.setDocuments(alpha, "ALPHA:GAMMA", other);
    else engine.setLimit(alpha, "ALPHA:GAMMA", other);
    const again = engine.execute(viewer, "dev.reset", RESET);
    expect(again.eventTypes).toEqual([type]);
    expect(again.events[0]?.data).toMatchObject({ entityId: "ALPHA", counterpartyId: "GAMMA", userId: viewer });
    expect(engine.credit("ALPHA", "GAMMA")).toMatchObject({
      limits: [{ limitType: "notional", scope: "total", limit: 5_000, marginPercent: 100 }],
      documentation: "docs_in_place",
    });
  });

  test("leaves credit or documents unchanged if the payload says so", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    const documentsOnly = engine.execute(alpha, "dev.reset", { ...RESET, skipCredit: true });
    expect(documentsOnly.result.summary).toMatchObject({ creditUpdates: 0, docsUpdates: 6 });
    expect(engine.credit("ALPHA", "BETA")).toMatchObject({ limits: [], documentation: "docs_in_place" });
    const summary = { entities: 3, pairs: 6, creditUpdates: 0, docsUpdates: 6 };
    expect(engine.audit.at(-1)).toMatchObject({
      ...{ event: "developmentReset", moduleType: "SYSTEM", moduleId: "test-engine", userId: alpha },
      details: { creditLimit: 5_000, skipCredit: true, skipDocs: false, ...summary },
    });
    const creditOnly = new EngineDriver(marketWithoutCredit());
    expect(creditOnly.execute(alpha, "dev.reset", { ...RESET, skipDocs: true }).result.summary).toMatchObject({
      docsUpdates: 0,
    });
    expect(creditOnly.credit("ALPHA", "BETA")).toMatchObject({ limits: [{ limit: 5_000 }], documentation: "no_docs" });
  });

  test("needs the secret of the engine, and an engine that has one", () => {
    const engine = new EngineDriver();
    for (const secret of ["", "wrong", `${SECRET} `, SECRET.slice(1), SECRET.toUpperCase(), SECRET + SECRET]) {
      const refused = engine.execute(alpha, "dev.reset", { ...RESET, secret });
      expect([refused.outcome, refused.paths, refused.audited]).toEqual(["wrong_secret", [], []]);
    }
    const without = new EngineDriver(smallMarket(), null);
    expect(without.execute(alpha, "dev.reset", RESET).outcome).toBe("not_configured");
  });

  test("keeps the notes on documents", () => {
    const engine = new EngineDriver();
    engine.setDocuments(alpha, "ALPHA:BETA", "pending", "draft");
    engine.execute(alpha, "dev.reset", RESET);
    expect(engine.credit("ALPHA", "BETA")).toMatchObject({ documentation: "docs_in_place", notes: "draft" });
  });
});
