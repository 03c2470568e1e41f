// An array of sums of integers, exact at any size and fast up to 2^53. Each sum is kept as a number. A sum above 2^53 - 1
// is also kept as a bigint, and its number is then the nearest double.
//
// Invariant: a number of at most 2^53 - 1 is the exact sum; a larger one has a bigint, except for Infinity.
//
// Cost: add and read O(1), without allocation up to 2^53.

import { type ExactInteger, sumOf } from "./exact-integer.ts";
import { invariant } from "./invariant.ts";

const { MAX_SAFE_INTEGER } = Number;

export class ExactSums {
  readonly #nearest: Float64Array;
  readonly #large = new Map<number, bigint>();

  /** `initial`: the value of every sum, a safe integer or Infinity. */
  constructor(length: number, initial = 0) {
    this.#nearest = new Float64Array(length).fill(initial);
  }

  /** The sum itself up to 2^53 - 1; above, the nearest double. */
  nearest(index: number): number {
    return this.#nearest[index] ?? 0;
  }

  exact(index: number): ExactInteger {
    const nearest = this.nearest(index);
    return nearest <= MAX_SAFE_INTEGER ? nearest : this.#large.get(index) ?? nearest;
  }

  /** Adds a safe integer of at least 0. */
  add(index: number, amount: number): void {
    const sum = this.nearest(index) + amount;
    if (sum <= MAX_SAFE_INTEGER) this.#nearest[index] = sum;
    else this.set(index, sumOf(this.exact(index), amount));
  }

  /** More than any sum. */
  setInfinite(index: number): void {
    this.#nearest[index] = Infinity;
    if (this.#large.size > 0) this.#large.delete(index);
  }

  /** Sets a sum, of at least 0. */
  set(index: number, sum: ExactInteger): void {
    invariant(sum >= 0, "a sum is at least 0");
    this.#nearest[index] = Number(sum);
    if (typeof sum === "bigint") this.#large.set(index, sum);
    else if (this.#large.size > 0) this.#large.delete(index);
  }
}
