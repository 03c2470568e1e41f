import { describe, expect, test } from "bun:test";
import type { Action } from "../../../protocol/index.ts";
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

describe("an action that a user may not send", () => {
  const price = { node: "NORTH", price: 5, regime: "base", time: "2026-01-14T13:00:00Z" };
  const pair = { entityId: "ALPHA", counterpartyId: "BETA" };
  const order = { contractId: "N-H12", side: 0, price: 4, quantity: 1 };
  test.each<[Action, string, object, string]>([
    ["order.submit", viewer, order, "Order.Submit"],
    ["order.modify", viewer, { orderId: "ORD-1", price: 6 }, "Order.Submit"],
    ["order.cancel", viewer, { orderId: "ORD-1" }, "Order.Submit nor Market.Operate"],
    ["market.halt", alpha, {}, "Market.Operate"],
    ["market.resume", alpha, {}, "Market.Operate"],
    ["credit.setLimit", blind, { ...pair, limitType: "mw", scope: "total", limit: 1 }, "Credit.Manage"],
    ["credit.setDocumentation", blind, { ...pair, status: "pending" }, "Credit.Manage"],
    ["engine.flush", alpha, { engineId: "ENG-N-H12" }, "Market.Operate"],
    ["market.flush", alpha, {}, "Market.Operate"],
    ["clock.set", alpha, { speed: 60 }, "Market.Operate"],
    ["clock.advance", alpha, { to: "2026-01-14T13:00:01Z" }, "Market.Operate"],
    ["spot.publish", alpha, { prices: [price] }, "Spot.Publish"],
  ])("%s by %s is forbidden and changes nothing", (action, user, payload, lacking) => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    const state = () => JSON.stringify([...engine.engine.snapshot(engine.now)].map(({ text }) => text));
    const before = [engine.engine.sequence, engine.engine.clock, state()];
    const refused = engine.send(user, action, payload, "o-1");
    expect([refused.outcome, refused.message]).toEqual(["forbidden", expect.stringContaining(lacking)]);
    expect([refused.events, refused.states, refused.audited]).toEqual([[], [], []]);
    expect([engine.engine.sequence, engine.engine.clock, state()]).toEqual(before);
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
