// A mandate decides what a persona wants in a contract: sides, quantities, limit price and valuation. The strategy then
// decides the price, and the persona's limits cap the quantity.
//
// Prices are cents/MWh, quantities kW.

import type { Assignment } from "./assignments.ts";
import type { TradedContract } from "./traded-contract.ts";

/** Filled in by a mandate. The object is reused. */
export interface Terms {
  /** The worst acceptable price; the persona's own valuation if no limit was assigned. */
  limitPrice: number;
  /** The persona's own valuation of the contract. */
  value: number;
  buyQuantity: number;
  sellQuantity: number;
  /** Null if no limit price was assigned. */
  assignment: Assignment | null;
}

export interface Situation {
  readonly time: number;
  /** Public forecast of the contract's value. */
  readonly forecast: number;
  /** The persona's position in this contract. */
  readonly position: number;
}

export interface Mandate {
  /** Sets every field of `terms`. */
  review(contract: TradedContract, situation: Situation, terms: Terms): void;
  /** The contract is no longer traded. */
  forget(contract: TradedContract): void;
}

/** Lower bound of `scaleOf`, in cents/MWh, so that shares of prices near 0 don't vanish. */
const MIN_SCALE = 500;

/** The price that relative differences are taken of. */
export function scaleOf(price: number): number {
  return Math.max(Math.abs(price), MIN_SCALE);
}
