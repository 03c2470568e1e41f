import { describe, expect, test } from "bun:test";
import { type Checked, EngineDriver } from "../support/engine-driver.ts";
import { marketWithoutCredit, scheduledMarket, smallMarket, USERS, withMonth } from "../support/market.ts";

const { alpha, beta, operator } = USERS;

/** Gives ALPHA and BETA documents and a limit for each other, but BETA does not give `missing`. */
function grantCredit(engine: EngineDriver, missing?: "documents" | "limit"): void {
  for (const [user, pair] of [[alpha, "ALPHA:BETA"], [beta, "BETA:ALPHA"]] as const) {
    if (user === alpha || missing !== "documents") engine.setDocuments(user, pair, "docs_in_place");
    if (user === alpha || missing !== "limit") engine.setLimit(user, pair, { limit: 100 });
  }
}

/** Submits ALPHA's ask at 5 and BETA's bid at 6, which may not trade. */
function crossed(engine: EngineDriver, quantity = 3): void {
  engine.sell(alpha, { price: 5, quantity });
  engine.buy(beta, { price: 6, quantity });
  expect(engine.all("TRADE")).toEqual([]);
}

const setLastDocument = (engine: EngineDriver) => engine.setDocuments(beta, "BETA:ALPHA", "docs_in_place");

