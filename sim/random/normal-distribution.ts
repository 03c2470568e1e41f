// The standard normal distribution: the probability below a value, and its inverse. Errors are below 1e-7: enough for
// probabilities that are multiplied and added, not for the far tails.

/** The probability of a value below `value` (Abramowitz & Stegun, 26.2.17). */
export function normalChance(value: number): number {
  const distance = Math.abs(value);
  if (distance > 38) return value < 0 ? 0 : 1;
  const t = 1 / (1 + 0.2316419 * distance);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const beyond = Math.exp(-distance * distance / 2) * INVERSE_ROOT_OF_TWO_PI * polynomial;
  return value < 0 ? beyond : 1 - beyond;
}

const INVERSE_ROOT_OF_TWO_PI = 1 / Math.sqrt(2 * Math.PI);

/** Below this probability, and above its complement, the tail's approximation is used. */
const TAIL = 0.02425;

/** The value below which a share `chance` of the values is, by Acklam's approximation (2003); infinite for 0 and 1. */
export function normalQuantile(chance: number): number {
  if (chance <= 0) return -Infinity;
  if (chance >= 1) return Infinity;
  if (chance < TAIL) return tailQuantile(chance);
  if (chance > 1 - TAIL) return -tailQuantile(1 - chance);
  const q = chance - 0.5;
  const r = q * q;
  const numerator =
    ((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.38357751867269e2) * r -
        3.066479806614716e1) * r + 2.506628277459239;
  const denominator =
    ((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r -
        1.328068155288572e1) * r + 1;
  return q * numerator / denominator;
}

function tailQuantile(chance: number): number {
  const q = Math.sqrt(-2 * Math.log(chance));
  const numerator =
    ((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q +
        4.374664141464968) * q + 2.938163982698783;
  const denominator =
    (((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1;
  return numerator / denominator;
}
