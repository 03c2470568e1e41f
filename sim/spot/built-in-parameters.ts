// The figures that simulated spot prices run on: what scripts/fit-spot.ts estimates, but for those that no estimate from
// single hours gives, which are chosen so that whole series have the statistics of real ones (docs/spot-model.md).

import { FITTED_PARAMETERS } from "./fitted-parameters.ts";
import type { SpotParameters } from "./spot-parameters.ts";

const { level, shape, base, spike, drop, spread } = FITTED_PARAMETERS;

export const SPOT_PARAMETERS: SpotParameters = {
  level,
  shape,
  // Tight days come in rows, and they carry the price of one day to the next. The means of base hours alone, which the
  // fit sees, show a third of it: on a tight day the tight hours are spikes.
  day: { memory: 0.9, price: 0.25, spikes: 1.3, drops: -1.2 },
  base,
  spike: {
    ...spike,
    // Since a jump builds up and dies away over hours, fewer and longer spells show as the spells that the fit counts.
    begins: spike.begins.map((chance) => chance * 0.75),
    stays: spike.stays.map((chance) => 1 - (1 - chance) * 0.8),
    // Weekend spikes are rarer and smaller; the chance stands for both.
    weekend: 0.5,
    // ERCOT's sizes are wider and forgotten faster: its prices above mean + 3 sd are fewer and their runs shorter than
    // those of other markets.
    sizeLogSd: 1.25,
    sizeMemory: 0.95,
  },
  drop,
  jumpMemory: 0.5,
  // A line weaker than that of ERCOT's West, where 9 % of prices are negative.
  spread: {
    ...spread,
    upLogMean: spread.upLogMean - 0.3,
    downLogMean: spread.downLogMean - 0.3,
    sizeLogSd: 1,
  },
  withinHour: { sd: 0.07, extremeSd: 0.12, memory: 0.7 },
  // ERCOT's offer cap of $5,000 and floor of -$250.
  minimumPriceCents: -25_000,
  maximumPriceCents: 500_000,
};
