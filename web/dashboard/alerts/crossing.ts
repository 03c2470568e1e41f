// Tells once when a value reaches a limit. It tells again only after the value has gone back by more than a little, so that a
// value that trembles at its limit gives one alert.

import type { Side } from "./conditions.ts";

/** `back`: how far the value must go back from the limit, in its unit. */
export interface Limit {
  readonly side: Side;
  readonly limit: number;
  readonly back: number;
}

export class Crossing {
  /** Whether it tells when the limit is reached; null before the first value. */
  #isArmed: boolean | null = null;

  constructor(readonly limit: Limit) {}

  /**
   * Whether the limit has been reached by this value, and was not before. The first value only says from which side it comes:
   * whoever sets an alert knows the value. Null, such as the bid of an empty book, changes nothing.
   */
  reaches(value: number | null): boolean {
    if (value === null) return false;
    const { side, limit, back } = this.limit;
    const beyond = side === "above" ? value - limit : limit - value;
    if (this.#isArmed === null) this.#isArmed = beyond < 0;
    else if (this.#isArmed && beyond >= 0) {
      this.#isArmed = false;
      return true;
    } else if (beyond < 0 && beyond <= -back) this.#isArmed = true;
    return false;
  }
}

/** Cents/MWh. */
const LEAST_BACK = 5;
const BACK_SHARE = 0.005;

/** How far a price must go back: half a percent of the limit, at least 5 cents/MWh. */
export function backOfPrice(limit: number): number {
  return Math.max(LEAST_BACK, Math.round(Math.abs(limit) * BACK_SHARE));
}
