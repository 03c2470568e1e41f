import { describe, expect, test } from "bun:test";
import { fingerprintOf, OperationLog } from "../../../sim/engine/idempotency.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, operator } = USERS;
const ORDER = { contractId: "N-H12", side: 0, price: 5, quantity: 1 };

describe("an operation that is sent again", () => {
  test("gets the first answer, though the order has changed since, and changes nothing", () => {
    const engine = new EngineDriver();
    const first = engine.send(alpha, "order.submit", ORDER, "op-1");
    engine.sell(beta, { price: 5, quantity: 1 });
    engine.now += 23 * 3_600_000;
    const repeat = engine.send(alpha, "order.submit", ORDER, "op-1");
    expect(repeat.execution).toEqual({ ...first.execution, states: [], events: [], audit: [] });
    expect(repeat.order.status).toBe("working");
    expect(engine.all("ORDER")).toHaveLength(2);
  });

  test("gets the first answer where that was a rejection, and where the payload did not parse", () => {
    const engine = new EngineDriver();
    expect(engine.send(alpha, "order.submit", { ...ORDER, quantity: 0.1 }, "op-1").eventTypes).toEqual([
      "reject.order",
    ]);
    const repeat = engine.send(alpha, "order.submit", { ...ORDER, quantity: 0.1 }, "op-1");
    expect([repeat.outcome, repeat.eventTypes]).toEqual(["invalid_quantity", []]);
    const broken = engine.send(alpha, "order.submit", "?", "op-2").execution.response;
    expect(engine.send(alpha, "order.submit", "?", "op-2").execution.response).toEqual(broken);
  });

  test("with other content is operation_conflict, and leaves nothing", () => {
    const engine = new EngineDriver();
    engine.send(alpha, "order.submit", ORDER, "op-1");
    for (const [action, payload] of [["order.submit", { ...ORDER, price: 6 }], ["market.halt", ORDER]] as const) {
      const conflict = engine.send(alpha, action, payload, "op-1");
      expect([conflict.outcome, conflict.paths, conflict.eventTypes, conflict.audited]).toEqual([
        "operation_conflict",
        [],
        [],
        [],
      ]);
    }
    expect(engine.send(alpha, "order.submit", ORDER, "op-1").outcome).toBe("ok");
  });

  test("is the same whatever the order of the payload's keys", () => {
    const engine = new EngineDriver();
    engine.send(alpha, "order.submit", ORDER, "op-1");
    const reversed = Object.fromEntries(Object.entries(ORDER).reverse());
    expect(engine.send(alpha, "order.submit", reversed, "op-1").orderId).toBe("ORD-1");
    expect(engine.all("ORDER")).toHaveLength(1);
  });

  test("is another user's own", () => {
    const engine = new EngineDriver();
    engine.send(alpha, "order.submit", ORDER, "op-1");
    expect(engine.send(beta, "order.submit", ORDER, "op-1").orderId).toBe("ORD-2");
  });

  test("is new again after 24 hours", () => {
    const engine = new EngineDriver();
    engine.send(alpha, "order.submit", ORDER, "op-1");
    engine.now += 24 * 3_600_000;
    expect(engine.send(alpha, "order.submit", ORDER, "op-1").orderId).toBe("ORD-2");
  });

  test("what the clock brings about comes with the answer to a repeat, too", () => {
    const engine = new EngineDriver();
    engine.send(alpha, "order.submit", ORDER, "op-1");
    engine.now = Date.parse("2026-01-15T12:59:59Z");
    engine.send(operator, "market.halt", {}, "op-2");
    engine.now = Date.parse("2026-01-20T16:59:59Z");
    engine.send(alpha, "order.cancel", { orderId: "ORD-9" }, "op-3");
    engine.now = Date.parse("2026-01-20T17:00:00Z");
    const repeat = engine.send(alpha, "order.cancel", { orderId: "ORD-9" }, "op-3");
    expect([repeat.outcome, repeat.eventTypes]).toEqual(["not_found", ["expire.order", "change.book"]]);
  });

  test("of an unknown user is refused and not remembered", () => {
    const engine = new EngineDriver();
    for (const payload of [ORDER, { ...ORDER, price: 6 }]) {
      const refused = engine.send("nobody", "order.submit", payload, "op-1");
      expect([refused.outcome, refused.eventTypes, refused.audited]).toEqual(["forbidden", [], []]);
    }
  });
});

test("an action that there is not is invalid_payload", () => {
  expect(new EngineDriver().send(alpha, "order.steal", {}, "op-1").outcome).toBe("invalid_payload");
  expect(new EngineDriver().send(alpha, "toString", {}, "op-1").outcome).toBe("invalid_payload");
});

describe("the operation log", () => {
  const answer = { operationId: "o", status: "ok" } as const;

  test("keeps the newest operations of each user and forgets nobody else's", () => {
    const log = new OperationLog(3);
    log.remember("other", "kept", "f", answer, 0);
    for (let count = 0; count < 5; count++) log.remember("user", `op-${count}`, "f", answer, count);
    const kinds = [0, 1, 2, 3, 4].map((count) => log.find("user", `op-${count}`, "f", 5).kind);
    expect(kinds).toEqual(["new", "new", "repeat", "repeat", "repeat"]);
    expect(log.find("other", "kept", "f", 5).kind).toBe("repeat");
    expect(log.find("other", "kept", "g", 5).kind).toBe("conflict");
  });

  test("fingerprints tell content apart that differs in little", () => {
    const payloads = [
      {},
      [],
      null,
      "",
      0,
      { a: 1 },
      { a: "1" },
      { a: [1] },
      { b: 1 },
      { a: 1, b: undefined },
      { a: 2 },
      [1, 2],
      [2, 1],
    ];
    const prints = payloads.map((payload) => fingerprintOf("order.submit", payload));
    expect(new Set(prints).size).toBe(payloads.length - 1);
    expect(fingerprintOf("x", { a: 1, b: { c: 2, d: 3 } })).toBe(fingerprintOf("x", { b: { d: 3, c: 2 }, a: 1 }));
    const many = Array.from({ length: 20_000 }, (_, price) => fingerprintOf("order.submit", { price }));
    expect(new Set(many).size).toBe(many.length);
  });
});
