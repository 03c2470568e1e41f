// The statistics for comparing simulated and real hourly prices of two nodes, as listed in docs/spot-model.md. In a
// series with gaps, lags count entries, not hours.

import { autocorrelation, meanOf, medianOf, moments } from "../../sim/facts/moments.ts";
import { type ShapeStatistics, shapeStatistics } from "./shape-statistics.ts";

export interface PriceSeries {
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** 1 on Saturdays and Sundays, local time. */
  readonly weekend: Uint8Array;
  /** Local hours, 0 to 23. */
  readonly hours: Uint8Array;
}

export interface SpotStatistics extends ShapeStatistics {
  /** Of the first node, in the unit of its prices. */
  readonly mean: number;
  readonly median: number;
  readonly sd: number;
  /** Lag-1 and lag-24 autocorrelation of asinh(price over the median absolute price). */
  readonly asinhLag1: number;
  readonly asinhLag24: number;
  /** Standard deviation of the hourly changes of that asinh. */
  readonly asinhReturnSd: number;
  readonly excessKurtosis: number;
  /** Shares from 0 to 1. */
  readonly negativeShare: number;
  readonly secondNegativeShare: number;
  readonly highShare: number;
  /** Mean length of the runs above mean + 3 sd, in hours. */
  readonly highRunHours: number;
  readonly priceCorrelation: number;
  readonly asinhReturnCorrelation: number;
  /** Weekend mean over weekday mean. */
  readonly weekendRatio: number;
  /** Standard deviation of the second node's price less the first's, in the unit of the prices. */
  readonly spreadSd: number;
}

export function spotStatistics(series: PriceSeries): SpotStatistics {
  const { first, second, weekend } = series;
  const { mean, sd } = moments(first);
  const asinh = asinhOf(first);
  const returns = changesOf(asinh);
  const isHigh = (price: number) => price > mean + 3 * sd;
  const high = shareOf(first, isHigh);
  return {
    mean,
    median: medianOf(first),
    sd,
    asinhLag1: autocorrelation(asinh, 1),
    asinhLag24: autocorrelation(asinh, 24),
    asinhReturnSd: moments(returns).sd,
    excessKurtosis: meanOf(first.map((price) => ((price - mean) / sd) ** 4)) - 3,
    negativeShare: shareOf(first, (price) => price < 0),
    secondNegativeShare: shareOf(second, (price) => price < 0),
    highShare: high,
    highRunHours: high * first.length / runsOf(first, isHigh),
    priceCorrelation: correlation(first, second),
    asinhReturnCorrelation: correlation(returns, changesOf(asinhOf(second))),
    weekendRatio: meanOf(first.filter((_, at) => weekend[at] === 1)) /
      meanOf(first.filter((_, at) => weekend[at] === 0)),
    spreadSd: moments(second.map((price, at) => price - first[at]!)).sd,
    ...shapeStatistics(series, asinh),
  };
}

function correlation(one: Float64Array, other: Float64Array): number {
  const [first, second] = [moments(one), moments(other)];
  return meanOf(one.map((value, at) => (value - first.mean) * (other[at]! - second.mean))) / (first.sd * second.sd);
}

function asinhOf(prices: Float64Array): Float64Array {
  const scale = medianOf(prices.map(Math.abs));
  return prices.map((price) => Math.asinh(price / scale));
}

export function changesOf(values: Float64Array): Float64Array {
  return values.subarray(1).map((value, at) => value - values[at]!);
}

function shareOf(values: Float64Array, holds: (value: number) => boolean): number {
  let count = 0;
  for (const value of values) if (holds(value)) count += 1;
  return count / values.length;
}

function runsOf(values: Float64Array, holds: (value: number) => boolean): number {
  let runs = 0;
  let inside = false;
  for (const value of values) {
    if (holds(value) && !inside) runs += 1;
    inside = holds(value);
  }
  return runs;
}
