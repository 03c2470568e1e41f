// The contracts of a run, and when each may be traded: from the definition of its market, because a tape names contracts
// by their ids alone.

import {
  type ContractDefinition,
  contractsListedBy,
  listingsOf,
  type ProductDefinition,
} from "../../engine/definition/listed-contracts.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { nextListingAfter } from "../../engine/market/listing-rule.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";

/** Times are milliseconds since the epoch. */
export interface TapeContract {
  readonly id: string;
  readonly productId: string;
  /** hour, base, peak, weekend, week, month, quarter or year. */
  readonly kind: ProductDefinition["type"];
  readonly node: string;
  /** When trading begins: its listing, or the start of the run. */
  readonly listedAt: number;
  /** Trading ends. */
  readonly deliveryStart: number;
  readonly deliveryEnd: number;
  readonly hours: number;
  /** Whether delivery has no gaps: not the peak hours of several days. */
  readonly isContiguous: boolean;
}

/** The contracts that can be traded between two times, in the order of listing. */
export function contractsBetween(definition: MarketDefinition, start: number, end: number): Map<string, TapeContract> {
  const products = new Map(definition.products.map((product) => [product.id, product]));
  const contracts = new Map<string, TapeContract>();
  const add = (contract: ContractDefinition, listedAt: number) => {
    const product = products.get(contract.productId);
    if (product === undefined || contracts.has(contract.id)) return;
    contracts.set(contract.id, tapeContract(contract, product, listedAt));
  };
  for (const contract of definition.contracts) add(contract, start);
  for (const listing of listingsOf(definition)) {
    for (let time = start; time < end; time = nextListingAfter(listing.rule, time)) {
      for (const contract of contractsListedBy(listing, time)) add(contract, time);
    }
  }
  return contracts;
}

function tapeContract(contract: ContractDefinition, product: ProductDefinition, listedAt: number): TapeContract {
  const [deliveryStart, deliveryEnd] = [Date.parse(contract.deliveryStart), Date.parse(contract.deliveryEnd)];
  return {
    id: contract.id,
    productId: product.id,
    kind: product.type,
    node: product.node,
    listedAt,
    deliveryStart,
    deliveryEnd,
    hours: contract.hours,
    isContiguous: deliveryEnd - deliveryStart === contract.hours * HOUR_MS,
  };
}
