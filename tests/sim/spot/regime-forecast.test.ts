// The chances of spikes and drops one hour later, if they can be worked out by hand: tightness changes nothing, and nothing
// is known of the number that decides.

import { expect, test } from "bun:test";
import { NormalForecast } from "../../../sim/spot/normal-forecast.ts";
import type { PriceTables } from "../../../sim/spot/price-tables.ts";
import { RegimeForecast } from "../../../sim/spot/regime-forecast.ts";
import type { SpotParameters } from "../../../sim/spot/spot-parameters.ts";

const TABLES = {
  spike: { begins: [0.2, 0.4], stays: [0.9, 0.5] },
  drop: { begins: [0.1, 0.3], stays: [0.8, 0.6] },
} as unknown as PriceTables;
const INDIFFERENT = { day: { spikes: 0, drops: 0 } } as unknown as SpotParameters;

/** The chances after these hours, from these chances. */
function chances(spike: number, drop: number, hours: readonly { readonly slot: number; readonly factor?: number }[]) {
  const forecast = new RegimeForecast(INDIFFERENT, TABLES, spike, drop);
  forecast.beginDay(new NormalForecast(null, 0.5));
  for (const { slot, factor = 1 } of hours) forecast.step(slot, { spikes: factor, drops: factor }, 0, 0);
  return [forecast.spikeChance, forecast.dropChance];
}

test.each<[string, number[], number[]]>([
  ["both begin from hours that were neither", chances(0, 0, [{ slot: 0 }]), [0.2, 0.1]],
  ["a spike stays a spike, and no drop begins in it", chances(1, 0, [{ slot: 0 }]), [0.9, 0]],
  ["a drop stays a drop, and no spike begins in it", chances(0, 1, [{ slot: 0 }]), [0, 0.8]],
  ["each slot of the day has its own chances", chances(0, 0, [{ slot: 1 }]), [0.4, 0.3]],
  ["events multiply what begins", chances(0, 0, [{ slot: 0, factor: 2 }]), [0.4, 0.2]],
  ["an hour follows the other", chances(0, 0, [{ slot: 0 }, { slot: 1 }]), [
    0.2 * 0.5 + 0.7 * 0.4,
    0.1 * 0.6 + 0.7 * 0.3,
  ]],
])("%s", (_what, found, expected) => {
  for (const [at, chance] of found.entries()) expect(chance).toBeCloseTo(expected[at]!, 9);
});
