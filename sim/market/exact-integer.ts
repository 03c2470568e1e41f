// Integers that are exact at any size and fast up to 2^53.
//
// Invariant: an ExactInteger is a number if it is a safe integer, and a bigint otherwise. It is never -0.
//
// Cost: O(1) without allocation while operands and result are safe integers.

export type ExactInteger = number | bigint;

export function exactOf(value: bigint): ExactInteger {
  const nearest = Number(value);
  return Number.isSafeInteger(nearest) ? nearest : value;
}

export function sumOf(one: ExactInteger, other: ExactInteger): ExactInteger {
  if (typeof one === "number" && typeof other === "number") {
    // A sum that is not exact is at least 2^53, so it is not safe.
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return exactOf(BigInt(one) + BigInt(other));
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
  if (typeof value === "number" && divisor <= Number.MAX_SAFE_INTEGER / 2) {
    const remainder = value % divisor;
    const toZero = (value - remainder) / divisor;
    return toZero + (2 * Math.abs(remainder) >= divisor ? Math.sign(value) : 0);
  }
  return exactOf(roundedDivision(BigInt(value), BigInt(divisor)));
}

/** numerator / denominator (above 0), rounded to the nearest integer, half away from zero. */
export function roundedDivision(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}
