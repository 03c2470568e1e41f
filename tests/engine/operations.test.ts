import { resultOf } from "../support/executions.ts";
import { describe, expect, test } from "bun:test";
import { EngineDriver } from "./support/engine-driver.ts";
import { USERS } from "./support/market.ts";

const { alpha, beta, operator } = USERS;
const ORDER = { contractId: "N-H12", side: 0, price: 5, quantity: 1 };

describe("a repeated operation", () => {
  test("gets the first answer and changes nothing, even if the order has changed since", () => {
    const engine = new EngineDriver();
    const first = engine.send(alpha, "order.submit", ORDER, "op-1");
    engine.sell(beta, { price: 5, quantity: 1 });
    engine.now += 23 * 3_600_000;
    const repeat = engine.send(alpha, "order.submit", ORDER, "op-1");
    expect(repeat.execution).toEqual({ ...first.execution, messages: [], audit: "", closedOrders: [], trace: null });
    expect(repeat.order.status).toBe("working");
    expect(engine.all("ORDER")).toHaveLength(2);
  });

  test("gets the first answer if that was a rejection or the payload did not parse", () => {
    const engine = new EngineDriver();
    expect(engine.send(alpha, "order.submit", { ...ORDER, quantity: 0.1 }, "op-1").eventTypes).toEqual([
      "reject.order",
    ]);
    const repeat = engine.send(alpha, "order.submit", { ...ORDER, quantity: 0.1 }, "op-1");
    expect([repeat.outcome, repeat.eventTypes]).toEqual(["invalid_quantity", []]);
    const broken = engine.send(alpha, "order.submit", "?", "op-2").execution.response;
    expect(engine.send(alpha, "order.submit", "?", "op-2").execution.response).toEqual(broken);
  });

  test("gets the first answer if its order was closed before, also after a restart", () => {
    const engine = new EngineDriver();
    const orderId = engine.buy(alpha, { price: 5, quantity: 1 }).order.id;
    const other = EngineDriver.restored(engine);
    for (const each of [engine, other]) each.send(alpha, "order.cancel", { orderId }, "op-cancel");
    for (const [action, code] of [["order.cancel", "not_cancellable"], ["order.modify", "not_modifiable"]] as const) {
      const payload = action === "order.cancel" ? { orderId } : { orderId, price: 6 };
      const late = engine.send(alpha, action, payload, `late ${code}`).execution;
      expect(late.response).toMatchObject({ status: "rejected", code });
      expect(resultOf(late)).toMatchObject({ order: { id: orderId, closeReason: "cancelled" } });
      if (late.trace?.kind !== "rejected") throw new Error("the rejection left no trace");
      const name = { userId: alpha, operationId: `late ${code}`, action };
      other.engine.recallRejection(name, late.trace, other.now);
      for (const each of [engine, other, EngineDriver.restored(other)]) {
        expect(each.send(alpha, action, payload, `late ${code}`).execution.response).toEqual(late.response);
      }
    }
  });

  test("with other content is rejected as operation_conflict and leaves nothing", () => {
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

  test("may have other bounds, and further properties, also in another order", () => {
    const engine = new EngineDriver();
    const sent = (bounds: object | undefined, more: object) =>
      engine.send(alpha, "order.submit", { ...more, ...ORDER, ...(bounds && { bounds }) }, "op-1").orderId;
    expect(sent({ maxQuantity: 5 }, {})).toBe("ORD-1");
    expect(sent({ maxQuantity: 7, maxNotional: 1e9 }, { further: { deep: [1] } })).toBe("ORD-1");
    expect(sent(undefined, { timeInForce: "gtc" })).toBe("ORD-1");
    expect(engine.all("ORDER")).toHaveLength(1);
  });

  test("may have another validUntil, which is checked only the first time", () => {
    const engine = new EngineDriver();
    const order = (operationId: string, ms: number) =>
      engine.send(alpha, "order.submit", ORDER, operationId, new Date(engine.now + ms).toISOString());
    order("op-1", 15_000);
    engine.now += 60_000;
    expect(order("op-1", 15_000).orderId).toBe("ORD-1");
    expect(order("op-1", -1).orderId).toBe("ORD-1");
    expect(order("op-2", -1).outcome).toBe("too_late");
    expect(order("op-2", 15_000).outcome).toBe("too_late");
  });

  test("is a new one if another user sends it", () => {
    const engine = new EngineDriver();
    engine.send(alpha, "order.submit", ORDER, "op-1");
    expect(engine.send(beta, "order.submit", ORDER, "op-1").orderId).toBe("ORD-2");
  });

  test("carries out what the schedule has due", () => {
    const engine = new EngineDriver();
    engine.send(alpha, "order.submit", ORDER, "op-1");
    engine.now = Date.parse("2026-01-15T12:59:59Z");
    engine.send(operator, "market.halt", {}, "op-2");
    engine.now = Date.parse("2026-01-20T16:59:59Z");
    engine.send(alpha, "order.cancel", { orderId: "ORD-9" }, "op-3");
    engine.now = Date.parse("2026-01-20T17:00:00Z");
    const repeat = engine.send(alpha, "order.cancel", { orderId: "ORD-9" }, "op-3");
    expect([repeat.outcome, repeat.eventTypes]).toEqual(["not_found", [
      "change.contract",
      "expire.order",
      "change.book",
    ]]);
  });

  test("of an unknown user is rejected and not remembered", () => {
    const engine = new EngineDriver();
    for (const payload of [ORDER, { ...ORDER, price: 6 }]) {
      const refused = engine.send("nobody", "order.submit", payload, "op-1");
      expect([refused.outcome, refused.eventTypes, refused.audited]).toEqual(["forbidden", [], []]);
    }
  });
});

test("an unknown action is rejected as invalid_payload", () => {
  expect(new EngineDriver().send(alpha, "order.steal", {}, "op-1").outcome).toBe("invalid_payload");
  expect(new EngineDriver().send(alpha, "toString", {}, "op-1").outcome).toBe("invalid_payload");
});
