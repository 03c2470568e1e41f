import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { scheduledMarket, smallMarket, strangersMarket, USERS } from "../support/market.ts";

const { alpha, beta, gamma, operator } = USERS;

const ALPHA_BETA = { entityId: "ALPHA", counterpartyId: "BETA", scope: "total" } as const;
const BETA_ALPHA = { entityId: "BETA", counterpartyId: "ALPHA", scope: "total" } as const;

/** Gives ALPHA and BETA documents and a limit for each other; BETA does not give what `missing` names. */
function grantCredit(engine: EngineDriver, missing?: "documents" | "limit"): void {
  for (const [user, entityId, counterpartyId] of [[alpha, "ALPHA", "BETA"], [beta, "BETA", "ALPHA"]] as const) {
    const last = user === beta;
    if (!(last && missing === "documents")) {
      engine.execute(user, "credit.setDocumentation", { entityId, counterpartyId, status: "docs_in_place" });
    }
    if (!(last && missing === "limit")) {
      engine.execute(user, "credit.setLimit", {
        entityId,
        counterpartyId,
        limitType: "mw",
        scope: "total",
        limit: 100,
      });
    }
  }
}

/** Submits ALPHA's ask at 5 and BETA's bid at 6, which may not trade. */
function crossed(engine: EngineDriver, quantity = 3): void {
  engine.sell(alpha, { price: 5, quantity });
  engine.buy(beta, { price: 6, quantity });
  expect(engine.all("TRADE")).toEqual([]);
}

const LAST_DOCUMENT = { entityId: "BETA", counterpartyId: "ALPHA", status: "docs_in_place" } as const;
const LAST_LIMIT = { ...BETA_ALPHA, limitType: "mw", limit: 100 } as const;

