import { describe, expect, test } from "bun:test";
import { auditOf } from "../support/executions.ts";
import { EngineDriver } from "./support/engine-driver.ts";
import { smallMarket, USERS } from "./support/market.ts";

const { alpha, beta } = USERS;

describe("contracts and delivery", () => {
  test("the contract and its open orders expire at the start of delivery, whatever their time in force", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.buy(alpha, { contractId: "S-PK", price: 5, quantity: 1 });
    expect(engine.advanceTo("2026-01-20T16:59:59.999Z").paths).toEqual([]);
    expect(engine.engine.nextDeadline()).toBe(Date.parse("2026-01-20T17:00:00Z"));
    const begun = engine.advanceTo("2026-01-20T17:00:00Z");
    expect(begun.story).toEqual(["change.contract N-H12 expired", "expire.order ORD-1 cancelled", "change.book"]);
    expect(begun.audited).toEqual(["contractExpired", "orderExpired"]);
    expect(engine.module("CONTRACT", "N-H12").status).toBe("expired");
    expect(engine.order("ORD-1").closeReason).toBe("expired");
    expect(engine.order("ORD-2").status).toBe("working");
  });

  test("used credit is released at the end of delivery, and orders that may trade then do", () => {
    const definition = smallMarket();
    const engine = new EngineDriver({
      ...definition,
      creditDefaults: {
        limits: [{ limitType: "mw", scope: "total", limit: 4, marginPercent: 100 }],
        documentation: "docs_in_place",
      },
    });
    engine.sell(alpha, { price: 5, quantity: 3 });
    engine.buy(beta, { price: 5, quantity: 3 });
    engine.sell(alpha, { contractId: "S-PK", price: 5, quantity: 3 });
    engine.buy(beta, { contractId: "S-PK", price: 10, quantity: 3 });
    expect(engine.order("ORD-4")).toMatchObject({ status: "partial", filledQuantity: 1 });
    engine.advanceTo("2026-01-20T17:59:59Z");
    expect(engine.credit("ALPHA", "BETA").usedMw).toBe(4);
    engine.advanceTo("2026-01-20T18:00:00Z");
    expect(engine.order("ORD-4")).toMatchObject({ status: "filled", averagePrice: 5 });
    expect(engine.credit("BETA", "ALPHA").usedMw).toBe(3);
  });

  test("credit that is released when another delivery begins is not used in the contract that begins it", () => {
    const { contracts, ...definition } = smallMarket();
    const [hour12] = contracts;
    const [deliveryStart, deliveryEnd] = ["2026-01-20T18:00:00Z", "2026-01-20T19:00:00Z"];
    const hour13 = { ...hour12!, id: "N-H13", code: "N-H13", deliveryStart, deliveryEnd };
    const engine = new EngineDriver({ ...definition, contracts: [...contracts, hour13] });
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 2 });
    engine.sell(alpha, { price: 5, quantity: 2 });
    engine.buy(beta, { price: 5, quantity: 2 });
    engine.sell(alpha, { contractId: "N-H13", price: 5, quantity: 1 });
    engine.buy(beta, { contractId: "N-H13", price: 5, quantity: 1 });
    const advanced = engine.advanceTo(deliveryStart);
    expect(advanced.story).not.toContain("new.trade TRD-2");
    expect(engine.order("ORD-4")).toMatchObject({ filledQuantity: 0, closeReason: "expired" });
  });

  test("a request after a deadline meets the market of its time without a call of advance", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.now = Date.parse("2026-01-20T17:00:00Z");
    const refused = engine.sell(beta, { price: 5, quantity: 1 });
    expect(refused.outcome).toBe("contract_expired");
    expect(refused.eventTypes).toEqual(["change.contract", "expire.order", "reject.order", "change.book"]);
    expect(auditOf(refused.execution).map(({ userId }) => userId)).toEqual([null, null, beta]);
  });

  test("nothing is scheduled after the last delivery", () => {
    const engine = new EngineDriver();
    engine.advanceTo("2026-02-01T00:00:00Z");
    expect(engine.engine.nextDeadline()).toBeNull();
  });

  test("a time before that of the last call counts as that time", () => {
    const engine = new EngineDriver();
    engine.advanceTo("2026-01-20T17:00:00Z");
    const payload = { contractId: "N-H12", side: 0, price: 1, quantity: 1 };
    const { response } = engine.engine.execute(
      { userId: alpha, operationId: "o", action: "order.submit", payload },
      engine.now - 1_000_000,
    );
    expect(response?.code).toBe("contract_expired");
  });
});
