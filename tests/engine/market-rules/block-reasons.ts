// Why an order does not trade: each row's reasons, in a market that gives them.

import { expect } from "bun:test";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { Row } from "../../support/document-tables.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { marketWithoutCredit, smallMarket, USERS } from "../support/market.ts";
import { CLOSE, marketAt, NEXT_PREOPEN, OPEN } from "../support/sessions.ts";

const { alpha, alphaSecond, beta, blind, operator } = USERS;
const BID = { price: 500, quantity: 2 };
const ASK = { price: 400, quantity: 3 };

/** What `userId` is told about ALPHA's bid, which BETA's ask can't trade with. */
function told(userId: string, prepare: (engine: EngineDriver) => void, engine = new EngineDriver()): string[] {
  prepare(engine);
  engine.sell(beta, ASK);
  const { orderId } = engine.buy(alpha, BID);
  return engine.explain(orderId, userId).map(({ reason }) => reason);
}

/** Of both sides' limits, as a user sees them who may see all. */
const ofLimits = (limit: number) => (row: Row) => {
  const reasons = told(operator, (engine) => {
    engine.setLimit(alpha, "ALPHA:BETA", { limit });
    engine.setLimit(beta, "BETA:ALPHA", { limit });
  });
  expect(reasons).toEqual(row.codes(0));
};

export const BLOCK_REASONS = {
  "market_halted, _preopen, _closed": (row: Row) => {
    const [halted, preopen, closed] = [resting(), resting(), resting()];
    halted.execute(operator, "market.halt", {});
    preopen.advanceTo(CLOSE);
    preopen.advanceTo(NEXT_PREOPEN);
    closed.execute(operator, "market.halt", {});
    const reasons = [halted, preopen].map((engine) => reasonsOf(engine, engine.buy(alpha, BID).orderId));
    const { orderId } = closed.buy(alpha, BID);
    closed.advanceTo(CLOSE);
    closed.execute(operator, "market.resume", {});
    expect([...reasons, reasonsOf(closed, orderId)]).toEqual(
      row.codes(0).map((name) => [`market_${name.split("_")[1]}`]),
    );
  },
  "self_trade": (row: Row) => {
    const engine = new EngineDriver();
    engine.sell(alphaSecond, ASK);
    const { orderId } = engine.buy(alpha, BID);
    expect(engine.explain(orderId, alpha).map(({ reason }) => reason)).toEqual(row.codes(0));
  },
  "entity_documents": (row: Row) => {
    expect(told(alpha, (engine) => engine.setDocuments(alpha, "ALPHA:BETA", "pending"))).toEqual(row.codes(0));
  },
  "counterparty_documents": (row: Row) => {
    expect(told(alpha, (engine) => engine.setDocuments(beta, "BETA:ALPHA", "pending"))).toEqual(row.codes(0));
  },
  "entity_no_limit, counterparty_no_limit": (row: Row) => {
    const reasons = told(operator, (engine) => {
      engine.setDocuments(alpha, "ALPHA:BETA", "docs_in_place");
      engine.setDocuments(beta, "BETA:ALPHA", "docs_in_place");
    }, new EngineDriver(marketWithoutCredit()));
    expect(reasons).toEqual(row.codes(0));
  },
  "entity_limit, counterparty_limit": (row: Row) => {
    ofLimits(0.5)(row);
    // One entry for each limit of the pair, by type and scope.
    const both = told(alpha, (engine) => {
      engine.setLimit(alpha, "ALPHA:BETA", { limit: 0 });
      engine.setLimit(alpha, "ALPHA:BETA", { limit: 0, contractId: "N-H12" });
    });
    expect(both).toEqual(["entity_limit", "entity_limit"]);
  },
  "documents_or_credit": (row: Row) => {
    // Without Market.View, whatever else the user may see.
    const engine = new EngineDriver(withBlindCreditViewer());
    engine.setDocuments(alpha, "ALPHA:BETA", "pending");
    engine.sell(beta, ASK);
    engine.buy(alpha, BID);
    for (const user of [blind, "sees-credit"]) {
      expect(engine.explain("ORD-1", user)).toMatchObject([{ reason: row.codes(0)[0], counterpartyId: null }]);
    }
    expect(engine.explain("ORD-1", beta)).toMatchObject([{
      reason: "counterparty_documents",
      counterpartyId: "ALPHA",
    }]);
  },
};

/** An open market with BETA's ask. */
function resting(): EngineDriver {
  const engine = marketAt(OPEN);
  engine.sell(beta, ASK);
  return engine;
}

function reasonsOf(engine: EngineDriver, orderId: string): string[] {
  return engine.explain(orderId, alpha).map(({ reason }) => reason);
}

/** With a user of BETA who sees credit, also that of everyone, but not the market. */
function withBlindCreditViewer(): MarketDefinition {
  const market = smallMarket();
  const user = { id: "sees-credit", name: "Sees credit", entityId: "BETA" };
  return { ...market, users: [...market.users, { ...user, permissions: ["Credit.View", "Scope.Global"] }] };
}
