// Why an order does not trade: each reason, its figures, and what each kind of user is told. random-run.test.ts compares the
// reasons with every pair of crossed orders of a random market.

import { describe, expect, test } from "bun:test";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { marketWithoutCredit, scheduledMarket, smallMarket, USERS } from "../support/market.ts";

const { alpha, beta, gamma, alphaSecond, operator, viewer, stranger, blind, publisher } = USERS;

/** BETA's ask of 3 MW at 400, and ALPHA's bid of 2 MW at 500, which can't trade with it. Returns the bid's id. */
function crossed(engine: EngineDriver): string {
  engine.sell(beta, { price: 400, quantity: 3 });
  const bid = engine.buy(alpha, { price: 500, quantity: 2 });
  expect(bid.order.filledQuantity).toBe(0);
  return bid.orderId;
}

const FOUND = { counterpartyId: "BETA", quantity: 3, contractId: "N-H12", price: 400 };

function withUser(permissions: MarketDefinition["users"][number]["permissions"], entityId: string | null) {
  const definition = smallMarket();
  return { ...definition, users: [...definition.users, { id: "other", name: "Other", entityId, permissions }] };
}

describe("an order that crosses", () => {
  test("names missing documents of either side, with their status", () => {
    const engine = new EngineDriver();
    engine.setDocuments(beta, "BETA:ALPHA", "pending");
    const bid = crossed(engine);
    const ofBeta = { ...FOUND, reason: "counterparty_documents", documentation: "pending" };
    expect(engine.explain(bid, alpha)).toEqual([expect.objectContaining(ofBeta)]);
    engine.setDocuments(alpha, "ALPHA:BETA", "no_docs");
    expect(engine.explain(bid, alpha)).toEqual([
      expect.objectContaining({ ...FOUND, reason: "entity_documents", documentation: "no_docs" }),
      expect.objectContaining(ofBeta),
    ]);
  });

  test("seen from the other side, entity and counterparty change places", () => {
    const engine = new EngineDriver();
    engine.setDocuments(beta, "BETA:ALPHA", "pending");
    crossed(engine);
    expect(engine.explain("ORD-1", beta)).toMatchObject([
      { counterpartyId: "ALPHA", reason: "entity_documents", quantity: 2, price: 500 },
    ]);
  });

  test("names each limit that leaves less than one lot, with what is left and what a lot needs", () => {
    const engine = new EngineDriver();
    engine.setLimit(alpha, "ALPHA:BETA", { limitType: "notional", limit: 3.5, marginPercent: 100 });
    engine.setLimit(alpha, "ALPHA:BETA", { limitType: "mwh", limit: 0.5, contractId: "N-H12" });
    engine.setLimit(alpha, "ALPHA:BETA", { limitType: "mw", limit: 1 });
    const total = { limitType: "notional", scope: "total", limit: 3.5, used: 0, available: 3.5, needed: 4 } as const;
    const perContract = {
      limitType: "mwh",
      scope: "per_contract",
      limit: 0.5,
      used: 0,
      available: 0.5,
      needed: 1,
    } as const;
    expect(engine.explain(crossed(engine), alpha)).toEqual([
      { ...FOUND, reason: "entity_limit", ...total, unit: "dollars" },
      { ...FOUND, reason: "entity_limit", ...perContract, unit: "MWh" },
    ]);
  });

  test("names a total limit and one for the contract, although both are of one kind", () => {
    const engine = new EngineDriver();
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 0.5 });
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 0.25, contractId: "N-H12" });
    const found = engine.explain(crossed(engine), alpha).map(({ scope, limit, quantity }) => [scope, limit, quantity]);
    expect(found).toEqual([["total", 0.5, 3], ["per_contract", 0.25, 3]]);
  });

  test("takes the margin into account, and the price of the older order", () => {
    const engine = new EngineDriver();
    engine.setLimit(alpha, "ALPHA:BETA", { limitType: "notional", limit: 2, marginPercent: 50 });
    expect(engine.buy(alpha, { price: 500, quantity: 1 }).outcome).toBe("ok");
    engine.sell(beta, { price: 400, quantity: 1 });
    expect(engine.all("TRADE")).toEqual([]);
    expect(engine.explain("ORD-1", alpha)).toMatchObject([{ reason: "entity_limit", price: 400, needed: 2.5 }]);
    expect(engine.explain("ORD-2", operator)).toMatchObject([{
      reason: "counterparty_limit",
      price: 500,
      needed: 2.5,
    }]);
  });

  test("says if a side has no limit for the contract", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    engine.setDocuments(alpha, "ALPHA:BETA", "docs_in_place");
    engine.setDocuments(beta, "BETA:ALPHA", "docs_in_place");
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 10, contractId: "S-PK" });
    const bid = crossed(engine);
    expect(engine.explain(bid, operator).map(({ reason }) => reason)).toEqual([
      "entity_no_limit",
      "counterparty_no_limit",
    ]);
  });

  test("adds up the orders of a counterparty, and names its own entity's orders as self_trade", () => {
    const engine = new EngineDriver();
    engine.setDocuments(beta, "BETA:ALPHA", "pending");
    engine.sell(alphaSecond, { price: 300, quantity: 5 });
    engine.sell(blind, { price: 450, quantity: 4 });
    const bid = crossed(engine);
    engine.sell(beta, { price: 501, quantity: 9 });
    expect(engine.explain(bid, alpha)).toMatchObject([
      { counterpartyId: "ALPHA", reason: "self_trade", quantity: 5, price: 300 },
      { counterpartyId: "BETA", reason: "counterparty_documents", quantity: 7, price: 400 },
    ]);
  });

  test("names the market's status beside what would still prevent a trade afterwards", () => {
    const engine = new EngineDriver();
    engine.setDocuments(beta, "BETA:ALPHA", "no_docs");
    engine.sell(beta, { price: 400, quantity: 3 });
    engine.sell(gamma, { price: 450, quantity: 1 });
    engine.execute(operator, "market.halt", {});
    const { order } = engine.buy(alpha, { price: 500, quantity: 2 });
    expect(order.status).toBe("held");
    expect(engine.explain(order.id, alpha)).toMatchObject([
      { counterpartyId: null, reason: "market_halted", quantity: 4, price: 400 },
      { counterpartyId: "BETA", reason: "counterparty_documents", quantity: 3 },
    ]);
  });

  test("names preopen and closed", () => {
    const engine = new EngineDriver(scheduledMarket());
    engine.setDocuments(beta, "BETA:ALPHA", "no_docs");
    engine.advanceTo("2026-01-14T14:00:00.000Z");
    const bid = crossed(engine);
    engine.advanceTo("2026-01-14T22:00:00.000Z");
    expect(engine.explain(bid, alpha).map(({ reason }) => reason)).toEqual(["market_closed", "counterparty_documents"]);
    engine.advanceTo("2026-01-15T13:30:00.000Z");
    expect(engine.explain(bid, alpha)[0]).toMatchObject({ reason: "market_preopen" });
  });
});

