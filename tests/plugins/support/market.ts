// A small market in which every number can be checked by hand. Alpha and Beta may trade with each other; Gamma has granted no
// credit. Beta counts half of the face value against its limit for Alpha.

import { marketDefinition } from "../../../engine/definition/market-definition.ts";

const trader = ["Market.View", "Order.Submit", "Credit.View", "Credit.Manage"] as const;

/** 24 hours, lot 1 MW, tick 1 cent. */
export const BASE = "base-1";
/** 10 hours, lot 5 MW, tick 10 cents. */
export const PEAK = "peak-1";
/** In the second market. */
export const ISLAND = "island-1";
export const SECRET = "the engine's secret";

const product = { name: "Product", type: "base", node: "N1" } as const;
const delivery = { deliveryStart: "2099-01-01T00:00:00Z", deliveryEnd: "2099-01-02T00:00:00Z" };

export const MARKET = marketDefinition.parse({
  markets: [
    { id: "power", code: "PWR", name: "Power", timezone: "America/Chicago", nodes: ["N1"], schedule: null },
    { id: "island", code: "ISL", name: "Island", timezone: "Europe/Oslo", nodes: ["N1"], schedule: null },
  ],
  products: [
    { ...product, id: "base", marketId: "power", code: "BASE" },
    { ...product, id: "peak", marketId: "power", code: "PEAK", type: "peak", lot: 5, tick: 10 },
    { ...product, id: "island-base", marketId: "island", code: "ISLB" },
  ],
  contracts: [
    { ...delivery, id: BASE, productId: "base", code: "BASE-1", name: "Base", hours: 24 },
    { ...delivery, id: PEAK, productId: "peak", code: "PEAK-1", name: "Peak", hours: 10 },
    { ...delivery, id: ISLAND, productId: "island-base", code: "ISLB-1", name: "Island", hours: 24 },
  ],
  entities: ["alpha", "beta", "gamma"].map((id) => ({ id, code: id.toUpperCase(), name: `${id} Energy` })),
  users: [
    { id: "alice", name: "Alice", entityId: "alpha", permissions: [...trader] },
    { id: "bob", name: "Bob", entityId: "beta", permissions: [...trader] },
    { id: "greta", name: "Greta", entityId: "gamma", permissions: [...trader] },
    {
      id: "olga",
      name: "Olga",
      entityId: null,
      permissions: ["Market.View", "Market.Operate", "Order.Submit", "Credit.View", "Credit.Manage", "Scope.Global"],
    },
    { id: "vera", name: "Vera", entityId: "alpha", permissions: ["Market.View"] },
  ],
  credit: [
    {
      entityId: "alpha",
      counterpartyId: "beta",
      limits: [{ limitType: "notional", scope: "total", limit: 1_000_000 }],
      documentation: "docs_in_place",
    },
    {
      entityId: "beta",
      counterpartyId: "alpha",
      limits: [
        { limitType: "notional", scope: "total", limit: 500_000, marginPercent: 50 },
        { limitType: "mw", scope: "per_contract", contractId: BASE, limit: 80 },
        { limitType: "mwh", scope: "per_contract", contractId: ISLAND, limit: 1200 },
      ],
      documentation: "docs_in_place",
      notes: "signed",
    },
  ],
});
