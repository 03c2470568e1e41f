// Statistics of time series with gaps. A missing value is NaN; each statistic uses the values or pairs that are there, and
// is NaN if there are too few of them or if they never vary.

import { autocorrelation as autocorrelationOf, medianOf } from "./moments.ts";

/** Least number of values or pairs for a statistic. */
const LEAST = 30;
/** A variance ratio needs a series of at least so many times its horizon. */
const LEAST_HORIZONS = 4;

/** Changes from each value to the next; NaN if one of the two is missing. */
export function changesOf(values: Float64Array, lag = 1): Float64Array {
  return values.subarray(lag).map((value, at) => value - values[at]!);
}

/** NaN for values of 0 and less. */
export function logarithmsOf(values: Float64Array): Float64Array {
  return values.map((value) => value > 0 ? Math.log(value) : NaN);
}

export function present(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}

export function momentsOf(
  values: Float64Array,
): { readonly count: number; readonly mean: number; readonly variance: number } {
  let [count, sum] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
  }
  const mean = sum / count;
  let squares = 0;
  for (const value of values) if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  return { count, mean, variance: squares / count };
}

/** Over the pairs `lag` apart. */
export function autocorrelation(values: Float64Array, lag: number): number {
  let pairs = 0;
  for (let at = lag; at < values.length; at++) if (!Number.isNaN(values[at]! + values[at - lag]!)) pairs += 1;
  const result = pairs < LEAST ? NaN : autocorrelationOf(values, lag);
  return Number.isFinite(result) ? result : NaN;
}

/** The fourth central moment over the squared variance, less 3. */
export function excessKurtosis(values: Float64Array): number {
  const { count, mean, variance } = momentsOf(values);
  if (count < LEAST || variance === 0) return NaN;
  let sum = 0;
  for (const value of values) if (!Number.isNaN(value)) sum += (value - mean) ** 4;
  return sum / count / variance ** 2 - 3;
}

/**
 * The variance of changes over `horizon` steps, over `horizon` times that of changes over one step: overlapping changes,
 * with the correction for bias of Lo & MacKinlay (1988), VR(q) = Mr(q) + 1. 1 for a random walk.
 */
export function varianceRatio(values: Float64Array, horizon: number): number {
  const single = momentsOf(changesOf(values));
  if (single.count < LEAST_HORIZONS * horizon || single.variance === 0) return NaN;
  let [windows, squares] = [0, 0];
  for (let at = horizon; at < values.length; at++) {
    const deviation = values[at]! - values[at - horizon]! - horizon * single.mean;
    if (Number.isNaN(deviation)) continue;
    windows += 1;
    squares += deviation ** 2;
  }
  const longVariance = squares / (windows * horizon * (1 - horizon / single.count));
  return longVariance / (single.variance * single.count / (single.count - 1));
}

/** The median of the values that are there; NaN if there is none. */
export function medianOfPresent(values: Iterable<number>): number {
  return medianOf(present(Float64Array.from(values)));
}

/** Slope of the least-squares line through points; NaN if there are fewer than two different x. */
export function slopeOf(
  points: readonly { readonly x: number; readonly y: number; readonly weight: number }[],
): number {
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  const meanX = points.reduce((sum, { x, weight }) => sum + weight * x, 0) / total;
  const meanY = points.reduce((sum, { y, weight }) => sum + weight * y, 0) / total;
  const products = points.reduce((sum, { x, y, weight }) => sum + weight * (x - meanX) * (y - meanY), 0);
  const squares = points.reduce((sum, { x, weight }) => sum + weight * (x - meanX) ** 2, 0);
  return squares === 0 ? NaN : products / squares;
}