describe("documents and limits", () => {
  test("two entities do not trade until both have documents and a limit for each other", () => {
    const engine = new EngineDriver(strangersMarket());
    crossed(engine);
    grantCredit(engine);
    expect(engine.all("TRADE")).toHaveLength(1);
  });

  test("the last document lets crossed orders trade at once, the older as the resting order", () => {
    const engine = new EngineDriver(strangersMarket());
    grantCredit(engine, "documents");
    crossed(engine);
    const changed = engine.execute(beta, "credit.setDocumentation", LAST_DOCUMENT);
    expect(changed.story).toEqual([
      "change.documentation docs_in_place",
      "new.trade TRD-1",
      "new.fill FIL-1 resting",
      "new.fill FIL-2 aggressor",
      "change.order ORD-1 filled",
      "change.order ORD-2 filled",
      "change.book",
    ]);
    expect(engine.module("TRADE", "TRD-1")).toMatchObject({ price: 5, aggressorSide: 0, quantity: 3 });
    expect(engine.module("ENGINE", "ENG-N-H12").totalWorkingOrders).toBe(0);
    expect(changed.result.credit).toMatchObject({
      documentation: "docs_in_place",
      counterpartyDocumentation: "docs_in_place",
    });
  });

  test("crossed orders trade at the price of the bid if the bid is older", () => {
    const engine = new EngineDriver(strangersMarket());
    grantCredit(engine, "limit");
    engine.buy(beta, { price: 6, quantity: 2 });
    engine.sell(alpha, { price: 5, quantity: 3 });
    engine.execute(beta, "credit.setLimit", LAST_LIMIT);
    expect(engine.module("TRADE", "TRD-1")).toMatchObject({ price: 6, aggressorSide: 1, quantity: 2 });
    expect(engine.order("ORD-2")).toMatchObject({ status: "partial", remainingQuantity: 1 });
    expect(engine.module("ENGINE", "ENG-N-H12").asks).toEqual([{ price: 5, volume: 1, orderCount: 1 }]);
  });

  test("several crossed orders trade as if they arrived again, oldest first", () => {
    const engine = new EngineDriver(strangersMarket());
    grantCredit(engine, "documents");
    engine.buy(beta, { price: 7, quantity: 2 });
    engine.sell(alpha, { price: 5, quantity: 3 });
    engine.buy(beta, { price: 6, quantity: 4 });
    engine.sell(alpha, { price: 4, quantity: 1 });
    engine.execute(beta, "credit.setDocumentation", LAST_DOCUMENT);
    expect(
      engine.all("TRADE").map((
        { buyOrderId, sellOrderId, price, quantity },
      ) => [buyOrderId, sellOrderId, price, quantity]),
    )
      .toEqual([["ORD-1", "ORD-2", 7, 2], ["ORD-3", "ORD-2", 5, 1], ["ORD-3", "ORD-4", 6, 1]]);
    expect(engine.order("ORD-3").remainingQuantity).toBe(2);
  });

  test("a document lets orders of the pair trade in every contract", () => {
    const engine = new EngineDriver(strangersMarket());
    grantCredit(engine, "documents");
    for (const contractId of ["N-H12", "S-PK"]) {
      engine.sell(alpha, { contractId, price: 5, quantity: 1 });
      engine.buy(beta, { contractId, price: 5, quantity: 1 });
    }
    const changed = engine.execute(beta, "credit.setDocumentation", LAST_DOCUMENT);
    expect(changed.eventTypes.filter((type) => type === "change.book")).toHaveLength(2);
    expect(engine.all("TRADE").map(({ contractId }) => contractId)).toEqual(["N-H12", "S-PK"]);
  });

  test("withdrawn documents stop new trades", () => {
    const engine = new EngineDriver();
    engine.execute(alpha, "credit.setDocumentation", { entityId: "ALPHA", counterpartyId: "BETA", status: "pending" });
    crossed(engine);
    expect(engine.credit("BETA", "ALPHA")).toMatchObject({
      documentation: "docs_in_place",
      counterpartyDocumentation: "pending",
    });
  });

  test("an order skips resting orders that it may not trade with", () => {
    const engine = new EngineDriver();
    engine.execute(alpha, "credit.setDocumentation", { entityId: "ALPHA", counterpartyId: "BETA", status: "no_docs" });
    engine.sell(alpha, { price: 5, quantity: 2 });
    engine.sell(gamma, { price: 6, quantity: 2 });
    engine.buy(beta, { price: 6, quantity: 2 });
    expect(engine.module("TRADE", "TRD-1")).toMatchObject({ sellEntityId: "GAMMA", price: 6 });
    expect(engine.order("ORD-1").status).toBe("working");
  });

  test("if credit is available for a part, the largest multiple of the lot trades and the rest works", () => {
    const engine = new EngineDriver();
    engine.execute(alpha, "credit.setLimit", { ...ALPHA_BETA, limitType: "notional", limit: 250 });
    engine.sell(alpha, { price: 10_000, quantity: 9 });
    const { order } = engine.buy(beta, { price: 10_000, quantity: 9 });
    expect(order).toMatchObject({ status: "partial", filledQuantity: 2, remainingQuantity: 7 });
    expect(engine.credit("ALPHA", "BETA").limits).toEqual([
      {
        limitType: "notional",
        scope: "total",
        contractId: null,
        limit: 250,
        marginPercent: 100,
        used: 200,
        available: 50,
      },
    ]);
    engine.execute(alpha, "credit.setLimit", { ...ALPHA_BETA, limitType: "notional", limit: 450 });
    expect(engine.order("ORD-2").filledQuantity).toBe(4);
  });

  test("a lot of half a megawatt uses credit that a whole megawatt could not", () => {
    const engine = new EngineDriver();
    engine.execute(alpha, "credit.setLimit", {
      ...ALPHA_BETA,
      limitType: "mwh",
      scope: "per_contract",
      contractId: "S-PK",
      limit: 25,
    });
    engine.sell(alpha, { contractId: "S-PK", price: 5, quantity: 9 });
    engine.buy(beta, { contractId: "S-PK", price: 5, quantity: 9 });
    expect(engine.module("TRADE", "TRD-1").quantity).toBe(1.5);
  });

  test("a limit below used credit stops new trades and undoes none", () => {
    const engine = new EngineDriver();
    engine.sell(alpha, { price: 5_000, quantity: 4 });
    engine.buy(beta, { price: 5_000, quantity: 4 });
    engine.execute(beta, "credit.setLimit", { ...BETA_ALPHA, limitType: "notional", limit: 150 });
    expect(engine.credit("BETA", "ALPHA").limits).toMatchObject([{ used: 200, available: -50 }]);
    engine.sell(alpha, { price: 5_000, quantity: 1 });
    engine.buy(beta, { price: 5_000, quantity: 1 });
    expect(engine.all("TRADE")).toHaveLength(1);
  });

  test("working orders reserve nothing", () => {
    const engine = new EngineDriver();
    engine.buy(beta, { price: 400_000, quantity: 1_000_000 });
    expect(engine.credit("BETA", "ALPHA")).toMatchObject({ usedNotional: 0, limits: [{ available: 10_000_000 }] });
  });

  test("setting what is already set changes nothing", () => {
    const engine = new EngineDriver();
    const limit = { ...ALPHA_BETA, limitType: "mw", limit: 7 } as const;
    expect(engine.execute(alpha, "credit.setLimit", limit).eventTypes).toEqual(["change.credit"]);
    const again = engine.execute(alpha, "credit.setLimit", limit);
    expect([again.outcome, again.paths, again.eventTypes, again.audited]).toEqual(["ok", [], [], []]);
    const documents = { entityId: "ALPHA", counterpartyId: "BETA", status: "docs_in_place" } as const;
    expect(engine.execute(alpha, "credit.setDocumentation", documents).eventTypes).toEqual([]);
    const noted = engine.execute(alpha, "credit.setDocumentation", { ...documents, notes: "signed" });
    expect([noted.eventTypes, noted.audited]).toEqual([["change.documentation"], ["documentationStatusSet"]]);
    expect(engine.credit("ALPHA", "BETA").notes).toBe("signed");
  });

  test("setting a limit gives the CREDIT state of the granting entity, an event and an audit event", () => {
    const engine = new EngineDriver();
    const set = engine.execute(alpha, "credit.setLimit", {
      ...ALPHA_BETA,
      limitType: "mw",
      scope: "per_contract",
      contractId: "N-H12",
      limit: 7,
    });
    expect(set.paths).toEqual(["/CREDIT/ALPHA:BETA"]);
    expect(set.audited).toEqual(["creditLimitSet"]);
    expect(set.execution.events[0]?.data).toMatchObject({
      contractId: "N-H12",
      limit: 7,
      marginPercent: 100,
      userId: alpha,
    });
    expect(set.result.credit).toMatchObject({
      limits: [{ limitType: "notional" }, { limitType: "mw", contractId: "N-H12" }],
    });
  });

  test("scope and contract must fit each other, and every id must exist", () => {
    const engine = new EngineDriver();
    const limit = { ...ALPHA_BETA, limitType: "mw", limit: 7 } as const;
    const outcomes = [
      engine.execute(alpha, "credit.setLimit", { ...limit, scope: "per_contract" }),
      engine.execute(alpha, "credit.setLimit", { ...limit, contractId: "N-H12" }),
      engine.execute(alpha, "credit.setLimit", { ...limit, scope: "per_contract", contractId: "NOWHERE" }),
      engine.execute(alpha, "credit.setLimit", { ...limit, counterpartyId: "NOBODY" }),
      engine.execute(alpha, "credit.setLimit", { ...limit, counterpartyId: "ALPHA" }),
      engine.execute(alpha, "credit.setLimit", { ...limit, marginPercent: 101 }),
    ].map(({ outcome }) => outcome);
    expect(outcomes).toEqual([
      "invalid_payload",
      "invalid_payload",
      "not_found",
      "not_found",
      "invalid_payload",
      "invalid_payload",
    ]);
  });
});

