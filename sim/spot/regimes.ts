// The regimes of a node's price: the Markov chain between them, and the regime of a given price.

import { DROP_RATIO, SPIKE_RATIO } from "./spot-parameters.ts";
import type { SpotRegime } from "./spot-prices.ts";

export const BASE = 0;
export const SPIKE = 1;
export const DROP = 2;
export type RegimeCode = typeof BASE | typeof SPIKE | typeof DROP;
export const REGIMES: readonly SpotRegime[] = ["base", "spike", "drop"];

/** Upper bounds of the hourly probabilities that a spike or drop begins, for any tightness and events. */
export const MAX_SPIKE_CHANCE = 0.6;
export const MAX_DROP_CHANCE = 0.4;

/** Factors of events on the probabilities that spikes and drops begin at a node. */
export interface Hazards {
  readonly spikes: number;
  readonly drops: number;
}
export const NO_HAZARDS: Hazards = { spikes: 1, drops: 1 };

/** Low draws give spikes and high draws drops, so nodes with different probabilities differ as rarely as possible. */
export function nextRegime(
  regime: RegimeCode,
  draw: number,
  hazards: Hazards,
  spikesBegin: number,
  dropsBegin: number,
  spikeStays: number,
  dropStays: number,
): RegimeCode {
  if (regime === SPIKE) return draw < spikeStays ? SPIKE : BASE;
  if (regime === DROP) return draw >= 1 - dropStays ? DROP : BASE;
  if (draw < Math.min(spikesBegin * hazards.spikes, MAX_SPIKE_CHANCE)) return SPIKE;
  return draw >= 1 - Math.min(dropsBegin * hazards.drops, MAX_DROP_CHANCE) ? DROP : BASE;
}

/** The regime of a price, by its ratio to the normal price. */
export function regimeOf(priceCents: number, normalCents: number): RegimeCode {
  if (priceCents > SPIKE_RATIO * normalCents) return SPIKE;
  return priceCents < DROP_RATIO * normalCents ? DROP : BASE;
}
