// What scores of a few seeds say of others: intervals by the bootstrap over seeds (Efron & Tibshirani, "An Introduction to the
// Bootstrap", 1993, chapter 13): seeds are drawn again and again, with replacement, and an interval has the middle 95 % of
// what they would have given. It asks for no shape of the scores, which have long tails. All agents get the same draws, so
// their differences are paired.
//
// The same scores give the same intervals. Cost: DRAWS times agents times seeds additions.

import { quantile } from "../../common/statistics.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";

const DRAWS = 2_000;
const TAIL = 0.025;
/** Sums in another order differ by less. */
const ROUNDING = 1e-9;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Each draw: how often each seed was drawn, by its place. */
export function drawnSeeds(seeds: number): readonly Uint16Array[] {
  const random = new SeededRandom(1).fork(`bootstrap of ${seeds}`);
  return Array.from({ length: DRAWS }, () => {
    const counts = new Uint16Array(seeds);
    for (let drawn = 0; drawn < seeds; drawn++) counts[random.integer(0, seeds - 1)]! += 1;
    return counts;
  });
}

/** The mean of each draw; `values` by the place of the seed, NaN without one. NaN for a draw without any value. */
export function drawnMeans(draws: readonly Uint16Array[], values: readonly number[]): number[] {
  return draws.map((counts) => {
    let [sum, count] = [0, 0];
    for (const [at, value] of values.entries()) {
      if (Number.isNaN(value)) continue;
      sum += counts[at]! * value;
      count += counts[at]!;
    }
    return sum / count;
  });
}

/** Draws that gave NaN don't count. */
export function intervalOf(values: readonly number[]): Interval {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((one, other) => one - other);
  return { low: quantile(sorted, TAIL), high: quantile(sorted, 1 - TAIL) };
}

/**
 * Two-sided p of a mean difference, by flips of its signs (Fisher, "The Design of Experiments", 1935, section 21): how often
 * chance alone would give a mean as far from 0. All flips of few differences, and DRAWS of many.
 */
export function significanceOf(differences: readonly number[]): number {
  const count = differences.length;
  const sum = Math.abs(differences.reduce((total, value) => total + value, 0));
  const isWhole = 2 ** count <= DRAWS;
  const random = new SeededRandom(1).fork(`flips of ${count}`);
  const flips = isWhole ? 2 ** count : DRAWS;
  let asFar = 0;
  for (let flip = 0; flip < flips; flip++) {
    let flipped = 0;
    for (const [at, value] of differences.entries()) {
      const isFlipped = isWhole ? (flip >> at) % 2 === 1 : random.next() < 0.5;
      flipped += isFlipped ? -value : value;
    }
    if (Math.abs(flipped) >= sum * (1 - ROUNDING)) asFar += 1;
  }
  // Of many, what was seen is one of the flips.
  return isWhole ? asFar / flips : (asFar + 1) / (flips + 1);
}
