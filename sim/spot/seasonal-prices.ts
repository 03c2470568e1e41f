// Expected prices at both nodes without knowledge of the state, by month, kind of day and hour, and summed over days.
// Forecasts far ahead use them.

import { UNCONGESTED } from "./hourly-prices.ts";
import { CALENDAR_SLOTS, PEAK_END, PEAK_START } from "./local-calendar.ts";
import type { PriceTables } from "./price-tables.ts";
import { RatioForecast } from "./ratio-forecast.ts";
import { BASE, NO_HAZARDS } from "./regimes.ts";
import type { SpotParameters } from "./spot-parameters.ts";

/** For the first and second node, in cents/MWh while the slow level is at its mean. */
export interface SeasonalPrices {
  /** By hour, indexed by LocalCalendar.slot. */
  readonly hours: readonly [Float64Array, Float64Array];
  /** Sums over all hours and over the peak hours of a day, indexed by month * 2 + weekend. */
  readonly days: readonly [Float64Array, Float64Array];
  readonly peaks: readonly [Float64Array, Float64Array];
}

const WEEK = [false, false, false, false, false, true, true] as const;

/** By parameters, which nothing changes: most processes have the built-in ones, and computing the prices takes 2 ms. */
const known = new WeakMap<SpotParameters, SeasonalPrices>();

export function seasonalPrices(parameters: SpotParameters, tables: PriceTables): SeasonalPrices {
  const prices = known.get(parameters) ?? computed(parameters, tables);
  known.set(parameters, prices);
  return prices;
}

function computed(parameters: SpotParameters, tables: PriceTables): SeasonalPrices {
  const both = (length: number) => [new Float64Array(length), new Float64Array(length)] as const;
  const [hours, days, peaks] = [both(CALENDAR_SLOTS), both(24), both(24)];
  for (let month = 0; month < 12; month++) {
    const forecast = new RatioForecast(parameters, tables, NOTHING_KNOWN);
    // The second week is almost periodic. The values of its last weekday and last weekend day remain.
    for (const weekend of [...WEEK, ...WEEK]) {
      const kind = month * 2 + (weekend ? 1 : 0);
      for (const sums of [...days, ...peaks]) sums[kind] = 0;
      for (let hour = 0; hour < 24; hour++) {
        const slot = kind * 24 + hour;
        forecast.step(slot, hour === 0, NO_HAZARDS, NO_HAZARDS, tables.normalCents[slot]!);
        const isPeak = !weekend && hour >= PEAK_START && hour < PEAK_END;
        for (const [node, ratio] of [forecast.first, forecast.second].entries()) {
          const price = tables.normalCents[slot]! * ratio;
          hours[node]![slot] = price;
          days[node]![kind]! += price;
          if (isPeak) peaks[node]![kind]! += price;
        }
      }
    }
  }
  return { hours, days, peaks };
}

const NOTHING_KNOWN = {
  firstRegime: BASE,
  secondRegime: BASE,
  firstExcess: 0,
  secondExcess: 0,
  congestion: UNCONGESTED,
  spread: 0,
  tightness: null,
  turbulence: null,
  baseLog: null,
  spikeSize: null,
  dropSize: null,
  spreadSize: null,
} as const;
