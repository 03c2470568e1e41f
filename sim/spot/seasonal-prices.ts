// The mean ratios of price to normal price, at both nodes, where nothing is known of the state: by month, kind of day and
// hour, and summed over days. They are what a forecast goes to far out.

import { UNCONGESTED } from "./hourly-prices.ts";
import { CALENDAR_SLOTS, PEAK_END, PEAK_START } from "./local-calendar.ts";
import type { PriceTables } from "./price-tables.ts";
import { RatioForecast } from "./ratio-forecast.ts";
import { BASE, NO_HAZARDS } from "./regimes.ts";
import type { SpotParameters } from "./spot-parameters.ts";

/** For the first and the second node, in cents/MWh while the slow level is at its mean. */
export interface SeasonalPrices {
  /** Of each hour: places of LocalCalendar.slot. */
  readonly hours: readonly [Float64Array, Float64Array];
  /** Sums over the hours of each day, all of them and those of peak: places month * 2 + weekend. */
  readonly days: readonly [Float64Array, Float64Array];
  readonly peaks: readonly [Float64Array, Float64Array];
}

const WEEK = [false, false, false, false, false, true, true] as const;

export function seasonalPrices(parameters: SpotParameters, tables: PriceTables): SeasonalPrices {
  const both = (length: number) => [new Float64Array(length), new Float64Array(length)] as const;
  const [hours, days, peaks] = [both(CALENDAR_SLOTS), both(24), both(24)];
  for (let month = 0; month < 12; month++) {
    const forecast = new RatioForecast(parameters, tables, NOTHING_KNOWN);
    // The second week is as good as periodic; its last weekday and its last weekend day stay.
    for (const weekend of [...WEEK, ...WEEK]) {
      const kind = month * 2 + (weekend ? 1 : 0);
      for (const sums of [...days, ...peaks]) sums[kind] = 0;
      for (let hour = 0; hour < 24; hour++) {
        const slot = kind * 24 + hour;
        forecast.step(slot, hour === 0, NO_HAZARDS, NO_HAZARDS);
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
  baseLog: null,
  spikeSize: null,
  dropSize: null,
  spreadSize: null,
} as const;
