import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";
import { CLOSE, EVENING, marketAt, NEXT_OPEN, OPEN, PREOPEN } from "../support/sessions.ts";

const { alpha, beta, gamma, operator } = USERS;

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
