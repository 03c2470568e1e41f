// Forecast of a standard normal autoregression: the known value decays to mean 0, and the variance grows to 1. And the
// mean of a limited exponential of a normal value.

import { normalChance } from "../random/normal-distribution.ts";

/** A limit that is this many deviations away doesn't matter. */
const FAR = 3;

/** The mean of min(e^x, most), where x is normal; `most` is positive. */
export function meanOfLimitedExponential(mean: number, variance: number, most: number): number {
  const sd = Math.sqrt(variance);
  const distance = Math.log(most) - mean;
  // The values that make up the mean of an exponential lie around mean + variance.
  if (distance > FAR * sd + variance) return Math.exp(mean + variance / 2);
  if (sd < 1e-9) return Math.min(Math.exp(mean), most);
  return Math.exp(mean + variance / 2) * normalChance(distance / sd - sd) + most * normalChance(-distance / sd);
}

export class NormalForecast {
  readonly #noise: number;
  mean: number;
  variance: number;

  /** `value`: the value now; null if unknown. `memory`: autocorrelation of one step. */
  constructor(value: number | null, private readonly memory: number) {
    this.#noise = Math.sqrt(1 - memory ** 2);
    this.mean = value ?? 0;
    this.variance = value === null ? 1 : 0;
  }

  /** Advances by one step, whose innovation is normal with mean `known` and variance 1 - `share`. */
  step(known = 0, share = 0): void {
    this.mean = this.memory * this.mean + this.#noise * known;
    this.variance = this.memory ** 2 * this.variance + this.#noise ** 2 * (1 - share);
  }
}
