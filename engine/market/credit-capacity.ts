// The capacity that credit limits give to pairs of parties, by measure, and how many kW of it are left at a price.
//
// Matching asks this for every resting order that it reaches, so the arithmetic uses doubles while they are exact: up to
// 2^53, which is 1.5 billion dollars of notional. Above 2^53 it still uses doubles if their rounding error can't change the
// answer, and else bigint.

import { ENERGY, type Measure, MEASURES, NOTIONAL, type PairUsage, QUANTITY } from "./credit-usage.ts";
import type { Limit, LimitType } from "./credit-limit.ts";
import { differenceOf, type ExactInteger } from "./exact-integer.ts";
import { ExactSums } from "./exact-sums.ts";

/** No credit at any price, because a capacity is used up. */
export const EXHAUSTED = -1;
/** Bound on the relative error of `left / perKilowatt` in doubles: five roundings of at most 2^-53 each. */
const RELATIVE_ERROR = 8 * 2 ** -53;
const MEASURE_OF: Readonly<Record<LimitType, Measure>> = { mw: QUANTITY, mwh: ENERGY, notional: NOTIONAL };
const { MAX_SAFE_INTEGER } = Number;

export class PairCapacity {
  readonly #sums: ExactSums;

  /** All capacities are unlimited at first. */
  constructor(pairCount: number) {
    this.#sums = new ExactSums(pairCount * MEASURES.length, Infinity);
  }

  /** `capacity` null: unlimited. */
  set(pair: number, measure: Measure, capacity: ExactInteger | null): void {
    const index = pair * MEASURES.length + measure;
    if (capacity === null) this.#sums.setInfinite(index);
    else this.#sums.set(index, capacity);
  }

  /** Sets each measure to the lowest capacity that those of the limits give whose scope this is. */
  setLowest(pair: number, scope: number | null, limits: readonly Limit[], others: readonly Limit[]): void {
    for (const measure of MEASURES) {
      const lowest = lowestOf(measure, scope, others, lowestOf(measure, scope, limits, null));
      this.set(pair, measure, lowest);
    }
  }

  /** kW left at a price after the usage, at most 2^53 - 1; EXHAUSTED if all of a measure is used. */
  available(pair: number, usage: PairUsage, minutes: number, price: number): number {
    return Math.min(
      this.#availableOf(pair, QUANTITY, usage, 1, 1),
      this.#availableOf(pair, ENERGY, usage, minutes, 1),
      this.#availableOf(pair, NOTIONAL, usage, minutes, Math.abs(price)),
    );
  }

  /** One kW uses minutes x price of the measure. */
  #availableOf(pair: number, measure: Measure, usage: PairUsage, minutes: number, price: number): number {
    const capacity = this.#sums.nearest(pair * MEASURES.length + measure);
    if (capacity === Infinity) return MAX_SAFE_INTEGER;
    if (capacity > MAX_SAFE_INTEGER) return this.#availableOfLarge(pair, measure, usage, minutes, price);
    const left = capacity - usage.nearest(pair, measure);
    if (left <= 0) return EXHAUSTED;
    const perKilowatt = minutes * price;
    // The floor is exact: up to 2^53 the division never rounds a fraction up to an integer.
    return perKilowatt === 0 ? MAX_SAFE_INTEGER : Math.floor(left / perKilowatt);
  }

  #availableOfLarge(pair: number, measure: Measure, usage: PairUsage, minutes: number, price: number): number {
    const index = pair * MEASURES.length + measure;
    const capacity = this.#sums.nearest(index);
    const used = usage.nearest(pair, measure);
    const perKilowatt = minutes * price;
    if (perKilowatt === 0 && capacity - used > (capacity + used) * RELATIVE_ERROR) return MAX_SAFE_INTEGER;
    const error = (capacity + used) / perKilowatt * RELATIVE_ERROR;
    const least = Math.floor((capacity - used) / perKilowatt - error);
    const most = Math.floor((capacity - used) / perKilowatt + error);
    if (least >= MAX_SAFE_INTEGER) return MAX_SAFE_INTEGER;
    if (least === most) return Math.max(least, EXHAUSTED);

    const left = differenceOf(this.#sums.exact(index), usage.exact(pair, measure));
    if (left <= 0) return EXHAUSTED;
    if (perKilowatt === 0) return MAX_SAFE_INTEGER;
    const available = BigInt(left) / (BigInt(minutes) * BigInt(price));
    return available > MAX_SAFE_INTEGER ? MAX_SAFE_INTEGER : Number(available);
  }
}

/** The lowest capacity that these limits and `before` give; null: unlimited. */
function lowestOf(
  measure: Measure,
  scope: number | null,
  limits: readonly Limit[],
  before: ExactInteger | null,
): ExactInteger | null {
  let lowest = before;
  for (const { limitType, contract, capacity } of limits) {
    if (capacity === null || contract !== scope || MEASURE_OF[limitType] !== measure) continue;
    if (lowest === null || capacity < lowest) lowest = capacity;
  }
  return lowest;
}
