// The built-in market: two price nodes, power contracts from the next day's hours to years, and companies that may all trade
// with each other at once. It trades around the clock and lists its contracts by rules. Some companies are not simulated: they
// have no personas and no opening orders, and are there for people and agents.

import { PERMISSIONS } from "../../protocol/index.ts";
import type { MarketDefinition } from "./market-definition.ts";

type UserDefinition = MarketDefinition["users"][number];
type Permissions = UserDefinition["permissions"];

/** A user with all permissions of an operator: trade, halt, flush, see every entity's credit. */
export const BUILT_IN_OPERATOR_ID = "operator";
/** A user who may only read, and has no entity. */
export const BUILT_IN_VIEWER_ID = "viewer";
/** The user with which the simulator publishes spot prices. */
export const BUILT_IN_SIMULATOR_ID = "simulator";

const MARKET_ID = "PLAINS";
const TIMEZONE = "America/Chicago";
const NODES = ["NORTH", "WEST"] as const;

/** Products of one node, in listing order. `suffix` completes a product's id and code. */
const PRODUCTS = [
  { suffix: "DA-BASE", name: "Day-ahead base", type: "base", ahead: 1 },
  { suffix: "DA-PEAK", name: "Day-ahead peak", type: "peak", ahead: 1 },
  { suffix: "DA-HOUR", name: "Day-ahead hour", type: "hour", ahead: 1 },
  { suffix: "WE-BASE", name: "Weekend base", type: "weekend", ahead: 1 },
  { suffix: "WK-BASE", name: "Week base", type: "week", ahead: 2 },
  { suffix: "MO-BASE", name: "Month base", type: "month", ahead: 3 },
  { suffix: "MO-PEAK", name: "Month peak", type: "month", ahead: 3, hours: "peak" },
  { suffix: "QU-BASE", name: "Quarter base", type: "quarter", ahead: 3 },
  { suffix: "YR-BASE", name: "Year base", type: "year", ahead: 2 },
] as const;

/** Dollars, for every ordered pair: the greatest limit allowed, because trades of a year use credit until that year ends. */
const AMPLE_CREDIT = 1_000_000_000_000;

const COMPANIES = [
  { id: "RIVERBEND", name: "Riverbend Generation", business: "generation", traders: 2 },
  { id: "CEDAR", name: "Cedar Ridge Nuclear", business: "generation", traders: 2 },
  { id: "PRAIRIE", name: "Prairie Wind Park", business: "generation", traders: 1 },
  { id: "SUNFIELD", name: "Sunfield Solar", business: "generation", traders: 1 },
  { id: "LAKESHORE", name: "Lakeshore Utility", business: "utility", traders: 2 },
  { id: "HEARTLAND", name: "Heartland Power Retail", business: "retail", traders: 2 },
  { id: "CORNERSTONE", name: "Cornerstone Energy Retail", business: "retail", traders: 2 },
  { id: "MERIDIAN", name: "Meridian Energy Trading", business: "trading", traders: 2 },
  { id: "SUMMIT", name: "Summit Commodities", business: "trading", traders: 2 },
  { id: "ANCHOR", name: "Anchor Point Trading", business: "trading", traders: 2 },
  { id: "KESTREL", name: "Kestrel Energy Markets", business: "trading", traders: 2 },
  { id: "HARBOR", name: "Harbor Street Power", business: "trading", traders: 1 },
  { id: "BLUESTEM", name: "Bluestem Commodities", business: "trading", traders: 1 },
] as const;

/** For people and agents, with one trader each. Nobody simulates them. */
const OWN_COMPANIES = [
  { id: "WILLOW", name: "Willow Creek Trading" },
  { id: "JUNIPER", name: "Juniper Power" },
  { id: "ASPEN", name: "Aspen Grove Energy" },
  { id: "HAWTHORN", name: "Hawthorn Commodities" },
] as const;

/** Users who trade for companies that nobody simulates. */
export const BUILT_IN_OWN_USER_IDS: readonly string[] = OWN_COMPANIES.map(({ id }) => traderId(id, 1));

const TRADER_PERMISSIONS: Permissions = ["Market.View", "Order.Submit", "Credit.View", "Credit.Manage"];
/** Without Market.View: the engine sends a user with that permission every order of everyone. */
const PERSONA_PERMISSIONS: Permissions = ["Order.Submit"];
const OPERATOR_PERMISSIONS: Permissions = PERMISSIONS.filter((permission) => permission !== "Spot.Publish");

export function builtInMarket(): MarketDefinition {
  return {
    markets: [{
      id: MARKET_ID,
      code: MARKET_ID,
      name: "Plains Power Exchange",
      timezone: TIMEZONE,
      nodes: [...NODES],
      schedule: null,
      keepDeliveredHours: 72,
    }],
    products: NODES.flatMap(productsOf),
    contracts: [],
    entities: [
      ...COMPANIES.map(({ id, name, business }) => ({ id, code: id, name, business })),
      { id: "OPERATOR", code: "OPERATOR", name: "Plains Market Operator" },
      ...OWN_COMPANIES.map(({ id, name }) => ({ id, code: id, name, simulated: false })),
    ],
    users: users(),
    credit: [],
    creditDefaults: {
      limits: [{ limitType: "notional", scope: "total", limit: AMPLE_CREDIT, marginPercent: 100 }],
      documentation: "docs_in_place",
    },
  };
}

function productsOf(node: string): MarketDefinition["products"] {
  return PRODUCTS.map(({ suffix, name, type, ahead, ...shape }) => ({
    id: `${node}-${suffix}`,
    marketId: MARKET_ID,
    code: `${node}-${suffix}`,
    name: `${node} ${name}`,
    type,
    node,
    currency: "USD",
    lot: 1,
    tick: 1,
    minimumPrice: -50_000,
    maximumPrice: 500_000,
    listing: { ahead, at: "00:00", hours: "base", ...shape },
  }));
}

function users(): UserDefinition[] {
  return [
    ...COMPANIES.flatMap(({ id, name, traders }) =>
      Array.from({ length: traders }, (_, index): UserDefinition => ({
        id: traderId(id, index + 1),
        name: `${name}, trader ${index + 1}`,
        entityId: id,
        permissions: [...TRADER_PERMISSIONS],
      }))
    ),
    ...COMPANIES.map(({ id, name }): UserDefinition => ({
      id: `sim-${id.toLowerCase()}`,
      name: `${name}, simulated traders`,
      entityId: id,
      permissions: [...PERSONA_PERMISSIONS],
    })),
    {
      id: BUILT_IN_OPERATOR_ID,
      name: "Market operator on duty",
      entityId: "OPERATOR",
      permissions: [...OPERATOR_PERMISSIONS],
    },
    { id: BUILT_IN_VIEWER_ID, name: "Market viewer", entityId: null, permissions: ["Market.View"] },
    {
      id: BUILT_IN_SIMULATOR_ID,
      name: "Market simulator",
      entityId: null,
      permissions: ["Market.View", "Spot.Publish"],
    },
    ...OWN_COMPANIES.map(({ id, name }): UserDefinition => ({
      id: traderId(id, 1),
      name: `${name}, trader 1`,
      entityId: id,
      permissions: [...TRADER_PERMISSIONS],
    })),
  ];
}

function traderId(companyId: string, number: number): string {
  return `${companyId.toLowerCase()}-trader-${number}`;
}
