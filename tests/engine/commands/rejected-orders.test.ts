import { describe, expect, test } from "bun:test";
import { searchOfOrder, searchOfQuery } from "../../../common/audit/audit-search.ts";
import type { AuditEvent } from "../../../protocol/index.ts";
import { MAX_RECORDED, rejectedOrderId } from "../../../engine/commands/rejected-orders.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, blind, operator, stranger, viewer } = USERS;
/** The price is above the highest of the contract. */
const REFUSED = { price: 999_999, quantity: 1 };
const DAY_MS = 86_400_000;

function historyOf(engine: EngineDriver, orderId: string): AuditEvent[] {
  return engine.audit.filter(searchOfOrder(orderId, { limit: 1000 }, engine.now).matches);
}

function aboutModule(engine: EngineDriver, moduleId: string): AuditEvent[] {
  const days = { from: "2026-01-01", to: "2026-12-31", limit: 200 };
  return engine.audit.filter(searchOfQuery({ ...days, moduleId }).matches);
}

function namesOf(events: readonly AuditEvent[]): string[] {
  return events.map(({ event }) => event);
}

describe("a rejected order", () => {
  test("is not in the history of the order whose id is its clientOrderId", () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, { price: 5, quantity: 1 });
    const refused = engine.buy(beta, { ...REFUSED, clientOrderId: orderId });
    engine.buy(beta, { ...REFUSED, clientOrderId: orderId, contractId: orderId });
    engine.send(beta, "order.submit", { contractId: "N-H12", side: 0, ...REFUSED }, orderId);
    expect(refused.audited).toEqual(["orderRejected"]);
    expect(namesOf(historyOf(engine, orderId))).toEqual(["orderQueued"]);
    expect(namesOf(aboutModule(engine, orderId))).toEqual(["orderQueued"]);
  });

  test("has its own history, by user and clientOrderId", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { ...REFUSED, clientOrderId: "mine" });
    engine.buy(beta, { ...REFUSED, clientOrderId: "mine" });
    const [own, ...others] = historyOf(engine, rejectedOrderId(alpha, "mine"));
    expect(others).toEqual([]);
    expect(own).toMatchObject({
      event: "orderRejected",
      moduleType: "CONTRACT",
      moduleId: "N-H12",
      userId: alpha,
      entityId: "ALPHA",
      orderId: `refused:${alpha}:mine`,
      details: { clientOrderId: "mine", code: "invalid_price", price: 999_999 },
    });
  });

  test("for an unknown contract is recorded under its user", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { ...REFUSED, contractId: "NOWHERE" });
    expect(engine.audit).toMatchObject([{ moduleType: "USER", moduleId: alpha, details: { contractId: "NOWHERE" } }]);
  });

  test.each([viewer, operator, stranger])("of %s, who may not trade, leaves no event and no audit event", (userId) => {
    const refused = new EngineDriver().buy(userId, { price: 5, quantity: 1 });
    expect(refused.outcome).toBeOneOf(["forbidden", "no_entity"]);
    expect([refused.eventTypes, refused.audited, refused.paths]).toEqual([[], [], []]);
  });

  test("of a trader without Market.View leaves both", () => {
    const refused = new EngineDriver().buy(blind, REFUSED);
    expect([refused.eventTypes, refused.audited]).toEqual([["reject.order"], ["orderRejected"]]);
  });

  test(`is in the audit trail at most ${MAX_RECORDED} times a day for each user, restarts included`, () => {
    const engine = new EngineDriver();
    const recordedBy = (userId: string, on = engine) => on.buy(userId, REFUSED).audited.length;
    for (let count = 1; count < MAX_RECORDED; count++) expect(recordedBy(alpha)).toBe(1);
    expect(engine.audit.at(-1)?.details).not.toHaveProperty("note");
    const restored = EngineDriver.restored(engine);
    expect([recordedBy(alpha, restored), recordedBy(alpha, restored)]).toEqual([1, 0]);
    expect(recordedBy(alpha)).toBe(1);
    expect(engine.audit.at(-1)?.details).toMatchObject({ note: expect.stringContaining("not recorded") });
    const beyond = engine.buy(alpha, REFUSED);
    expect([beyond.outcome, beyond.eventTypes, beyond.audited]).toEqual(["invalid_price", ["reject.order"], []]);
    expect(recordedBy(beta)).toBe(1);
    expect(engine.buy(alpha, { price: 5, quantity: 1 }).audited).toEqual(["orderQueued"]);
    engine.now += DAY_MS;
    expect(recordedBy(alpha)).toBe(1);

    const replayed = new EngineDriver();
    for (let count = 1; count < MAX_RECORDED; count++) {
      const operation = { userId: alpha, operationId: `before-${count}`, action: "order.submit" };
      const terms = { ...REFUSED, contractId: "NOWHERE", clientOrderId: operation.operationId, side: 0 as const };
      const refusal = { fingerprint: { high: 0, low: 1 }, code: "invalid_price" as const, message: "", terms };
      replayed.engine.recallRejection(operation, refusal, replayed.now);
    }
    expect([recordedBy(alpha, replayed), recordedBy(alpha, replayed)]).toEqual([1, 0]);
  });
});

describe("an accepted order", () => {
  test("is not in the history of the order whose id is its clientOrderId", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.buy(beta, { price: 6, quantity: 1, clientOrderId: "ORD-1" });
    engine.execute(beta, "order.cancel", { orderId: "ORD-2" });
    expect(namesOf(historyOf(engine, "ORD-1"))).toEqual(["orderQueued"]);
    expect(namesOf(historyOf(engine, "ORD-2"))).toEqual(["orderQueued", "orderCancelled"]);
    expect(engine.execute(alpha, "order.cancel", { orderId: "ORD-1" }).order).toMatchObject({ entityId: "ALPHA" });
  });
});
