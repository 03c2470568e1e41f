import { describe, expect, test } from "bun:test";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { smallMarket, USERS } from "../support/market.ts";
import { CLOSE, EVENING, marketAt, NEXT_OPEN, OPEN, PREOPEN } from "../support/sessions.ts";

const { alpha, beta, gamma, operator, publisher } = USERS;

describe("halt and resume", () => {
  test("a halt shows its user and reason, and a resume clears them", () => {
    const engine = marketAt(OPEN);
    const halted = engine.execute(operator, "market.halt", { reason: "grid emergency" });
    expect(halted.result).toEqual({ marketId: "M1", marketStatus: "halted" });
    expect(halted.audited).toEqual(["marketHalted"]);
    expect(halted.eventTypes).toEqual(["halt.market"]);
    expect(halted.events[0]?.data).toEqual({
      marketId: "M1",
      status: "halted",
      previousStatus: "open",
      reason: "grid emergency",
      userId: operator,
    });
    expect(engine.module("MARKET", "M1")).toMatchObject({
      status: "halted",
      halted: true,
      haltReason: "grid emergency",
    });
    const resumed = engine.execute(operator, "market.resume", { marketId: "M1" });
    expect(resumed.result).toEqual({ marketId: "M1", marketStatus: "open" });
    expect([resumed.story, resumed.audited]).toEqual([["resume.market M1 open"], ["marketResumed"]]);
    expect(engine.module("MARKET", "M1")).toMatchObject({ status: "open", halted: false, haltReason: null });
  });

  test("halting a halted market and resuming one that is not succeed and change nothing", () => {
    const engine = marketAt(OPEN);
    const idle = engine.execute(operator, "market.resume", {});
    expect([idle.outcome, idle.paths, idle.eventTypes, idle.audited]).toEqual(["ok", [], [], []]);
    engine.execute(operator, "market.halt", { reason: "first" });
    const again = engine.execute(operator, "market.halt", { reason: "second" });
    expect([again.result.marketStatus, again.paths, again.eventTypes, again.audited]).toEqual(["halted", [], [], []]);
    expect(engine.module("MARKET", "M1").haltReason).toBe("first");
  });

  test("a working order that is changed during a halt is held, behind the earlier ones", () => {
    const engine = marketAt(OPEN);
    engine.sell(alpha, { price: 5, quantity: 2 });
    engine.buy(beta, { price: 3, quantity: 2 });
    engine.sell(gamma, { price: 3, quantity: 1 });
    engine.execute(operator, "market.halt", {});
    engine.buy(gamma, { price: 5, quantity: 1 });
    const changed = engine.execute(beta, "order.modify", { orderId: "ORD-2", price: 5 });
    expect(changed.story).toEqual(["change.order ORD-2 held", "hold.order ORD-2 held", "change.book"]);
    expect(changed.order.filledQuantity).toBe(1);
    const resumed = engine.execute(operator, "market.resume", {});
    expect(resumed.story.filter((line) => line.startsWith("release"))).toEqual([
      "release.order ORD-4 working",
      "release.order ORD-2 partial",
    ]);
    expect(engine.order("ORD-1").status).toBe("filled");
    expect(engine.order("ORD-2")).toMatchObject({ status: "filled", averagePrice: 4 });
  });

  test("orders stay held until the open after a resume into preopen", () => {
    const engine = marketAt(PREOPEN);
    engine.execute(operator, "market.halt", {});
    engine.buy(alpha, { price: 5, quantity: 1 });
    expect(engine.execute(operator, "market.resume", {}).result.marketStatus).toBe("preopen");
    expect(engine.order("ORD-1").status).toBe("held");
    engine.advanceTo(OPEN);
    expect(engine.order("ORD-1").status).toBe("working");
  });

  test("a resume into closed expires day orders; gtc orders stay held until the next open", () => {
    const engine = marketAt(OPEN);
    engine.execute(operator, "market.halt", {});
    engine.advanceTo(EVENING);
    engine.buy(alpha, { price: 5, quantity: 1, timeInForce: "day" });
    engine.buy(alpha, { price: 5, quantity: 1 });
    const resumed = engine.execute(operator, "market.resume", {});
    expect(resumed.result.marketStatus).toBe("closed");
    expect(resumed.story).toEqual(["resume.market M1 closed", "expire.order ORD-1 cancelled"]);
    expect(engine.order("ORD-2").status).toBe("held");
    engine.advanceTo(NEXT_OPEN);
    expect(engine.order("ORD-2").status).toBe("working");
  });

  test("a halted market stays halted through its schedule, but its day orders expire at the close", () => {
    const engine = marketAt(OPEN);
    engine.buy(alpha, { price: 5, quantity: 1, timeInForce: "day" });
    engine.execute(operator, "market.halt", {});
    engine.buy(alpha, { price: 4, quantity: 1, timeInForce: "day" });
    const closed = engine.advanceTo(CLOSE);
    expect(closed.eventTypes).toEqual(["expire.order", "expire.order", "change.book"]);
    expect(engine.module("MARKET", "M1")).toMatchObject({ status: "halted", open: "2026-01-15T14:00:00.000Z" });
    expect(engine.advanceTo(NEXT_OPEN).eventTypes).toEqual([]);
    expect(engine.execute(operator, "market.resume", {}).result.marketStatus).toBe("open");
  });

  test("a held order expires when the delivery of its contract begins", () => {
    const engine = new EngineDriver();
    engine.execute(operator, "market.halt", {});
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.advanceTo("2026-01-20T17:00:00Z");
    expect(engine.order("ORD-1").closeReason).toBe("expired");
    expect(engine.execute(operator, "market.resume", {}).eventTypes).toEqual(["resume.market"]);
  });

  test("a long queue shows its length and its first hundred orders", () => {
    const engine = new EngineDriver();
    engine.execute(operator, "market.halt", {});
    for (let count = 0; count < 120; count++) engine.buy(alpha, { price: 5, quantity: 1 });
    const { length, orderIds } = engine.module("QUEUE", "QUE-N-H12");
    expect([length, orderIds.length, orderIds[0], orderIds.at(-1)]).toEqual([120, 100, "ORD-1", "ORD-100"]);
    expect(engine.module("ENGINE", "ENG-N-H12").heldOrders).toBe(120);
  });
});

