// Who may trade in a market, and for which companies. Personas trade as users who may submit orders, belong to an entity, and
// don't operate the market. Generators sell the output of generating companies, retailers buy for retail companies, and a
// utility does both; all others trade for trading companies (roles.ts). A company without a business in the market
// definition may do everything. Companies that are not simulated are left to people and agents.

import type { Business } from "../../engine/market/business.ts";
import { traitsOf } from "./roles.ts";

/** The fields of a user that matter here. */
export interface MarketUser {
  readonly id: string;
  readonly entityId: string | null;
  readonly permissions: readonly string[];
}

/** The fields of an entity that matter here. */
export interface MarketEntity {
  readonly id: string;
  /** Absent: it may do everything. */
  readonly business?: Business | undefined;
  /** False: personas trade for it only if their group names it. */
  readonly simulated?: boolean | undefined;
}

/** Who may trade in a market, and for whom. */
export interface Market {
  readonly users: readonly MarketUser[];
  readonly entities: readonly MarketEntity[];
}

/** Whether personas may trade as a user. */
export function mayTrade(user: MarketUser): user is MarketUser & { readonly entityId: string } {
  const { entityId, permissions } = user;
  return entityId !== null && permissions.includes("Order.Submit") && !permissions.includes("Market.Operate");
}

/** Ids of the users who may trade, by entity; entities and ids in the order of the market. */
export function tradersByEntity(users: readonly MarketUser[]): Map<string, string[]> {
  const byEntity = Map.groupBy(users.filter(mayTrade), ({ entityId }) => entityId);
  return new Map(byEntity.entries().map(([entityId, traders]) => [entityId, traders.map(({ id }) => id)]));
}

/** The ids of the entities with traders and without personas, in the order of the market. */
export function entitiesOfOthers({ users, entities }: Market): string[] {
  const traders = tradersByEntity(users);
  return entities.filter(({ id, simulated }) => simulated === false && traders.has(id)).map(({ id }) => id);
}

/** The ids of `entityIds` that are simulated and whose business the strategy is, in their order. */
export function suitableEntities(
  strategy: string,
  entityIds: Iterable<string>,
  entities: readonly MarketEntity[],
): string[] {
  const wanted = traitsOf(strategy).businesses;
  const known = new Map(entities.map((entity) => [entity.id, entity]));
  return [...entityIds].filter((id) => {
    const { business, simulated } = known.get(id) ?? {};
    return simulated !== false && (business === undefined || wanted.includes(business));
  });
}

/**
 * Deals entities to personas one by one: strategies of the same businesses share the rounds. Throws RangeError if no entity
 * is suitable.
 */
export function entityDealer(
  entityIds: readonly string[],
  entities: readonly MarketEntity[],
): (strategy: string) => string {
  const dealt = new Map<readonly Business[], number>();
  return (strategy) => {
    const { businesses } = traitsOf(strategy);
    const suitable = suitableEntities(strategy, entityIds, entities);
    const count = dealt.get(businesses) ?? 0;
    dealt.set(businesses, count + 1);
    const entityId = suitable[count % suitable.length];
    if (entityId === undefined) throw new RangeError(`no entity has a business of "${strategy}"`);
    return entityId;
  };
}
