// The part of the fit on spikes and drops: when they begin, how long they last, and their sizes.

import { BASE, DROP, type RegimeCode, regimeOf, SPIKE } from "../../sim/spot/regimes.ts";
import { angleOfMonth } from "../../sim/spot/price-tables.ts";
import { DROP_RATIO, type ExtremeRegime, SPIKE_RATIO } from "../../sim/spot/spot-parameters.ts";
import type { PriceHistory } from "./price-history.ts";
import { meanOf, moments } from "../../sim/facts/moments.ts";

/** Smoothing weights of the hour before, the hour itself and the hour after, because single hours have few cases. */
const HOUR_WEIGHTS = [0.25, 0.5, 0.25] as const;
/** Lower bound of a size, so that its logarithm is finite. */
const MIN_SIZE = 0.002;

export function regimesOf(ratio: Float64Array): RegimeCode[] {
  return Array.from(ratio, (each) => regimeOf(each, 1));
}

export function fitExtremeRegime(
  { hours, months, weekend }: PriceHistory,
  ratio: Float64Array,
  regime: typeof SPIKE | typeof DROP,
): ExtremeRegime {
  const regimes = regimesOf(ratio);
  const chance = (before: RegimeCode, holds: (at: number) => boolean) => {
    let [cases, hits] = [0, 0];
    for (let at = 1; at < regimes.length; at++) {
      if (regimes[at - 1] !== before || !holds(at)) continue;
      cases += 1;
      if (regimes[at] === regime) hits += 1;
    }
    return hits / cases;
  };
  const byHour = (before: RegimeCode) =>
    smoothed(Array.from({ length: 24 }, (_, hour) => chance(before, (at) => hours[at] === hour)));
  const workdays = chance(BASE, (at) => weekend[at] === 0);
  const seasons = Array.from({ length: 12 }, (_, month) => chance(BASE, (at) => months[at] === month));
  const season = harmonicOfLog(seasons);
  const weekendRatio = chance(BASE, (at) => weekend[at] === 1) / workdays;
  // The factors of season and weekend have mean 1.
  const meanSeason = meanOf(Float64Array.from({ length: 12 }, (_, month) => Math.exp(seasonLog(season, month))));
  const meanFactor = meanSeason * (5 + 2 * weekendRatio) / 7;
  return {
    begins: byHour(BASE).map((each) => each / meanFactor),
    stays: byHour(regime),
    weekend: weekendRatio,
    ...season,
    ...fitSizes(ratio, regimes, regime),
  };
}

type Season = Pick<ExtremeRegime, "yearCosine" | "yearSine">;

/** The first harmonic of the logarithm. A month without cases counts as a tenth of the mean. */
function harmonicOfLog(values: readonly number[]): Season {
  const mean = meanOf(Float64Array.from(values));
  const logs = values.map((value) => Math.log(Math.max(value / mean, 0.1)));
  const project = (wave: (angle: number) => number) =>
    logs.reduce((sum, log, month) => sum + log * wave(angleOfMonth(month)), 0) * 2 / 12;
  return { yearCosine: project(Math.cos), yearSine: project(Math.sin) };
}

function seasonLog({ yearCosine, yearSine }: Season, month: number): number {
  return yearCosine * Math.cos(angleOfMonth(month)) + yearSine * Math.sin(angleOfMonth(month));
}

/** Log sizes beyond the threshold, and their correlation between consecutive hours of a spell. */
function fitSizes(ratio: Float64Array, regimes: readonly RegimeCode[], regime: typeof SPIKE | typeof DROP) {
  const logs = ratio.map((each) =>
    Math.log(Math.max(regime === SPIKE ? each - SPIKE_RATIO : DROP_RATIO - each, MIN_SIZE))
  );
  const { mean, sd } = moments(logs.filter((_, at) => regimes[at] === regime));
  return { sizeLogMean: mean, sizeLogSd: sd, sizeMemory: correlationOfPairs(logs, (at) => regimes[at] === regime) };
}

/** The correlation of consecutive values that both count. */
export function correlationOfPairs(values: Float64Array, counts: (at: number) => boolean): number {
  const places = Array.from(values.keys()).filter((at) => at > 0 && counts(at) && counts(at - 1));
  const one = Float64Array.from(places, (at) => values[at]!);
  const other = Float64Array.from(places, (at) => values[at - 1]!);
  const [first, second] = [moments(one), moments(other)];
  return meanOf(one.map((value, at) => (value - first.mean) * (other[at]! - second.mean))) / (first.sd * second.sd);
}

function smoothed(byHour: readonly number[]): number[] {
  const [before, itself, after] = HOUR_WEIGHTS;
  return byHour.map((value, hour) =>
    before * byHour[(hour + 23) % 24]! + itself * value + after * byHour[(hour + 1) % 24]!
  );
}