describe("documents and limits", () => {
  test("the last document lets crossed orders trade at once, the older as the resting order", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    grantCredit(engine, "documents");
    crossed(engine);
    const changed = setLastDocument(engine);
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

  test("a document lets orders of the pair trade in every contract", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    grantCredit(engine, "documents");
    for (const contractId of ["N-H12", "S-PK"]) {
      engine.sell(alpha, { contractId, price: 5, quantity: 1 });
      engine.buy(beta, { contractId, price: 5, quantity: 1 });
    }
    const changed = setLastDocument(engine);
    expect(changed.eventTypes.filter((type) => type === "change.book")).toHaveLength(2);
    expect(engine.all("TRADE").map(({ contractId }) => contractId)).toEqual(["N-H12", "S-PK"]);
  });

  test("if credit is available for a part, the largest multiple of the lot trades and the rest works", () => {
    const engine = new EngineDriver();
    engine.setLimit(alpha, "ALPHA:BETA", { limitType: "notional", limit: 250 });
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
    engine.setLimit(alpha, "ALPHA:BETA", { limitType: "notional", limit: 450 });
    expect(engine.order("ORD-2").filledQuantity).toBe(4);
  });

  test("a limit below used credit stops new trades and undoes none", () => {
    const engine = new EngineDriver();
    engine.sell(alpha, { price: 5_000, quantity: 4 });
    engine.buy(beta, { price: 5_000, quantity: 4 });
    engine.setLimit(beta, "BETA:ALPHA", { limitType: "notional", limit: 150 });
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

  test("tradable says in both directions whether two may trade, and is sent once for each change", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    const tradable = () => [engine.credit("ALPHA", "BETA").tradable, engine.credit("BETA", "ALPHA").tradable];
    const both = ["/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA"];
    const creditPaths = ({ paths }: Checked) => paths.filter((path) => path.startsWith("/CREDIT/")).toSorted();
    grantCredit(engine, "limit");
    expect(tradable()).toEqual([false, false]);
    engine.now += 1000;
    expect(creditPaths(engine.setLimit(beta, "BETA:ALPHA", { limit: 2, contractId: "S-PK" }))).toEqual(both);
    expect(tradable()).toEqual([true, true]);
    expect(engine.credit("ALPHA", "BETA").updatedAt).toBe(new Date(engine.now).toISOString());
    expect(creditPaths(engine.setLimit(beta, "BETA:ALPHA", { limit: 3, contractId: "S-PK" }))).toEqual(both.slice(1));
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 1, contractId: "S-PK" });
    engine.sell(beta, { contractId: "S-PK", price: 5, quantity: 1 });
    const traded = engine.buy(alpha, { contractId: "S-PK", price: 5, quantity: 1 });
    expect(traded.eventTypes).toContain("new.trade");
    expect([creditPaths(traded), tradable()]).toEqual([both, [false, false]]);
    engine.setLimit(beta, "BETA:ALPHA", { limit: 5 });
    expect(tradable()).toEqual([true, true]);
    expect(creditPaths(engine.setLimit(alpha, "ALPHA:BETA", { limit: 0 }))).toEqual(both);
    expect(tradable()).toEqual([false, false]);
    expect(engine.credit("ALPHA", "GAMMA").tradable).toBe(false);
  });

  test("limits of each contract that leave less than a lot leave nobody to trade with", () => {
    const engine = new EngineDriver();
    const shown = () => [engine.credit("ALPHA", "BETA").tradable, engine.module("ENTITY", "ALPHA").creditStatus];
    engine.setLimit(alpha, "ALPHA:BETA", { contractId: "N-H12", limit: 0 });
    engine.setLimit(alpha, "ALPHA:BETA", { contractId: "S-PK", limit: 0.5 });
    expect(shown()).toEqual([true, "ok"]);
    engine.sell(beta, { contractId: "S-PK", price: 5, quantity: 0.5 });
    const last = engine.buy(alpha, { contractId: "S-PK", price: 5, quantity: 0.5 });
    expect(shown()).toEqual([false, "ok"]);
    expect(last.paths.toSorted()).toEqual(["/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA"]);
    for (const contractId of ["N-H12", "S-PK"]) engine.setLimit(alpha, "ALPHA:GAMMA", { contractId, limit: 0 });
    expect(shown()).toEqual([false, "exhausted"]);
    engine.setLimit(alpha, "ALPHA:BETA", { contractId: "S-PK", limit: 0.999 });
    expect(shown()).toEqual([false, "exhausted"]);
    engine.setLimit(alpha, "ALPHA:BETA", { contractId: "S-PK", limit: 1 });
    expect(shown()).toEqual([true, "ok"]);
  });

  test("only contracts whose delivery has not begun count, and a new one counts at once", () => {
    const definition = withMonth();
    const contracts = definition.contracts.filter(({ productId }) => productId === "S-PEAK");
    const engine = new EngineDriver({ ...definition, contracts });
    const month = "N-HOUR-2026-02";
    engine.setLimit(alpha, "ALPHA:BETA", { contractId: month, limit: 0 });
    engine.advanceTo("2026-01-21T11:59:59.999Z");
    const shown = () => [engine.credit("BETA", "ALPHA").tradable, engine.module("ENTITY", "ALPHA").creditStatus];
    expect(shown()).toEqual([true, "ok"]);
    const begun = engine.advanceTo("2026-01-21T12:00:00Z");
    expect(begun.paths.filter((path) => path.startsWith("/CREDIT/")).toSorted())
      .toEqual(["/CREDIT/ALPHA:BETA", "/CREDIT/BETA:ALPHA"]);
    expect(engine.credit("BETA", "ALPHA").updatedAt).toBe("2026-01-21T12:00:00.000Z");
    expect(shown()).toEqual([false, "ok"]);
    engine.setLimit(alpha, "ALPHA:GAMMA", { limit: 0 });
    expect(shown()).toEqual([false, "exhausted"]);
    const listed = engine.advanceTo("2026-02-01T05:00:00Z");
    expect(listed.eventTypes).toContain("new.contract");
    expect(shown()).toEqual([true, "ok"]);
  });

  test("setting what is already set changes nothing", () => {
    const engine = new EngineDriver();
    const setLimit = () => engine.setLimit(alpha, "ALPHA:BETA", { limit: 7 });
    expect(setLimit().eventTypes).toEqual(["change.credit"]);
    const again = setLimit();
    expect([again.outcome, again.paths, again.eventTypes, again.audited]).toEqual(["ok", [], [], []]);
    expect(engine.setDocuments(alpha, "ALPHA:BETA", "docs_in_place").eventTypes).toEqual([]);
  });

  test.each([
    ["limit", { limit: 8 }, 1],
    ["margin", { marginPercent: 51 }, 1],
    ["type", { limitType: "mwh" as const }, 2],
    ["contract", { contractId: "S-PK" }, 2],
  ])("setting a limit of which only the %s differs changes it", (_, other, count) => {
    const engine = new EngineDriver(marketWithoutCredit());
    const terms = { contractId: "N-H12", limit: 7, marginPercent: 50 };
    engine.setLimit(alpha, "ALPHA:BETA", terms);
    const changed = engine.setLimit(alpha, "ALPHA:BETA", { ...terms, ...other });
    expect(changed.dataOf("change.credit")).toEqual([expect.objectContaining({ ...terms, ...other, userId: alpha })]);
    expect(changed.audited).toEqual(["creditLimitSet"]);
    const { limits } = engine.credit("ALPHA", "BETA");
    expect(limits).toHaveLength(count);
    expect(limits).toContainEqual(expect.objectContaining({ ...terms, ...other }));
  });

  test.each(
    [
      ["status", "no_docs", "signed", 2],
      ["notes", "pending", "lost", 1],
      ["lack of notes", "pending", undefined, 1],
    ] as const,
  )("setting documents of which only the %s differs changes them", (_, status, notes, told) => {
    const engine = new EngineDriver(marketWithoutCredit());
    engine.setDocuments(alpha, "ALPHA:BETA", "pending", "signed");
    const changed = engine.setDocuments(alpha, "ALPHA:BETA", status, notes);
    const data = { status, notes: notes ?? null, userId: alpha };
    expect(changed.dataOf("change.documentation")).toEqual([expect.objectContaining(data)]);
    expect(changed.paths.filter((path) => path.startsWith("/CREDIT/"))).toHaveLength(told);
    expect(changed.audited).toEqual(["documentationStatusSet"]);
    expect(engine.credit("ALPHA", "BETA")).toMatchObject({ documentation: status, notes: notes ?? null });
  });

  test("a limit with a contract too many or too few, a wrong margin, or of an entity for itself is refused", () => {
    const engine = new EngineDriver();
    const outcome = (pair: string, terms: object) => engine.setLimit(alpha, pair, { limit: 1, ...terms }).outcome;
    for (const wrong of [{ contractId: "S-PK", scope: "total" }, { scope: "per_contract" }, { marginPercent: 101 }]) {
      expect(outcome("ALPHA:BETA", wrong)).toBe("invalid_payload");
    }
    expect(outcome("ALPHA:BETA", { contractId: "NOWHERE" })).toBe("not_found");
    expect(outcome("ALPHA:ALPHA", {})).toBe("invalid_payload");
    expect(outcome("ALPHA:BETA", { contractId: "S-PK", marginPercent: 100 })).toBe("ok");
  });

  test("setting a limit gives the CREDIT state of the granting entity, an event and an audit event", () => {
    const engine = new EngineDriver();
    const set = engine.setLimit(alpha, "ALPHA:BETA", { contractId: "N-H12", limit: 7 });
    expect(set.paths).toEqual(["/CREDIT/ALPHA:BETA"]);
    expect(set.audited).toEqual(["creditLimitSet"]);
    expect(set.events[0]?.data).toMatchObject({
      contractId: "N-H12",
      limit: 7,
      marginPercent: 100,
      userId: alpha,
    });
    expect(set.result.credit).toMatchObject({
      limits: [{ limitType: "notional" }, { limitType: "mw", contractId: "N-H12" }],
    });
  });
});

