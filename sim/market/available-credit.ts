// What the open trades of pairs of parties come to, and what they may come to, by measure: kW, kW x min and cents/MWh x kW
// x min at face value. On the path of every resting order that is met, so numbers as long as they are exact: up to 2^53,
// which in notional is 1.5 billion dollars. Beyond it doubles still decide wherever their error can't change the answer,
// and bigint decides the rest.

import type { Usage } from "./credit-limit.ts";
import { ExactSums } from "./exact-sums.ts";
import { energyOf, notionalOf } from "./units.ts";

/** Measures of a trade, as the offsets of their sums. */
export const QUANTITY = 0;
export const ENERGY = 1;
export const NOTIONAL = 2;
export type Measure = typeof QUANTITY | typeof ENERGY | typeof NOTIONAL;
export const MEASURES: readonly Measure[] = [QUANTITY, ENERGY, NOTIONAL];

/** No room at any price, since a capacity is used up. */
export const EXHAUSTED = -1;
/** Nothing can use it up: no sum of trades comes near it. As a double it is Infinity. */
const UNLIMITED = 2n ** 1024n;
/** Of what is computed from the nearest doubles: five roundings, each of at most 2^-53. */
const RELATIVE_ERROR = 8 * 2 ** -53;
const { MAX_SAFE_INTEGER } = Number;

/** What open trades use, by pair. */
export class PairUsage {
  readonly #sums: ExactSums;

  constructor(readonly pairCount: number) {
    this.#sums = new ExactSums(pairCount * MEASURES.length);
  }

  nearest(pair: number, measure: Measure): number {
    return this.#sums.nearest(pair * MEASURES.length + measure);
  }

  exact(pair: number, measure: Measure): bigint {
    return this.#sums.exact(pair * MEASURES.length + measure);
  }

  /** Adds a trade of `quantity` kW. */
  add(pair: number, quantity: number, minutes: number, price: number): void {
    const first = pair * MEASURES.length;
    const energy = quantity * minutes;
    const notional = Math.abs(price) * energy;
    this.#sums.add(first + QUANTITY, quantity);
    if (energy <= MAX_SAFE_INTEGER && notional <= MAX_SAFE_INTEGER) {
      this.#sums.add(first + ENERGY, energy);
      this.#sums.add(first + NOTIONAL, notional);
    } else this.#addLarge(pair, quantity, minutes, price);
  }

  of(pair: number): Usage {
    return {
      quantity: this.exact(pair, QUANTITY),
      energy: this.exact(pair, ENERGY),
      notional: this.exact(pair, NOTIONAL),
    };
  }

  /** Adds sums, however many trades they come from. */
  addSums(pair: number, { quantity, energy, notional }: Usage): void {
    this.#set(pair, QUANTITY, this.exact(pair, QUANTITY) + quantity);
    this.#set(pair, ENERGY, this.exact(pair, ENERGY) + energy);
    this.#set(pair, NOTIONAL, this.exact(pair, NOTIONAL) + notional);
  }

  /** Takes away what another usage has of a pair. */
  subtract(pair: number, other: PairUsage): void {
    for (const measure of MEASURES) this.#set(pair, measure, this.exact(pair, measure) - other.exact(pair, measure));
  }

  clear(pair: number): void {
    for (const measure of MEASURES) this.#set(pair, measure, 0n);
  }

  #addLarge(pair: number, quantity: number, minutes: number, price: number): void {
    const energy = energyOf(quantity, minutes);
    this.addSums(pair, { quantity: 0n, energy, notional: notionalOf(price, energy) });
  }

  #set(pair: number, measure: Measure, sum: bigint): void {
    this.#sums.set(pair * MEASURES.length + measure, sum);
  }
}

/** What the trades of pairs may come to, by the tightest limit of either party; unlimited where nothing else is set. */
export class PairCapacity {
  readonly #sums: ExactSums;

  constructor(pairCount: number) {
    this.#sums = new ExactSums(pairCount * MEASURES.length, Infinity);
  }

  /** `capacity` null: unlimited. */
  set(pair: number, measure: Measure, capacity: bigint | null): void {
    this.#sums.set(pair * MEASURES.length + measure, capacity ?? UNLIMITED);
  }

  /** kW that a usage leaves at a price, at most 2^53 - 1; EXHAUSTED where all of a measure is used. */
  available(pair: number, usage: PairUsage, minutes: number, price: number): number {
    return Math.min(
      this.#availableOf(pair, QUANTITY, usage, 1, 1),
      this.#availableOf(pair, ENERGY, usage, minutes, 1),
      this.#availableOf(pair, NOTIONAL, usage, minutes, Math.abs(price)),
    );
  }

  /** A kW takes minutes x price of the measure. */
  #availableOf(pair: number, measure: Measure, usage: PairUsage, minutes: number, price: number): number {
    const capacity = this.#sums.nearest(pair * MEASURES.length + measure);
    if (capacity === Infinity) return MAX_SAFE_INTEGER;
    if (capacity > MAX_SAFE_INTEGER) return this.#availableBeyond(pair, measure, usage, minutes, price);
    const left = capacity - usage.nearest(pair, measure);
    if (left <= 0) return EXHAUSTED;
    const perKilowatt = minutes * price;
    // The floor is exact: up to 2^53 a quotient that is no integer is never rounded up to one.
    return perKilowatt === 0 ? MAX_SAFE_INTEGER : Math.floor(left / perKilowatt);
  }

  #availableBeyond(pair: number, measure: Measure, usage: PairUsage, minutes: number, price: number): number {
    const index = pair * MEASURES.length + measure;
    const capacity = this.#sums.nearest(index);
    const used = usage.nearest(pair, measure);
    const perKilowatt = minutes * price;
    const error = (capacity + used) / perKilowatt * RELATIVE_ERROR;
    const least = Math.floor((capacity - used) / perKilowatt - error);
    const most = Math.floor((capacity - used) / perKilowatt + error);
    if (least >= MAX_SAFE_INTEGER) return MAX_SAFE_INTEGER;
    if (least === most) return Math.max(least, EXHAUSTED);

    const left = this.#sums.exact(index) - usage.exact(pair, measure);
    if (left <= 0n) return EXHAUSTED;
    if (perKilowatt === 0) return MAX_SAFE_INTEGER;
    const available = left / (BigInt(minutes) * BigInt(price));
    return available > MAX_SAFE_INTEGER ? MAX_SAFE_INTEGER : Number(available);
  }
}
