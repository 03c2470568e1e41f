// Definitions of small markets for tests. A test changes them with a spread.

import { type MarketDefinition, marketDefinition } from "../../../engine/definition/market-definition.ts";

/** Wednesday, 08:00 in New York. */
export const START = Date.parse("2026-01-14T13:00:00Z");
export const SECRET = "a secret for tests";
/** Microseconds, as an engine derives it from the clock. */
export const EPOCH = START * 1000;

/** The users of `smallMarket`, their entities and permissions. */
export const USERS = {
  /** ALPHA, BETA, GAMMA: trade, manage their own credit, see the market. */
  alpha: "user-alpha",
  beta: "user-beta",
  gamma: "user-gamma",
  /** ALPHA's second trader. */
  alphaSecond: "user-alpha-2",
  /** No entity: operates the market, and sees and manages every entity's credit. */
  operator: "user-operator",
  /** No entity: may only view. */
  viewer: "user-viewer",
  /** No entity: may submit orders, but has no entity to trade for. */
  stranger: "user-stranger",
  /** BETA: trades without Market.View. */
  blind: "user-blind",
  /** No entity: publishes spot prices. */
  publisher: "user-publisher",
} as const;

const TRADER = ["Market.View", "Order.Submit", "Credit.View", "Credit.Manage"] as const;

/**
 * One market around the clock, nodes NORTH and SOUTH, a product and a contract at each, three entities with documents
 * and ten million dollars of notional credit in place.
 *
 * N-H12: lot 1 MW, one hour, so that notional dollars are price x quantity / 100. S-PEAK: lot 0.5 MW, tick 5, 16 hours.
 */
export function smallMarket(): MarketDefinition {
  return marketDefinition.parse({
    markets: [{
      id: "M1",
      code: "M1",
      name: "Small market",
      timezone: "America/New_York",
      nodes: ["NORTH", "SOUTH"],
      schedule: null,
    }],
    products: [
      { id: "N-HOUR", marketId: "M1", code: "N-HOUR", name: "North hour", type: "hour", node: "NORTH" },
      {
        id: "S-PEAK",
        marketId: "M1",
        code: "S-PEAK",
        name: "South peak",
        type: "peak",
        node: "SOUTH",
        lot: 0.5,
        tick: 5,
      },
    ],
    contracts: [
      {
        id: "N-H12",
        productId: "N-HOUR",
        code: "N-H12",
        name: "North, hour 12",
        deliveryStart: "2026-01-20T12:00:00-05:00",
        deliveryEnd: "2026-01-20T13:00:00-05:00",
        hours: 1,
      },
      {
        id: "S-PK",
        productId: "S-PEAK",
        code: "S-PK",
        name: "South, peak",
        deliveryStart: "2026-01-21T07:00:00-05:00",
        deliveryEnd: "2026-01-21T23:00:00-05:00",
        hours: 16,
      },
    ],
    entities: ["ALPHA", "BETA", "GAMMA"].map((id) => ({ id, code: id, name: `Entity ${id}` })),
    users: [
      { id: USERS.alpha, name: "Alpha", entityId: "ALPHA", permissions: [...TRADER] },
      { id: USERS.beta, name: "Beta", entityId: "BETA", permissions: [...TRADER] },
      { id: USERS.gamma, name: "Gamma", entityId: "GAMMA", permissions: [...TRADER] },
      { id: USERS.alphaSecond, name: "Alpha 2", entityId: "ALPHA", permissions: [...TRADER] },
      {
        id: USERS.operator,
        name: "Operator",
        entityId: null,
        permissions: ["Market.View", "Market.Operate", "Credit.View", "Credit.Manage", "Scope.Global"],
      },
      { id: USERS.viewer, name: "Viewer", entityId: null, permissions: ["Market.View"] },
      { id: USERS.stranger, name: "Stranger", entityId: null, permissions: ["Market.View", "Order.Submit"] },
      { id: USERS.blind, name: "Blind", entityId: "BETA", permissions: ["Order.Submit"] },
      { id: USERS.publisher, name: "Publisher", entityId: null, permissions: ["Spot.Publish"] },
    ],
    creditDefaults: {
      limits: [{ limitType: "notional", scope: "total", limit: 10_000_000 }],
      documentation: "docs_in_place",
    },
  });
}

const OFFICE_HOURS = { days: ["mon", "tue", "wed", "thu", "fri"], preopen: "08:30", open: "09:00", close: "17:00" };

/** The small market with sessions, in New York: by default on weekdays from 09:00 to 17:00. At START it is then closed. */
export function scheduledMarket(schedule = OFFICE_HOURS): MarketDefinition {
  const definition = smallMarket();
  return marketDefinition.parse({
    ...definition,
    markets: definition.markets.map((market) => ({ ...market, schedule })),
  });
}

/** The small market without credit and documents. */
export function marketWithoutCredit(): MarketDefinition {
  return marketDefinition.parse({ ...smallMarket(), creditDefaults: undefined });
}

/** The small market, whose product at NORTH lists the next month. */
export function withMonth(): MarketDefinition {
  const [hour, peak] = smallMarket().products;
  return marketDefinition.parse({
    ...smallMarket(),
    products: [{ ...hour, type: "month", listing: { ahead: 1 } }, peak],
  });
}
