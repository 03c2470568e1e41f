// The part of the fit on base prices and the tightness of days. It splits the variance of log base ratios into an
// hourly autoregression and a part that lasts a day, and estimates the effect of tight days on spikes and drops.

import { BASE, DROP, type RegimeCode, SPIKE } from "../../sim/spot/regimes.ts";
import type { BaseRegime, DayTightness } from "../../sim/spot/spot-parameters.ts";
import { regimesOf } from "./extreme-regimes.ts";
import type { PriceHistory } from "./price-history.ts";
import { autocorrelation, meanOf, moments } from "../../sim/facts/moments.ts";

/** Lags of the fitted autocorrelations, in hours. */
const LAGS = [1, 2, 3, 4, 6, 8, 12] as const;
/** Minimum of base hours for a day to count. */
const MIN_BASE_HOURS = 6;
const STEP = 0.005;

export function fitBaseAndDay(
  { days }: PriceHistory,
  ratio: Float64Array,
): { base: BaseRegime; day: Omit<DayTightness, "spikeSize"> } {
  const regimes = regimesOf(ratio);
  const logs = ratio.map((each, at) => regimes[at] === BASE ? Math.log(each) : NaN);
  const { sd } = moments(logs.filter(Number.isFinite));
  const dayMeans = meansOfDays(days, logs);
  const memory = autocorrelation(dayMeans, 1);
  const { dayShare, hourMemory } = split(LAGS.map((lag) => autocorrelation(logs, lag)), memory);
  return {
    base: { sd: sd * Math.sqrt(1 - dayShare), memory: hourMemory },
    day: {
      memory,
      price: sd * Math.sqrt(dayShare),
      spikes: tilt(dayMeans, countsOfDays(days, regimes, SPIKE)),
      drops: tilt(dayMeans, countsOfDays(days, regimes, DROP)),
    },
  };
}

/** The day's share of the variance and the hourly memory that fit the autocorrelations best, by least squares. */
function split(measured: readonly number[], dayMemory: number): { dayShare: number; hourMemory: number } {
  let best = { dayShare: 0, hourMemory: 0, error: Infinity };
  for (let dayShare = 0; dayShare < 0.5; dayShare += STEP) {
    for (let hourMemory = 0.3; hourMemory < 1; hourMemory += STEP) {
      const error = LAGS.reduce((sum, lag, at) => {
        // At this lag, a share of 1 - lag / 24 of the pairs of hours is on the same day.
        const sameDay = 1 - lag / 24 + lag / 24 * dayMemory;
        const model = dayShare * sameDay + (1 - dayShare) * hourMemory ** lag;
        return sum + (model - measured[at]!) ** 2;
      }, 0);
      if (error < best.error) best = { dayShare, hourMemory, error };
    }
  }
  return best;
}

/** Means of the finite values of each day; NaN if there are too few. */
function meansOfDays(days: Uint32Array, values: Float64Array): Float64Array {
  const first = days[0]!;
  const sums = new Float64Array(days.at(-1)! - first + 1);
  const counts = new Float64Array(sums.length);
  values.forEach((value, at) => {
    if (!Number.isFinite(value)) return;
    sums[days[at]! - first]! += value;
    counts[days[at]! - first]! += 1;
  });
  return sums.map((sum, day) => counts[day]! < MIN_BASE_HOURS ? NaN : sum / counts[day]!);
}

/** Number of spells of a regime that begin on each day. */
function countsOfDays(days: Uint32Array, regimes: readonly RegimeCode[], regime: RegimeCode): Float64Array {
  const counts = new Float64Array(days.at(-1)! - days[0]! + 1);
  for (let at = 1; at < regimes.length; at++) {
    if (regimes[at] === regime && regimes[at - 1] === BASE) counts[days[at]! - days[0]!]! += 1;
  }
  return counts;
}

/**
 * The exponent b of a hazard exp(b k) with k standard normal. The mean of k weighted by the counts is b. The day's mean
 * in standard deviations is used as k.
 */
function tilt(dayMeans: Float64Array, counts: Float64Array): number {
  const known = Array.from(dayMeans.keys()).filter((day) => Number.isFinite(dayMeans[day]!));
  const { mean, sd } = moments(Float64Array.from(known, (day) => dayMeans[day]!));
  const weighted = meanOf(Float64Array.from(known, (day) => (dayMeans[day]! - mean) / sd * counts[day]!));
  return weighted / meanOf(Float64Array.from(known, (day) => counts[day]!));
}
