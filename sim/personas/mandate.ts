// What a persona wants in a contract, before its strategy says at which price and its limits say how much of it: on which
// side, how much, with which limit price, and what it thinks the contract is worth.
//
// Prices are cents/MWh, quantities kW.

import type { Assignment } from "./assignments.ts";
import type { TradedContract } from "./traded-contract.ts";

/** Filled in by a mandate; one object is used again and again. */
export interface Terms {
  /** The worst price at which it trades; its value where it was given none. */
  limitPrice: number;
  /** What it thinks the contract is worth. */
  value: number;
  buyQuantity: number;
  sellQuantity: number;
  /** Null where it has no limit price that was given to it. */
  assignment: Assignment | null;
}

export interface Situation {
  readonly time: number;
  /** What the contract is expected to be worth: everyone's knowledge. */
  readonly forecast: number;
  /** Of the persona, in this contract. */
  readonly position: number;
}

export interface Mandate {
  /** Sets all of `terms`. */
  review(contract: TradedContract, situation: Situation, terms: Terms): void;
  /** Nothing is wanted of a contract any more. */
  forget(contract: TradedContract): void;
}

/** The least price, in cents/MWh, that shares of a price are taken of, so that nothing vanishes where prices are near 0. */
const LEAST_SCALE = 500;

/** What shares of a price are taken of. */
export function scaleOf(price: number): number {
  return Math.max(Math.abs(price), LEAST_SCALE);
}