describe("of two markets", () => {
  /** The small market, and a second one with a node, a product and a contract of its own. */
  function twoMarkets(): EngineDriver {
    const small = smallMarket();
    const [market] = small.markets;
    const [product] = small.products;
    const [contract] = small.contracts;
    return new EngineDriver(marketDefinition.parse({
      ...small,
      markets: [market, { ...market, id: "M2", code: "M2", name: "Second market", nodes: ["EAST"] }],
      products: [...small.products, { ...product, id: "E-HOUR", code: "E-HOUR", marketId: "M2", node: "EAST" }],
      contracts: [...small.contracts, { ...contract, id: "E-H12", code: "E-H12", productId: "E-HOUR" }],
    }));
  }

  const inEast = { contractId: "E-H12", price: 5, quantity: 1 };
  const halted = (engine: EngineDriver) => engine.all("MARKET").map(({ status }) => status);

  test("a halt and a resume are of the first if they name none, and otherwise of the one that they name", () => {
    const engine = twoMarkets();
    expect(engine.execute(operator, "market.halt", {}).result).toEqual({ marketId: "M1", marketStatus: "halted" });
    expect(halted(engine)).toEqual(["halted", "open"]);
    expect([engine.buy(alpha, inEast).order.status, engine.buy(alpha, { price: 5, quantity: 1 }).order.status])
      .toEqual(["working", "held"]);
    expect(engine.execute(operator, "market.halt", { marketId: "M2" }).result.marketId).toBe("M2");
    engine.execute(operator, "market.resume", { reason: "tested" });
    expect(halted(engine)).toEqual(["open", "halted"]);
    const resumed = engine.execute(operator, "market.resume", { marketId: "M2", reason: "all is well" });
    expect(resumed.dataOf("resume.market")).toEqual([
      { marketId: "M2", status: "open", previousStatus: "halted", reason: "all is well", userId: operator },
    ]);
  });

  test("one that there is not is refused, with the names of those that there are, and nothing changes", () => {
    const engine = twoMarkets();
    for (const action of ["market.halt", "market.resume"] as const) {
      const refused = engine.execute(operator, action, { marketId: "M3" });
      expect([refused.outcome, refused.eventTypes, refused.audited]).toEqual(["not_found", [], []]);
      expect(refused.message).toEndWith("There are: M1, M2.");
    }
    expect(halted(engine)).toEqual(["open", "open"]);
  });

  test("a flush cancels the orders of both, and records for each how many were its own", () => {
    const engine = twoMarkets();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.buy(beta, { contractId: "S-PK", price: 5, quantity: 1 });
    engine.execute(operator, "market.halt", { marketId: "M2" });
    engine.buy(gamma, inEast);
    expect(engine.execute(operator, "market.flush", { preview: true }).result).toEqual({ ordersAffected: 3 });
    const flushed = engine.execute(operator, "market.flush", {});
    expect(flushed.result).toEqual({ ordersAffected: 3 });
    expect(engine.audit.slice(-5).map(({ event, moduleId, details }) => [event, moduleId, details["ordersCancelled"]]))
      .toEqual([
        ["orderCancelled", "ORD-1", undefined],
        ["orderCancelled", "ORD-2", undefined],
        ["marketFlushed", "M1", 2],
        ["orderCancelled", "ORD-3", undefined],
        ["marketFlushed", "M2", 1],
      ]);
  });

  test("a flush of one book leaves the others, and there must be such a book", () => {
    const engine = twoMarkets();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.buy(gamma, inEast);
    const unknown = engine.execute(operator, "engine.flush", { engineId: "E-H12" });
    expect([unknown.outcome, unknown.message]).toEqual(["not_found", "There is no engine with id E-H12."]);
    const preview = engine.execute(operator, "engine.flush", { engineId: "ENG-E-H12", preview: true });
    expect([preview.result, preview.events, preview.audited]).toEqual([
      { engineId: "ENG-E-H12", contractId: "E-H12", ordersAffected: 1 },
      [],
      [],
    ]);
    const flushed = engine.execute(operator, "engine.flush", { engineId: "ENG-E-H12" });
    expect([flushed.result, flushed.audited]).toEqual([preview.result, ["orderCancelled", "engineFlushed"]]);
    expect(engine.all("ORDER").map(({ id, closeReason }) => [id, closeReason])).toEqual([
      ["ORD-1", null],
      ["ORD-2", "flushed"],
    ]);
  });

  test("spot prices may be of the nodes of both, and are published all or none", () => {
    const engine = twoMarkets();
    const priceAt = (node: string) => ({ node, price: 5, regime: "base" as const, time: "2026-01-14T13:00:00Z" });
    const stray = engine.execute(publisher, "spot.publish", { prices: ["NORTH", "EAST", "OESTE"].map(priceAt) });
    expect([stray.outcome, stray.eventTypes]).toEqual(["not_found", []]);
    expect(stray.message).toBe("There is no price node with id OESTE. There are: NORTH, SOUTH, EAST.");
    const published = engine.execute(publisher, "spot.publish", { prices: ["EAST", "NORTH"].map(priceAt) });
    expect(published.result).toEqual({ published: 2 });
    expect(published.dataOf("change.spot")).toEqual([priceAt("EAST"), priceAt("NORTH")]);
  });
});
