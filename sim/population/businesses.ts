// Which companies a strategy trades for. Generators sell the output of generating companies, and retailers buy for retail
// companies; a utility does both. All other strategies trade for trading companies. A company without a business in the
// market definition may do everything.

import type { Business } from "../../engine/market/business.ts";

/** The fields of an entity that matter here. */
export interface MarketEntity {
  readonly id: string;
  /** Absent: it may do everything. */
  readonly business?: Business | undefined;
}

const PHYSICAL: Readonly<Record<string, readonly Business[]>> = {
  generator: ["generation", "utility"],
  retailer: ["retail", "utility"],
};
const TRADING: readonly Business[] = ["trading"];

/** The businesses of companies for which a strategy trades. */
export function businessesOf(strategy: string): readonly Business[] {
  return PHYSICAL[strategy] ?? TRADING;
}

/** The ids of `entityIds` whose business the strategy is, in their order. */
export function suitableEntities(
  strategy: string,
  entityIds: Iterable<string>,
  entities: readonly MarketEntity[],
): string[] {
  const wanted = businessesOf(strategy);
  const businesses = new Map(entities.map(({ id, business }) => [id, business]));
  return [...entityIds].filter((id) => {
    const business = businesses.get(id);
    return business === undefined || wanted.includes(business);
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
    const businesses = businessesOf(strategy);
    const suitable = suitableEntities(strategy, entityIds, entities);
    const count = dealt.get(businesses) ?? 0;
    dealt.set(businesses, count + 1);
    const entityId = suitable[count % suitable.length];
    if (entityId === undefined) throw new RangeError(`no entity has a business of "${strategy}"`);
    return entityId;
  };
}
