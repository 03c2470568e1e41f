// The contracts that products list by their rules, with ids, codes, names and delivery times. The same product and time give
// the same contracts.

import { type ListingRule, periodsListedAt } from "../market/listing-rule.ts";
import type { MarketDefinition } from "./market-definition.ts";

export type ContractDefinition = MarketDefinition["contracts"][number];
export type ProductDefinition = MarketDefinition["products"][number];

/** One product's rule, in its market's time zone. */
export interface ProductListing {
  readonly product: ProductDefinition;
  readonly rule: ListingRule;
}

/** The rules of a definition, in the order of its products. */
export function listingsOf({ markets, products }: MarketDefinition): ProductListing[] {
  const timezones = new Map(markets.map(({ id, timezone }) => [id, timezone]));
  return products.flatMap((product): ProductListing[] => {
    const { listing, type, marketId } = product;
    const timezone = timezones.get(marketId);
    if (listing === undefined || timezone === undefined) return [];
    const { ahead, at, hours } = listing;
    return [{ product, rule: { kind: type, hours, ahead, at, timezone } }];
  });
}

/** The contracts a rule lists at `time` (milliseconds since the epoch), by start of delivery. */
export function contractsListedBy({ product, rule }: ProductListing, time: number): ContractDefinition[] {
  return periodsListedAt(rule, time).map(({ name, start, end, hours }) => ({
    id: `${product.id}-${name}`,
    productId: product.id,
    code: `${product.code}-${name}`,
    name: `${product.name} ${name}`,
    deliveryStart: new Date(start).toISOString(),
    deliveryEnd: new Date(end).toISOString(),
    hours,
  }));
}

/** The contracts of a market that begins at `time`: those in the definition, then those listed by rules. */
export function contractsAt(definition: MarketDefinition, time: number): ContractDefinition[] {
  const named = new Set(definition.contracts.map(({ id }) => id));
  const listed = listingsOf(definition).flatMap((listing) => contractsListedBy(listing, time));
  return [...definition.contracts, ...listed.filter(({ id }) => !named.has(id))];
}
