// A mandate decides in which contracts a persona acts at a wake-up, and what it wants there: sides, quantities, limit price
// and valuation. The strategy then decides the price, and the persona's limits cap the quantity.
//
// Prices are cents/MWh, quantities kW.

import { spreadFactor } from "../information/price-moves.ts";
import type { Assignment } from "./assignments.ts";
import type { ContractBook, ContractUpdate } from "./persona.ts";
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
  /** Half the spread wanted, relative to the usual one. */
  spreadFactor: number;
  /** An order this close to the wanted price stays, in price. */
  tolerance: number;
}

export function emptyTerms(): Terms {
  return {
    limitPrice: 0,
    value: 0,
    buyQuantity: 0,
    sellQuantity: 0,
    assignment: null,
    spreadFactor: 1,
    tolerance: 0,
  };
}

export interface Situation {
  readonly time: number;
  /** The persona's own forecast of the contract's value. */
  readonly forecast: number;
  /** The persona's position in this contract. */
  readonly position: number;
  readonly book: ContractBook;
}

export interface Mandate {
  /** A wake-up begins. */
  wake(time: number): void;
  /** The next contract to act in at this wake-up; null: no further one. */
  next(time: number): TradedContract | null;
  /** Sets the fields of `terms`. */
  review(contract: TradedContract, situation: Situation, terms: Terms): void;
  /** The contract is no longer traded. */
  forget(contract: TradedContract): void;
  /** Learns from a quote or trade; absent if the mandate doesn't learn. */
  observe?(update: ContractUpdate, time: number): void;
}

/** Lower bound of `scaleOf`, in cents/MWh, so that shares of prices near 0 don't vanish. */
const MIN_SCALE = 500;

/** The price that relative differences are taken of. */
export function scaleOf(price: number): number {
  return Math.max(Math.abs(price), MIN_SCALE);
}

/** Half the usual spread of a contract at a price, in cents/MWh, at least a tick. `share`: for a day's base, of the price. */
export function usualHalfSpread({ tick, type }: TradedContract, share: number, price: number): number {
  return Math.max(tick, share * spreadFactor(type) * scaleOf(price));
}