describe("the answer is bounded", () => {
  function manyEntities(count: number): MarketDefinition {
    const definition = smallMarket();
    const ids = Array.from({ length: count }, (_, number) => `E${number}`);
    return {
      ...definition,
      entities: [...definition.entities, ...ids.map((id) => ({ id, code: id, name: id }))],
      users: [
        ...definition.users,
        ...ids.map((id) => ({ id: `user-${id}`, name: id, entityId: id, permissions: ["Order.Submit" as const] })),
      ],
      creditDefaults: undefined,
    };
  }

  test("it names 20 counterparties, and counts the others", () => {
    const engine = new EngineDriver(manyEntities(23));
    for (let number = 0; number < 23; number++) engine.sell(`user-E${number}`, { price: 400 + number, quantity: 1 });
    const bid = engine.buy(alpha, { price: 500, quantity: 1 });
    const blocks = engine.engine.explainOrder(bid.orderId, engine.engine.user(operator)!);
    expect(new Set(blocks?.blockedBy.map(({ counterpartyId }) => counterpartyId)).size).toBe(20);
    expect(blocks).toMatchObject({ moreCounterparties: 3, complete: true });
    expect(engine.engine.explainOrder(bid.orderId, engine.engine.user(blind)!)).toBeNull();
  });

  test("it covers 1,000 crossed orders, and says whether there are more", () => {
    const engine = new EngineDriver(marketWithoutCredit());
    const submit = (userId: string, side: 0 | 1, operationId: string) =>
      engine.engine.execute({
        userId,
        operationId,
        action: "order.submit",
        payload: { contractId: "N-H12", side, price: 400, quantity: 1 },
      }, engine.now);
    for (let number = 0; number < 1000; number++) submit(beta, 1, `ask-${number}`);
    submit(alpha, 0, "bid");
    const asked = () => engine.engine.explainOrder("ORD-1001", engine.engine.user(alpha)!);
    expect(asked()).toMatchObject({
      complete: true,
      blockedBy: [{ quantity: 1000 }, { quantity: 1000 }, { quantity: 1000 }],
    });
    submit(beta, 1, "last");
    expect(asked()).toMatchObject({ complete: false });
  });
});

