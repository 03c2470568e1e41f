// Moments of values, and how they depend on their neighbours.

export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

export function moments(values: Float64Array): { mean: number; sd: number } {
  const mean = meanOf(values);
  return { mean, sd: Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2))) };
}

/** The mean product of the pairs `lag` apart over the variance of all values. Pairs with a missing value (NaN) are left out. */
export function autocorrelation(values: Float64Array, lag: number): number {
  const { mean, sd } = moments(values.filter(Number.isFinite));
  let [sum, pairs] = [0, 0];
  for (let at = lag; at < values.length; at++) {
    const product = (values[at]! - mean) * (values[at - lag]! - mean);
    if (Number.isNaN(product)) continue;
    sum += product;
    pairs += 1;
  }
  return sum / pairs / sd ** 2;
}

/**
 * The exponent of the share of values above x in the tail, by Hill (1975): one over the mean log of the greatest values,
 * relative to the greatest value below them. `share`: of the values, in the tail.
 */
export function tailExponent(values: Float64Array, share: number): number {
  const sorted = values.toSorted().reverse();
  const count = Math.max(1, Math.round(values.length * share));
  let sum = 0;
  for (let at = 0; at < count; at++) sum += Math.log(sorted[at]! / sorted[count]!);
  return count / sum;
}
