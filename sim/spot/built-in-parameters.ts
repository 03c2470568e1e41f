// The parameters of simulated spot prices. Most are fitted by scripts/spot/fit.ts. The rest can't be estimated from
// single hours and are chosen so that whole series have the statistics of real ones (docs/spot-model.md).

import { FITTED_PARAMETERS } from "./fitted-parameters.ts";
import type { SpotParameters } from "./spot-parameters.ts";

const { level, shape, base, spike, drop, spread } = FITTED_PARAMETERS;

export const SPOT_PARAMETERS: SpotParameters = {
  level,
  shape,
  // Tight days come in runs and carry price from one day to the next. The fit sees only a third of this in the means of
  // base hours, because on a tight day the tight hours are spikes.
  day: { memory: 0.94, price: 0.25, spikes: 1.3, drops: -1.2 },
  base,
  spike: {
    ...spike,
    // A jump builds up and decays over hours, so fewer and longer spells look like the spells that the fit counts.
    begins: spike.begins.map((chance) => chance * 0.75),
    stays: spike.stays.map((chance) => 1 - (1 - chance) * 0.8),
    // Weekend spikes are rarer and smaller; one lower probability covers both.
    weekend: 0.5,
    // ERCOT's spike sizes are more dispersed and less persistent than those of other markets: fewer prices above mean +
    // 3 sd, in shorter runs.
    sizeLogSd: 1.25,
    sizeMemory: 0.95,
  },
  drop,
  jumpMemory: 0.5,
  // Smaller spreads than ERCOT West's, where 9 % of prices are negative.
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
