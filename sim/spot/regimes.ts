// The regimes of a node's price: the chain that moves between them, and which one a price shows.

import { DROP_RATIO, SPIKE_RATIO } from "./spot-parameters.ts";
import type { SpotRegime } from "./spot-prices.ts";

export const BASE = 0;
export const SPIKE = 1;
export const DROP = 2;
export type RegimeCode = typeof BASE | typeof SPIKE | typeof DROP;
export const REGIMES: readonly SpotRegime[] = ["base", "spike", "drop"];

/** However tight the day and large the event: a spike begins with at most this chance in an hour, a drop likewise. */
export const MOST_SPIKES_BEGIN = 0.6;
export const MOST_DROPS_BEGIN = 0.4;

/** What events do to the chances that spikes and drops begin at a node: factors. */
export interface Hazards {
  readonly spikes: number;
  readonly drops: number;
}
export const NO_HAZARDS: Hazards = { spikes: 1, drops: 1 };

/** Low draws are spikes and high ones drops, so that nodes with other chances part as little as these demand. */
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
  if (draw < Math.min(spikesBegin * hazards.spikes, MOST_SPIKES_BEGIN)) return SPIKE;
  return draw >= 1 - Math.min(dropsBegin * hazards.drops, MOST_DROPS_BEGIN) ? DROP : BASE;
}

/** The regime that a price shows: by its ratio to the normal price. */
export function regimeOf(priceCents: number, normalCents: number): RegimeCode {
  if (priceCents > SPIKE_RATIO * normalCents) return SPIKE;
  return priceCents < DROP_RATIO * normalCents ? DROP : BASE;
}
