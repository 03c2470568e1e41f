// The market of the agents: as many entities as agents, each with one user, who may trade but sees only its own orders and the
// books; ample credit between all of them; four contracts.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";

const CONTRACTS = 4;
const DAY_MS = 86_400_000;
/** Dollars: the greatest limit that is allowed. */
const AMPLE_CREDIT = 1e12;

export const agentIds = (count: number) => Array.from({ length: count }, (_, at) => `agent-${at + 1}`);

/** `now`: milliseconds since the epoch. The contracts deliver one, two, three and four days later. */
export function agentsMarket(agents: number, now: number): Partial<MarketDefinition> {
  const ids = agentIds(agents);
  return {
    markets: [{
      id: "M",
      code: "M",
      name: "Agents",
      timezone: "UTC",
      nodes: ["NORTH"],
      schedule: null,
      keepDeliveredHours: 1,
    }],
    products: [{
      id: "HOUR",
      marketId: "M",
      code: "HOUR",
      name: "Hour",
      type: "hour",
      node: "NORTH",
      currency: "USD",
      lot: 1,
      tick: 1,
      minimumPrice: -50_000,
      maximumPrice: 500_000,
    }],
    contracts: Array.from({ length: CONTRACTS }, (_, at) => ({
      id: `HOUR-${at + 1}`,
      productId: "HOUR",
      code: `HOUR-${at + 1}`,
      name: `Hour ${at + 1}`,
      deliveryStart: new Date(now + (at + 1) * DAY_MS).toISOString(),
      deliveryEnd: new Date(now + (at + 1) * DAY_MS + 3_600_000).toISOString(),
      hours: 1,
    })),
    entities: ids.map((id) => ({ id: `E-${id}`, code: `E-${id}`, name: `Entity of ${id}` })),
    users: ids.map((id) => ({ id, name: id, entityId: `E-${id}`, permissions: ["Order.Submit"] })),
    creditDefaults: {
      limits: [{ limitType: "notional", scope: "total", limit: AMPLE_CREDIT, marginPercent: 100 }],
      documentation: "docs_in_place",
    },
  };
}
