// validUntil: a late request of any action changes nothing.

import { describe, expect, test } from "bun:test";
import { ACTION_NAMES, LOCKSTEP_CLOCK } from "../../protocol/index.ts";
import { EngineDriver } from "./support/engine-driver.ts";
import { SECRET, START, USERS } from "./support/market.ts";

const { alpha, operator, publisher } = USERS;
const PAIR = { entityId: "ALPHA", counterpartyId: "BETA" };

/** For each action a request that succeeds on the market of `prepared`, and a user who may send it. */
const REQUESTS: Record<(typeof ACTION_NAMES)[number], [userId: string, payload: Record<string, unknown>]> = {
  "order.submit": [alpha, { contractId: "N-H12", side: 0, price: 5, quantity: 1 }],
  "order.modify": [alpha, { orderId: "ORD-1", price: 7 }],
  "order.cancel": [alpha, { orderId: "ORD-1" }],
  "market.halt": [operator, {}],
  "market.resume": [operator, {}],
  "credit.setLimit": [alpha, { ...PAIR, limitType: "mw", scope: "total", limit: 7 }],
  "credit.setDocumentation": [alpha, { ...PAIR, status: "pending" }],
  "engine.flush": [operator, { engineId: "ENG-N-H12" }],
  "market.flush": [operator, {}],
  "dev.reset": [operator, { secret: SECRET, creditLimit: 7 }],
  "clock.set": [operator, { speed: 2 }],
  "clock.advance": [operator, { to: new Date(START + 1).toISOString() }],
  "spot.publish": [publisher, {
    prices: [{ node: "NORTH", price: 1, regime: "base", time: "2026-01-14T13:00:00.000Z" }],
  }],
};

function prepared(action: string): EngineDriver {
  const engine = new EngineDriver();
  if (action === "clock.advance") engine.setClock(LOCKSTEP_CLOCK);
  engine.buy(alpha, { price: 3, quantity: 2 });
  return engine;
}

describe.each(Object.entries(REQUESTS))("%s", (action, [userId, payload]) => {
  const send = (engine: EngineDriver, lateMs: number) =>
    engine.send(userId, action, payload, "the-operation", new Date(engine.now - lateMs).toISOString());

  test("is executed in the millisecond of its validUntil", () => {
    expect(send(prepared(action), 0).outcome).toBe("ok");
  });

  test("is rejected as too_late one millisecond later, and leaves nothing but the answer", () => {
    const engine = prepared(action);
    const late = send(engine, 1);
    expect(late.outcome).toBe("too_late");
    expect(late.message).toContain("valid until 2026-");
    expect([late.paths, late.eventTypes, late.audited]).toEqual([[], [], []]);
    expect(send(engine, -60_000).outcome).toBe("too_late");
  });

  test("gets the first answer again if it is repeated after its validUntil", () => {
    const engine = prepared(action);
    const first = send(engine, 0);
    engine.now += 60_000;
    const again = send(engine, 60_000);
    expect(again.execution.response).toEqual(first.execution.response);
    expect([again.paths, again.eventTypes, again.audited]).toEqual([[], [], []]);
  });
});

test("a late request of an unknown user is rejected because there is no such user", () => {
  const engine = new EngineDriver();
  expect(engine.send("nobody", "market.halt", {}, "op", "2020-01-01T00:00:00Z").outcome).toBe("forbidden");
});
