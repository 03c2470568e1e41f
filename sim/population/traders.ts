// Who may trade in a market. Personas trade as users who may submit orders, belong to an entity, and don't operate the market.

import type { MarketEntity } from "./businesses.ts";

/** The fields of a user that matter here. */
export interface MarketUser {
  readonly id: string;
  readonly entityId: string | null;
  readonly permissions: readonly string[];
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