describe("the credit status of an entity", () => {
  test("is none without limits, ok with available credit, exhausted without", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    expect(engine.module("ENTITY", "ALPHA").creditStatus).toBe("none");
    grantCredit(engine);
    expect(engine.module("ENTITY", "ALPHA").creditStatus).toBe("ok");
    engine.sell(alpha, { price: 5, quantity: 100 });
    const trade = engine.buy(beta, { price: 5, quantity: 100 });
    expect(trade.paths.slice(0, 2)).toEqual(["/ENTITY/ALPHA", "/ENTITY/BETA"]);
    expect(engine.module("ENTITY", "BETA").creditStatus).toBe("exhausted");
    engine.setLimit(beta, "BETA:ALPHA", { limit: 101 });
    expect(engine.module("ENTITY", "BETA").creditStatus).toBe("ok");
    expect(engine.module("ENTITY", "ALPHA").creditStatus).toBe("exhausted");
  });
});

describe("a change of credit while matching pauses", () => {
  test("a halted market trades nothing; its resume first matches resting orders, then releases held ones", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    grantCredit(engine, "documents");
    crossed(engine);
    engine.execute(operator, "market.halt", {});
    expect(setLastDocument(engine).eventTypes).toEqual(["change.documentation"]);
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
    setLastDocument(engine);
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