describe("who is told what", () => {
  test("an order that a user may not see does not exist for that user", () => {
    const engine = new EngineDriver();
    const bid = crossedByLimit(engine);
    const answers = [blind, publisher].map((id) => engine.engine.explainOrder(bid, engine.engine.user(id)!));
    expect(answers).toEqual([null, null]);
    expect(engine.engine.explainOrder("ORD-99", engine.engine.user(operator)!)).toBeNull();
  });

  /** BETA's limit for ALPHA is used up. */
  function crossedByLimit(engine: EngineDriver): string {
    engine.setLimit(beta, "BETA:ALPHA", { limit: 0.25 });
    return crossed(engine);
  }

  const figures = {
    limitType: "mw",
    scope: "total",
    limit: 0.25,
    used: 0,
    available: 0.25,
    needed: 1,
    unit: "MW",
  } as const;

  test("the figures of a limit are shown to the entity that grants it, and to all with Scope.Global, with Credit.View", () => {
    const engine = new EngineDriver(withUser(["Market.View", "Scope.Global"], null));
    const bid = crossedByLimit(engine);
    const named = { ...FOUND, reason: "counterparty_limit" };
    expect(engine.explain(bid, alpha)).toEqual([named]);
    expect(engine.explain(bid, alphaSecond)).toEqual([named]);
    expect(engine.explain(bid, "other")).toEqual([named]);
    expect(engine.explain(bid, operator)).toEqual([{ ...named, ...figures }]);
    const ofAlpha = { counterpartyId: "ALPHA", quantity: 2, contractId: "N-H12", price: 500 };
    expect(engine.explain("ORD-1", beta)).toEqual([{ ...ofAlpha, reason: "entity_limit", ...figures }]);
  });

  test("a user of another entity learns only that documents or credit prevent the trade", () => {
    const engine = new EngineDriver();
    const bid = crossedByLimit(engine);
    for (const user of [gamma, viewer, stranger]) {
      expect(engine.explain(bid, user)).toEqual([{ ...FOUND, reason: "documents_or_credit" }]);
    }
  });

  test("without Market.View neither the owners of other orders are told, nor the reasons, which would reveal them", () => {
    const engine = new EngineDriver();
    engine.setDocuments(beta, "BETA:GAMMA", "no_docs");
    engine.setLimit(beta, "BETA:ALPHA", { limit: 0 });
    engine.sell(gamma, { price: 400, quantity: 1 });
    engine.sell(alpha, { price: 410, quantity: 2 });
    engine.sell(beta, { price: 420, quantity: 4 });
    const bid = engine.buy(blind, { price: 500, quantity: 9 });
    expect(engine.explain(bid.orderId, blind)).toEqual([
      { counterpartyId: null, reason: "documents_or_credit", quantity: 3, contractId: "N-H12", price: 400 },
      { counterpartyId: "BETA", reason: "self_trade", quantity: 4, contractId: "N-H12", price: 420 },
    ]);
  });

  test("an unseen limit is not named beside a visible reason: missing documents can't be used to search for it", () => {
    const engine = new EngineDriver();
    engine.setDocuments(alpha, "ALPHA:BETA", "no_docs");
    const bid = crossedByLimit(engine);
    expect(engine.explain(bid, alpha).map(({ reason }) => reason)).toEqual(["entity_documents"]);
    engine.setDocuments(alpha, "ALPHA:BETA", "docs_in_place");
    expect(engine.explain(bid, alpha).map(({ reason }) => reason)).toEqual(["counterparty_limit"]);
  });

  test("a counterparty's limit is not named beside one of the user's entity, also without Credit.View", () => {
    const engine = new EngineDriver(withUser(["Market.View", "Order.Submit"], "ALPHA"));
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 0 });
    const bid = crossedByLimit(engine);
    const reasons = () => engine.explain(bid, "other").map(({ reason }) => reason);
    expect(reasons()).toEqual(["entity_limit"]);
    engine.setLimit(beta, "BETA:ALPHA", { limit: 1000 });
    expect(reasons()).toEqual(["entity_limit"]);
    engine.setLimit(beta, "BETA:ALPHA", { limit: 0 });
    engine.setLimit(alpha, "ALPHA:BETA", { limit: 1000 });
    expect(reasons()).toEqual(["counterparty_limit"]);
  });

  test("without Market.View only the levels that a book shows count, and nothing tells whether there are more", () => {
    const answerTo = (userId: string, levels: number) => {
      const engine = new EngineDriver();
      for (let level = 0; level < levels; level++) engine.sell(alpha, { price: 400 + level, quantity: 1 });
      engine.execute(operator, "market.halt", {});
      const { orderId } = engine.buy(blind, { price: 500, quantity: 1 });
      return { ...engine.engine.explainOrder(orderId, engine.engine.user(userId)!), orderId: "BID" };
    };
    expect(answerTo(blind, 9)).toMatchObject({ complete: true, blockedBy: [{ quantity: 9 }] });
    expect(answerTo(blind, 10)).toMatchObject({ complete: false, blockedBy: [{ quantity: 10 }] });
    expect(answerTo(blind, 12)).toEqual(answerTo(blind, 10));
    expect(answerTo(viewer, 12)).toMatchObject({ complete: true, blockedBy: [{ quantity: 12 }] });
  });

  test("while the market does not match, what a user may not see is not named at all", () => {
    const engine = new EngineDriver();
    engine.setLimit(beta, "BETA:ALPHA", { limit: 0 });
    engine.sell(beta, { price: 400, quantity: 3 });
    engine.execute(operator, "market.halt", {});
    const bid = engine.buy(alpha, { price: 500, quantity: 2 }).orderId;
    const reasonsFor = (user: string) => engine.explain(bid, user).map(({ reason }) => reason);
    expect(reasonsFor(alpha)).toEqual(["market_halted"]);
    expect(reasonsFor(gamma)).toEqual(["market_halted"]);
    expect(reasonsFor(operator)).toEqual(["market_halted", "counterparty_limit"]);
    engine.execute(operator, "market.resume", {});
    expect(reasonsFor(alpha)).toEqual(["counterparty_limit"]);
  });
});
