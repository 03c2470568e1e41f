// The contracts that a product's listing rule gives: ids, codes, names and delivery times of the periods that are listed
// at a time. The same product and time give the same contracts.

import { type DeliveryPeriod, type ListingRule, nextListingAfter, periodsListedAt } from "../market/listing-rule.ts";
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

/** What a rule lists at `time`, milliseconds since the epoch, by the start of delivery. */
export function contractsListedBy({ product, rule }: ProductListing, time: number): ContractDefinition[] {
  return periodsListedAt(rule, time).map((period) => contractOf(product, period));
}

/** When a rule next lists further contracts. */
export function nextListingOf({ rule }: ProductListing, time: number): number {
  return nextListingAfter(rule, time);
}

/** The contracts with which a market begins at `time`: those that the definition names, then those that rules list. */
export function contractsAt(definition: MarketDefinition, time: number): ContractDefinition[] {
  const named = new Set(definition.contracts.map(({ id }) => id));
  const listed = listingsOf(definition).flatMap((listing) => contractsListedBy(listing, time));
  return [...definition.contracts, ...listed.filter(({ id }) => !named.has(id))];
}

function contractOf(product: ProductDefinition, { name, start, end, hours }: DeliveryPeriod): ContractDefinition {
  return {
    id: `${product.id}-${name}`,
    productId: product.id,
    code: `${product.code}-${name}`,
    name: `${product.name} ${name}`,
    deliveryStart: new Date(start).toISOString(),
    deliveryEnd: new Date(end).toISOString(),
    hours,
  };
}
