// Means with intervals, and how values are spread. An interval holds the mean of endlessly many seeds in 95 of 100 studies, if
// what is summed up is about normal; it is Student's, so it is right for few seeds too.

export interface Spread {
  /** Number of values. */
  readonly runs: number;
  readonly mean: number;
  /** Half the width of the 95 % interval of the mean; null for fewer than two values. */
  readonly margin: number | null;
  readonly least: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly greatest: number;
}

const CONFIDENCE = 0.95;
const BISECTIONS = 60;
/** By degrees of freedom. */
const quantiles = new Map<number, number>();

/** Null without values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const count = values.length;
  if (count === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const mean = sum(values) / count;
  const deviation = Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (count - 1));
  return {
    runs: count,
    mean,
    margin: count < 2 ? null : studentQuantile(count - 1) * deviation / Math.sqrt(count),
    least: sorted[0]!,
    lowerQuartile: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upperQuartile: quantile(sorted, 0.75),
    greatest: sorted.at(-1)!,
  };
}

/** NaN without values. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN];
  return low + (high - low) * (place - Math.floor(place));
}

/** Student's t beyond which, on both sides, 5 % lie. */
export function studentQuantile(degrees: number): number {
  return quantiles.getOrInsertComputed(degrees, () => {
    // Between that of the normal distribution and that of one degree.
    let [low, high] = [1.9, 12.8];
    for (let step = 0; step < BISECTIONS; step += 1) {
      const middle = (low + high) / 2;
      if (shareWithin(middle, degrees) < CONFIDENCE) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  });
}

/** The share of Student's distribution between -t and t: Abramowitz and Stegun, 1964, formulas 26.7.3 and 26.7.4. */
function shareWithin(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const square = Math.cos(angle) ** 2;
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let series = degrees === 1 ? 0 : term;
  for (let at = isOdd ? 3 : 2; at < degrees; at += 2) {
    term *= square * (at - 1) / at;
    series += term;
  }
  return isOdd ? 2 / Math.PI * (angle + Math.sin(angle) * series) : Math.sin(angle) * series;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
