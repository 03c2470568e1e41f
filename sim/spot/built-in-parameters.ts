// The parameters of simulated spot prices. Most are fitted by scripts/spot/fit.ts. The rest can't be estimated from
// single hours and are chosen so that whole series have the statistics of real ones (docs/spot-model.md).

import { FITTED_PARAMETERS } from "./fitted-parameters.ts";
import type { SpotParameters } from "./spot-parameters.ts";

const { level, shape, base, spike, drop, spread } = FITTED_PARAMETERS;

/** The middle of the daily shape, and the local hours between the morning's and the evening's peak. */
const MIDDLE = shape.log.reduce((sum, each) => sum + each, 0) / 24;
const isMidday = (hour: number) => hour >= 8 && hour < 15;

export const SPOT_PARAMETERS: SpotParameters = {
  level,
  shape: {
    ...shape,
    // Cheaper nights and dearer days than in Texas, where scarcity in single evenings makes most of the difference.
    log: shape.log.map((log, hour) =>
      MIDDLE + (log - MIDDLE) * (log < MIDDLE ? 2.4 : 1.2) + (isMidday(hour) ? 0.2 : 0)
    ),
  },
  // Tight days come in runs and carry price from one day to the next, and their spikes are larger. The fit sees only a
  // third of this in the means of base hours, because on a tight day the tight hours are spikes.
  day: { memory: 0.97, price: 0.2, spikes: 1.4, drops: -1.2, spikeSize: 1 },
  // Turbulent days come in runs too: large changes follow large changes.
  turbulence: { memory: 0.9, sd: 1.4, most: 4 },
  base,
  spike: {
    ...spike,
    // Weekend spikes are rarer and smaller; one lower probability covers both.
    weekend: 0.7,
    // Severity is a matter of weeks, not of hours as in the fit: the size also has the part of tight days above.
    sizeLogMean: 0,
    sizeLogSd: 1.7,
    sizeMemory: 0.995,
  },
  drop,
  jumpMemory: 0.45,
  // Usual spreads are smaller than ERCOT West's, where 9 % of prices are negative.
  spread: {
    ...spread,
    upLogMean: spread.upLogMean - 1.5,
    downLogMean: spread.downLogMean - 1.5,
    // A few large ones among many small ones, and for days rather than hours.
    sizeLogSd: 1.7,
    sizeMemory: 0.985,
  },
  withinHour: { sd: 0.07, extremeSd: 0.12, memory: 0.7 },
  // ERCOT's offer cap of $5,000 and floor of -$250.
  minimumPriceCents: -25_000,
  maximumPriceCents: 500_000,
};
