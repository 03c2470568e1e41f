import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, alphaSecond, beta, gamma, operator } = USERS;
const FAR = { price: 1, quantity: 1 };

function engineWith(openOrdersPerUser: number, openOrdersPerBook: number): EngineDriver {
  const engine = new EngineDriver();
  engine.engine.setLimits({ openOrdersPerUser, openOrdersPerBook });
  return engine;
}

describe("a user's open orders", () => {
  test("are accepted up to the limit, over all contracts", () => {
    const engine = engineWith(3, 100);
    engine.buy(alpha, FAR);
    engine.buy(alpha, { ...FAR, contractId: "S-PK", price: 5 });
    expect(engine.buy(alpha, FAR).outcome).toBe("ok");
    const refused = engine.buy(alpha, FAR);
    expect(refused.outcome).toBe("limit_exceeded");
    expect(refused.message).toContain("has 3 open orders");
    expect([refused.paths, refused.eventTypes]).toEqual([[], ["reject.order"]]);
    expect(engine.all("ORDER")).toHaveLength(3);
  });

  test("count for each user alone, also within an entity", () => {
    const engine = engineWith(1, 100);
    engine.buy(alpha, FAR);
    expect(engine.buy(alpha, FAR).outcome).toBe("limit_exceeded");
    expect(engine.buy(alphaSecond, FAR).outcome).toBe("ok");
  });

  test("count while held and after release", () => {
    const engine = engineWith(1, 100);
    engine.execute(operator, "market.halt", {});
    expect(engine.buy(alpha, FAR).order.status).toBe("held");
    expect(engine.buy(alpha, FAR).outcome).toBe("limit_exceeded");
    engine.execute(operator, "market.resume", {});
    expect(engine.buy(alpha, FAR).outcome).toBe("limit_exceeded");
  });

  test("no longer count when cancelled, filled or flushed; they do when changed or partly filled", () => {
    const engine = engineWith(1, 100);
    const first = engine.buy(alpha, { price: 5, quantity: 2 }).orderId;
    engine.sell(beta, { price: 5, quantity: 1 });
    engine.execute(alpha, "order.modify", { orderId: first, price: 6 });
    expect(engine.buy(alpha, FAR).outcome).toBe("limit_exceeded");
    engine.sell(beta, { price: 6, quantity: 1 });
    expect(engine.buy(alpha, FAR).outcome).toBe("ok");
    engine.execute(operator, "market.flush", {});
    const last = engine.buy(alpha, FAR);
    expect(last.outcome).toBe("ok");
    engine.execute(alpha, "order.cancel", { orderId: last.orderId });
    expect(engine.buy(alpha, FAR).outcome).toBe("ok");
  });

  test("can be changed at the limit", () => {
    const engine = engineWith(1, 1);
    const { orderId } = engine.buy(alpha, FAR);
    expect(engine.execute(alpha, "order.modify", { orderId, price: 2, quantity: 9 }).outcome).toBe("ok");
  });
});

describe("the open orders of a book", () => {
  test("are accepted up to the limit, of all users together", () => {
    const engine = engineWith(100, 2);
    engine.buy(alpha, FAR);
    expect(engine.sell(beta, { price: 9, quantity: 1 }).outcome).toBe("ok");
    const refused = engine.buy(gamma, FAR);
    expect([refused.outcome, refused.paths]).toEqual(["limit_exceeded", []]);
    expect(refused.message).toContain("2 orders of N-H12 are open");
    expect(engine.buy(gamma, { ...FAR, contractId: "S-PK", price: 5 }).outcome).toBe("ok");
    expect(engine.module("ENGINE", "ENG-N-H12").totalWorkingOrders).toBe(2);
  });

  test("count together with the resting orders while held", () => {
    const engine = engineWith(100, 2);
    engine.buy(alpha, FAR);
    engine.execute(operator, "market.halt", {});
    expect(engine.buy(beta, FAR).order.status).toBe("held");
    expect(engine.buy(gamma, FAR).outcome).toBe("limit_exceeded");
  });
});

describe("the limits of open orders", () => {
  test("leave open orders unchanged when lowered", () => {
    const engine = engineWith(5, 5);
    for (let count = 0; count < 5; count++) engine.buy(alpha, FAR);
    engine.engine.setLimits({ openOrdersPerUser: 2, openOrdersPerBook: 2 });
    expect(engine.buy(alpha, FAR).outcome).toBe("limit_exceeded");
    expect(engine.all("ORDER").map(({ status }) => status)).toEqual(Array(5).fill("working"));
  });

  test("count the orders of a checkpoint", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, FAR);
    engine.execute(operator, "market.halt", {});
    engine.buy(alpha, FAR);
    const restored = EngineDriver.restored(engine);
    for (const [openOrdersPerUser, outcome] of [[2, "limit_exceeded"], [3, "ok"]] as const) {
      restored.engine.setLimits({ openOrdersPerUser, openOrdersPerBook: 100 });
      expect(restored.buy(alpha, FAR).outcome).toBe(outcome);
    }
  });
});
