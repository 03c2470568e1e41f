// What a simulator needs to know about its market: nodes, products, entities and users. An engine in this process has them in
// its definition; for another engine they are read from a snapshot. Contracts change over time: see market-feed.ts.
//
// Personas trade for an entity as its user whose id begins with `sim-`, if it has one. Otherwise they trade as its first user
// who may submit orders and does not operate the market. An entity without such a user has no personas.
//
// A snapshot does not say which entities are simulated. There, if any entity has a user whose id begins with `sim-`, those
// without one are not.

import { type MarketEntity, type MarketUser, mayTrade } from "../population/traders.ts";
import type { ProductType, TradedProduct } from "../personas/traded-contract.ts";
import type { ModuleChange } from "./module-state.ts";

export interface MarketFacts {
  readonly markets: readonly { readonly id: string; readonly timezone: string; readonly nodes: readonly string[] }[];
  readonly products: readonly TradedProduct[];
  readonly users: readonly MarketUser[];
  /** Their businesses are unknown if they were read from a snapshot, so there each may do everything. */
  readonly entities: readonly MarketEntity[];
}

const SIMULATED_USER = "sim-";

/** The user who trades for each entity that personas may trade for. */
export function tradingUsers({ users }: MarketFacts): MarketUser[] {
  const byEntity = new Map<string, MarketUser>();
  for (const user of users.filter(mayTrade)) {
    const { id, entityId } = user;
    const chosen = byEntity.get(entityId);
    const isBetter = id.startsWith(SIMULATED_USER) && chosen?.id.startsWith(SIMULATED_USER) === false;
    if (chosen === undefined || isBetter) byEntity.set(entityId, user);
  }
  return [...byEntity.values()];
}

/** The user who watches the market for all personas: preferably one who publishes; null if nobody may see all of it. */
export function watchingUser({ users }: MarketFacts): string | null {
  const mayWatch = users.filter(({ permissions }) => permissions.includes("Market.View"));
  const quiet = mayWatch.filter(({ permissions }) => !permissions.includes("Market.Operate"));
  const publishing = mayWatch.find(({ permissions }) => permissions.includes("Spot.Publish"));
  return (publishing ?? quiet[0] ?? mayWatch[0])?.id ?? null;
}

/** The user who publishes spot prices; null if nobody may. */
export function publishingUser({ users }: MarketFacts): string | null {
  const mayPublish = users.filter(({ permissions }) => permissions.includes("Spot.Publish"));
  return (mayPublish.find(({ permissions }) => permissions.includes("Market.View")) ?? mayPublish[0])?.id ?? null;
}

/** The user who sets the speed of market time: who publishes, or else who operates the market; null if nobody may. */
export function clockUser(facts: MarketFacts): string | null {
  const operator = facts.users.find(({ permissions }) => permissions.includes("Market.Operate"));
  return publishingUser(facts) ?? operator?.id ?? null;
}

/** The facts in the modules of a snapshot. */
export function factsOf(modules: Iterable<ModuleChange>): MarketFacts {
  const markets: MarketFacts["markets"][number][] = [];
  const products: MarketFacts["products"][number][] = [];
  const users: MarketUser[] = [];
  const entityIds: string[] = [];
  for (const { type, data } of modules) {
    if (data === null) continue;
    if (type === "MARKET") markets.push({ id: data.id, timezone: data.timezone, nodes: data.nodes });
    else if (type === "USER") users.push({ id: data.id, entityId: data.entityId, permissions: data.permissions });
    else if (type === "ENTITY") entityIds.push(data.id);
    else if (type === "PRODUCT") {
      const { id, marketId, type, node, contractSpecification } = data;
      products.push({ id, marketId, type: type as ProductType, node, ...contractSpecification });
    }
  }
  const simulated = new Set(users.filter(({ id }) => id.startsWith(SIMULATED_USER)).map(({ entityId }) => entityId));
  const entities = entityIds.map((id): MarketEntity =>
    simulated.size === 0 || simulated.has(id) ? { id } : { id, simulated: false }
  );
  return { markets, products, users, entities };
}
