import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, blind, operator, publisher, stranger, viewer } = USERS;

describe("permissions", () => {
  test("another entity's order can be cancelled with Market.Operate, and never changed", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    expect(engine.execute(beta, "order.cancel", { orderId: "ORD-1" }).outcome).toBe("forbidden");
    expect(engine.execute(beta, "order.modify", { orderId: "ORD-1", price: 6 }).outcome).toBe("forbidden");
    expect(engine.execute(stranger, "order.modify", { orderId: "ORD-1", price: 6 }).outcome).toBe("forbidden");
    expect(engine.execute(operator, "order.cancel", { orderId: "ORD-1" }).outcome).toBe("ok");
  });

  test("Credit.Manage is needed to manage credit, and only of the user's own entity", () => {
    const engine = new EngineDriver();
    expect(engine.setLimit(blind, "BETA:ALPHA", { limit: 5 }).message).toContain("Credit.Manage");
    for (const user of [beta, operator]) {
      expect(engine.setLimit(user, "ALPHA:BETA", { limit: 5 }).outcome).toBe("forbidden");
      expect(engine.setDocuments(user, "ALPHA:BETA", "pending").outcome).toBe("forbidden");
    }
    expect(engine.setLimit(alpha, "ALPHA:BETA", { limit: 5 }).outcome).toBe("ok");
  });

  test("Spot.Publish is needed to publish prices, and each price is an event", () => {
    const engine = new EngineDriver();
    const price = { node: "NORTH", price: -350, regime: "drop", time: "2026-01-14T13:00:00Z" } as const;
    expect(engine.execute(alpha, "spot.publish", { prices: [price] }).outcome).toBe("forbidden");
    const published = engine.execute(publisher, "spot.publish", { prices: [price, { ...price, node: "SOUTH" }] });
    expect([published.result, published.eventTypes, published.audited]).toEqual([
      { published: 2 },
      ["change.spot", "change.spot"],
      [],
    ]);
    expect(published.events[0]?.data).toEqual(price);
    const stray = engine.execute(publisher, "spot.publish", { prices: [price, { ...price, node: "WEST" }] });
    expect([stray.outcome, stray.eventTypes]).toEqual(["not_found", []]);
  });
});

describe("connections of users", () => {
  test("a user who connects or disconnects gives one state and one event", () => {
    const engine = new EngineDriver();
    const came = engine.setConnected(alpha, true);
    expect([came.paths, came.eventTypes]).toEqual([[`/USER/${alpha}`], ["change.user"]]);
    expect(engine.module("USER", alpha).connected).toBe(true);
    expect(engine.setConnected(alpha, true).eventTypes).toEqual([]);
    expect(engine.setConnected(alpha, false).events[0]?.data).toEqual({
      userId: alpha,
      entityId: "ALPHA",
      connected: false,
    });
  });

  test("users have an entity and permissions", () => {
    const { engine } = new EngineDriver();
    expect(engine.user(blind)).toMatchObject({ id: blind, entityId: "BETA" });
    expect([...engine.user(viewer)?.permissions ?? []]).toEqual(["Market.View"]);
    expect(engine.user("nobody")).toBeUndefined();
  });
});
