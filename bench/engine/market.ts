// The market of the engine's bench: one contract, any number of entities with a user each, and credit that matters. Every
// two entities have granted each other two limits, one on the notional of all trades and one on MW of the contract. One
// pair in twenty has no documents, and one in twenty has limits that its first trades use up.

import type { AvailableCredit } from "../../engine/market/matching.ts";
import { type MarketDefinition, marketDefinition } from "../../engine/definition/market-definition.ts";
import { ExactLedger } from "../../tests/engine/market/support/exact-ledger.ts";

export const START = Date.parse("2026-01-14T13:00:00Z");
export const CONTRACT_ID = "HOUR-12";
const entityOf = (party: number) => `ENTITY-${party}`;
export const userOf = (party: number) => `user-${party}`;

const CONTRACT = { key: 0, minutes: 60 };
const AMPLE = 1e9;
/** Dollars: less than most trades of two whole orders. */
const SMALL = 2_000;
const ONE_IN = 20;

type Relation = "no documents" | "small limit" | "trade";

function relationOf(one: number, other: number): Relation {
  const [low, high] = one < other ? [one, other] : [other, one];
  const pair = low * 7 + high * 3;
  return pair % ONE_IN === 0 ? "no documents" : pair % ONE_IN === 1 ? "small limit" : "trade";
}

/** Dollars of notional that each of the two entities grants the other. */
const notionalOf = (relation: Relation) => relation === "small limit" ? SMALL : AMPLE;
const documentsOf = (relation: Relation) => relation === "no documents" ? "no_docs" as const : "docs_in_place" as const;

function* pairsOf(entities: number): Generator<readonly [number, number], void, undefined> {
  for (let party = 0; party < entities; party++) {
    for (let other = 0; other < entities; other++) if (party !== other) yield [party, other];
  }
}

export function definitionOf(entities: number): MarketDefinition {
  const parties = Array.from({ length: entities }, (_, party) => party);
  return marketDefinition.parse({
    markets: [{ id: "M", code: "M", name: "M", timezone: "UTC", nodes: ["NORTH"], schedule: null }],
    products: [{ id: "HOUR", marketId: "M", code: "HOUR", name: "Hour", type: "hour", node: "NORTH" }],
    contracts: [{
      id: CONTRACT_ID,
      productId: "HOUR",
      code: CONTRACT_ID,
      name: "Hour 12",
      deliveryStart: "2026-01-20T12:00:00Z",
      deliveryEnd: "2026-01-20T13:00:00Z",
      hours: 1,
    }],
    entities: parties.map((party) => ({ id: entityOf(party), code: entityOf(party), name: entityOf(party) })),
    users: parties.map((party) => ({
      id: userOf(party),
      name: userOf(party),
      entityId: entityOf(party),
      permissions: ["Market.View", "Order.Submit"],
    })),
    credit: [...pairsOf(entities)].map(([party, other]) => ({
      entityId: entityOf(party),
      counterpartyId: entityOf(other),
      limits: [
        { limitType: "notional", scope: "total", limit: notionalOf(relationOf(party, other)), marginPercent: 100 },
        { limitType: "mw", scope: "per_contract", contractId: CONTRACT_ID, limit: AMPLE, marginPercent: 100 },
      ],
      documentation: documentsOf(relationOf(party, other)),
    })),
  });
}

/** The same credit in the plain ledger, which checks the engine's. */
export interface PlainCredit {
  readonly availableCredit: AvailableCredit;
  readonly addTrade: (one: number, other: number, price: number, quantity: number) => void;
}

export function plainCredit(entities: number): PlainCredit {
  const ledger = new ExactLedger(entities);
  for (const [party, other] of pairsOf(entities)) {
    const relation = relationOf(party, other);
    const limit = notionalOf(relation);
    ledger.setDocumentation(party, other, documentsOf(relation));
    ledger.setLimit(party, other, { limitType: "notional", contract: null, limit, marginPercent: 100 });
    ledger.setLimit(party, other, { limitType: "mw", contract: CONTRACT.key, limit: AMPLE, marginPercent: 100 });
  }
  return {
    availableCredit: (resting, aggressor, price) => ledger.availableCredit(resting, aggressor, CONTRACT, price),
    addTrade: (one, other, price, quantity) => ledger.addTrade(one, other, CONTRACT, price, quantity),
  };
}