describe("the credit status of an entity", () => {
  test("is none without limits, ok with available credit, exhausted without", () => {
    const engine = new EngineDriver(strangersMarket());
    expect(engine.module("ENTITY", "ALPHA").creditStatus).toBe("none");
    grantCredit(engine);
    expect(engine.module("ENTITY", "ALPHA").creditStatus).toBe("ok");
    engine.sell(alpha, { price: 5, quantity: 100 });
    const trade = engine.buy(beta, { price: 5, quantity: 100 });
    expect(trade.paths.slice(0, 2)).toEqual(["/ENTITY/ALPHA", "/ENTITY/BETA"]);
    expect(engine.module("ENTITY", "BETA").creditStatus).toBe("exhausted");
    engine.execute(beta, "credit.setLimit", { ...LAST_LIMIT, limit: 101 });
    expect(engine.module("ENTITY", "BETA").creditStatus).toBe("ok");
    expect(engine.module("ENTITY", "ALPHA").creditStatus).toBe("exhausted");
  });
});

describe("a change of credit while matching pauses", () => {
  test("a halted market trades nothing; its resume first matches resting orders, then releases held ones", () => {
    const engine = new EngineDriver(strangersMarket());
    grantCredit(engine, "documents");
    crossed(engine);
    engine.execute(operator, "market.halt", {});
    expect(engine.execute(beta, "credit.setDocumentation", LAST_DOCUMENT).eventTypes).toEqual(["change.documentation"]);
    engine.sell(alpha, { price: 4, quantity: 3 });
    expect(engine.all("TRADE")).toEqual([]);
    const resumed = engine.execute(operator, "market.resume", {});
    expect(engine.all("TRADE").map(({ sellOrderId, price }) => [sellOrderId, price])).toEqual([["ORD-1", 5]]);
    expect(resumed.eventTypes.indexOf("new.trade")).toBeLessThan(resumed.eventTypes.indexOf("release.order"));
    expect(engine.order("ORD-3").status).toBe("working");
  });

  test("preopen trades nothing; the open matches all orders that may trade", () => {
    const engine = new EngineDriver({ ...scheduledMarket(), creditDefaults: undefined });
    engine.advanceTo("2026-01-14T15:00:00Z");
    grantCredit(engine, "documents");
    crossed(engine);
    engine.advanceTo("2026-01-15T13:30:00Z");
    engine.execute(beta, "credit.setDocumentation", LAST_DOCUMENT);
    expect(engine.all("TRADE")).toEqual([]);
    engine.advanceTo("2026-01-15T14:00:00Z");
    expect(engine.all("TRADE")).toHaveLength(1);
  });
});

test("the definition's limits begin with nothing used, and a pair that it does not list has no limits", () => {
  const engine = new EngineDriver({
    ...smallMarket(),
    creditDefaults: undefined,
    credit: [{
      entityId: "ALPHA",
      counterpartyId: "GAMMA",
      limits: [{ limitType: "mwh", scope: "per_contract", contractId: "S-PK", limit: 9, marginPercent: 100 }],
      documentation: "pending",
      notes: "in review",
    }],
  });
  expect(engine.credit("ALPHA", "GAMMA")).toMatchObject({
    limits: [{ limitType: "mwh", scope: "per_contract", contractId: "S-PK", limit: 9, used: 0, available: 9 }],
    documentation: "pending",
    counterpartyDocumentation: "no_docs",
    notes: "in review",
  });
  expect(engine.credit("GAMMA", "ALPHA")).toMatchObject({
    limits: [],
    documentation: "no_docs",
    counterpartyDocumentation: "pending",
  });
});
