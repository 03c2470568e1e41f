// Integers that are exact at any size and fast up to 2^53.
//
// Invariant: an ExactInteger is a number if it is a safe integer, and a bigint otherwise. It is never -0. So two of them
// may be compared with ===, < and >, whatever their types.
//
// Cost: O(1) without allocation while operands and result are safe integers.

export type ExactInteger = number | bigint;

const { MAX_SAFE_INTEGER } = Number;
const POWERS_OF_TEN = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

export function exactOf(value: number | bigint): ExactInteger {
  const nearest = Number(value);
  return Number.isSafeInteger(nearest) ? nearest : value;
}

/** The integer that was written as text. */
export function exactFrom(text: string): ExactInteger {
  return exactOf(BigInt(text));
}

export function sumOf(one: ExactInteger, other: ExactInteger): ExactInteger {
  if (typeof one === "number" && typeof other === "number") {
    // A sum that is not exact is at least 2^53, so it is not safe.
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return exactOf(BigInt(one) + BigInt(other));
}

/** one - other. */
export function differenceOf(one: ExactInteger, other: ExactInteger): ExactInteger {
  return sumOf(one, negativeOf(other));
}

export function negativeOf(value: ExactInteger): ExactInteger {
  return typeof value === "number" ? 0 - value : -value;
}

export function productOf(one: ExactInteger, other: ExactInteger): ExactInteger {
  if (typeof one === "number" && typeof other === "number") {
    const product = one * other;
    // Adding 0 turns -0 into 0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return exactOf(BigInt(one) * BigInt(other));
}

/** value / divisor, rounded to the nearest integer, half away from zero. `divisor`: a safe integer above 0. */
export function roundedQuotient(value: ExactInteger, divisor: number): ExactInteger {
  return typeof value === "number" && divisor <= MAX_SAFE_INTEGER / 2
    ? roundedSafeQuotient(value, divisor)
    : exactOf(roundedDivision(BigInt(value), BigInt(divisor)));
}

/** `value`: a safe integer; `divisor`: an integer from 1 to 2^52. */
function roundedSafeQuotient(value: number, divisor: number): number {
  // The integer is exact: up to 2^53 the division never rounds a fraction up to an integer.
  const toZero = Math.trunc(value / divisor);
  const remainder = value - toZero * divisor;
  if (2 * Math.abs(remainder) < divisor) return toZero + 0;
  return value < 0 ? toZero - 1 : toZero + 1;
}

/** numerator / denominator (above 0), rounded to the nearest integer, half away from zero. */
export function roundedDivision(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/**
 * The double nearest to numerator / denominator (above 0), rounded to `decimals` places, half away from zero. The division
 * is exact up to that rounding.
 */
export function roundedNumber(numerator: ExactInteger, denominator: ExactInteger, decimals: number): number {
  const units = roundedUnits(numerator, denominator, decimals);
  const power = POWERS_OF_TEN[decimals];
  // Both are exact, so their quotient is the double nearest to the decimal number.
  if (typeof units === "number" && power !== undefined) return units / power;
  return nearestDecimal(BigInt(units), decimals);
}

/** The same in units of the last place, exactly. */
export function roundedUnits(numerator: ExactInteger, denominator: ExactInteger, decimals: number): ExactInteger {
  const power = POWERS_OF_TEN[decimals] ?? Infinity;
  // The remainder x power, and twice a remainder of that, are then safe too.
  if (typeof numerator === "number" && typeof denominator === "number" && denominator * power <= MAX_SAFE_INTEGER / 2) {
    const whole = Math.trunc(numerator / denominator);
    const remainder = numerator - whole * denominator;
    const units = whole * power + roundedSafeQuotient(remainder * power, denominator);
    // Adding 0 turns -0 into 0.
    if (Number.isSafeInteger(units)) return units + 0;
  }
  return exactOf(roundedDivision(BigInt(numerator) * 10n ** BigInt(decimals), BigInt(denominator)));
}

/** The double nearest to units / 10^decimals. */
function nearestDecimal(units: bigint, decimals: number): number {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const sign = units < 0n ? "-" : "";
  return Number(`${sign}${digits.slice(0, point)}.${digits.slice(point)}`);
}
