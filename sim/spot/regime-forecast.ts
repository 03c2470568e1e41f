// Probabilities of spikes and drops in future hours. The tightness of a future day is normal; the chain of regimes runs
// at five values of it, weighted by Gauss-Hermite quadrature.

import { normalChance, normalQuantile } from "../random/normal-distribution.ts";
import type { NormalForecast } from "./normal-forecast.ts";
import type { PriceTables } from "./price-tables.ts";
import { type Hazards, MAX_DROP_CHANCE, MAX_SPIKE_CHANCE } from "./regimes.ts";
import type { SpotParameters } from "./spot-parameters.ts";

/** Zeros of the fifth Hermite polynomial for the standard normal, and their weights (Abramowitz & Stegun, 25.4.46). */
const POINTS = [-2.8569700138728, -1.3556261799742, 0, 1.3556261799742, 2.8569700138728] as const;
const WEIGHTS = [0.0112574113277, 0.2220759220056, 0.5333333333333, 0.2220759220056, 0.0112574113277] as const;
const COUNT = POINTS.length;

export class RegimeForecast {
  /** For each value of tightness, the probability of a spike and of a drop. */
  readonly #spike = new Float64Array(COUNT);
  readonly #drop = new Float64Array(COUNT);
  readonly #spikesBegin = new Float64Array(COUNT).fill(1);
  readonly #dropsBegin = new Float64Array(COUNT).fill(1);
  /** The values of tightness. */
  readonly #points = new Float64Array(COUNT);

  spikeChance: number;
  dropChance: number;
  /** Mean and variance of the tightness of days on which it is a spike now. */
  spikeTightness = 0;
  spikeTightnessVariance = 0;

  constructor(
    private readonly parameters: SpotParameters,
    private readonly tables: PriceTables,
    spike: number,
    drop: number,
  ) {
    this.#spike.fill(spike);
    this.#drop.fill(drop);
    this.spikeChance = spike;
    this.dropChance = drop;
  }

  copy(): RegimeForecast {
    const copy = new RegimeForecast(this.parameters, this.tables, this.spikeChance, this.dropChance);
    copy.#spike.set(this.#spike);
    copy.#drop.set(this.#drop);
    copy.#spikesBegin.set(this.#spikesBegin);
    copy.#dropsBegin.set(this.#dropsBegin);
    copy.#points.set(this.#points);
    return copy;
  }

  beginDay({ mean, variance }: NormalForecast): void {
    const { day } = this.parameters;
    this.#spike.fill(this.spikeChance);
    this.#drop.fill(this.dropChance);
    for (let at = 0; at < COUNT; at++) {
      const tightness = mean + Math.sqrt(variance) * POINTS[at]!;
      this.#points[at] = tightness;
      this.#spikesBegin[at] = Math.exp(day.spikes * tightness - day.spikes ** 2 / 2);
      this.#dropsBegin[at] = Math.exp(day.drops * tightness - day.drops ** 2 / 2);
    }
  }

  /**
   * Advances to the next hour. `spikes` and `drops`: factors of events on the probability that a spell begins. The normal
   * number that decides has mean `known` and variance 1 - `share`.
   */
  step(slot: number, { spikes, drops }: Hazards, known: number, share: number): void {
    const { spike, drop } = this.tables;
    const spikeStays = chanceBelow(spike.stays[slot]!, known, share);
    const dropStays = chanceBelow(drop.stays[slot]!, -known, share);
    let spikeChance = 0;
    let dropChance = 0;
    let tightness = 0;
    let squares = 0;
    for (let at = 0; at < COUNT; at++) {
      const base = 1 - this.#spike[at]! - this.#drop[at]!;
      const spikeBegins = Math.min(spike.begins[slot]! * spikes * this.#spikesBegin[at]!, MAX_SPIKE_CHANCE);
      const dropBegins = Math.min(drop.begins[slot]! * drops * this.#dropsBegin[at]!, MAX_DROP_CHANCE);
      this.#spike[at] = this.#spike[at]! * spikeStays + base * chanceBelow(spikeBegins, known, share);
      this.#drop[at] = this.#drop[at]! * dropStays + base * chanceBelow(dropBegins, -known, share);
      const weight = WEIGHTS[at]! * this.#spike[at]!;
      const point = this.#points[at]!;
      spikeChance += weight;
      dropChance += WEIGHTS[at]! * this.#drop[at]!;
      tightness += weight * point;
      squares += weight * point * point;
    }
    this.spikeChance = spikeChance;
    this.dropChance = dropChance;
    if (spikeChance === 0) return;
    this.spikeTightness = tightness / spikeChance;
    this.spikeTightnessVariance = Math.max(0, squares / spikeChance - this.spikeTightness ** 2);
  }
}

/** The probability of an outcome that has the probability `chance` before anything is known, and comes for low draws. */
export function chanceBelow(chance: number, known: number, share: number): number {
  return share === 0 ? chance : normalChance((normalQuantile(chance) - known) / Math.sqrt(1 - share));
}
