// Exact integers and their rounding, compared with the same in bigint.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  differenceOf,
  exactFrom,
  exactOf,
  negativeOf,
  productOf,
  roundedDivision,
  roundedNumber,
  roundedQuotient,
  sumOf,
} from "../../../engine/market/exact-integer.ts";
import { size } from "../../support/sizes.ts";
import * as reference from "./support/bigint-units.ts";

const anyInteger = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -(2n ** 53n) - 3n, max: 3n - 2n ** 53n }),
);
const divisor = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));

describe("exact integers", () => {
  test("are those of bigint, and numbers as long as they are safe", () => {
    fc.assert(
      fc.property(anyInteger, anyInteger, divisor, (one, other, by) => {
        const [a, b] = [exactOf(one), exactOf(other)];
        const results = [
          [sumOf(a, b), one + other],
          [differenceOf(a, b), one - other],
          [productOf(a, b), one * other],
          [negativeOf(a), -one],
          [exactFrom(String(one)), one],
          [roundedQuotient(a, by), reference.roundedDivision(one, BigInt(by))],
          [exactOf(roundedDivision(one, BigInt(by))), reference.roundedDivision(one, BigInt(by))],
        ] as const;
        for (const [result, expected] of results) {
          expect(BigInt(result)).toBe(expected);
          expect(typeof result).toBe(Number.isSafeInteger(Number(expected)) ? "number" : "bigint");
          expect(Object.is(result, -0)).toBe(false);
        }
        expect([a < b, a === b, a > b]).toEqual([one < other, one === other, one > other]);
      }),
      { numRuns: size(500, 200_000) },
    );
  });

  test("are rounded half away from zero", () => {
    const cases = [[7, 2, 4], [-7, 2, -4], [6, 4, 2], [5, 4, 1], [-5, 4, -1], [0, 3, 0], [-1, 3, 0]] as const;
    for (const [value, by, expected] of cases) expect(roundedQuotient(value, by)).toBe(expected);
    expect(roundedDivision(-7n, 2n)).toBe(-4n);
  });
});

describe("a quotient for display", () => {
  test("is the nearest double to the decimal number that bigint gives", () => {
    const numerator = fc.oneof(
      anyInteger,
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      // Around the sizes at which the whole part, or the fraction, no longer fits.
      fc.tuple(fc.nat(70), fc.bigInt({ min: -3n, max: 3n })).map(([bits, more]) => (1n << BigInt(bits)) + more),
    );
    const denominator = fc.oneof(
      fc.constantFrom(1n, 2n, 3n, 600n, 1000n, 60_000n, 6_000_000n, 10n ** 9n),
      fc.bigInt({ min: 1n, max: 10n ** 10n }),
      fc.bigInt({ min: 2n ** 32n, max: 2n ** 54n }),
    );
    fc.assert(
      fc.property(numerator, denominator, fc.nat(8), (over, under, decimals) => {
        const result = roundedNumber(exactOf(over), exactOf(under), decimals);
        expect(Object.is(result, reference.roundedNumber(over, under, decimals))).toBe(true);
      }),
      { numRuns: size(5_000, 1_000_000) },
    );
  });

  test("is rounded half away from zero, exactly at the half", () => {
    const half = fc.tuple(
      fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }),
      fc.nat(6),
      fc.bigInt({ min: -1n, max: 1n }),
    );
    fc.assert(fc.property(half, ([units, decimals, more]) => {
      const [over, under] = [(2n * units + 1n) * 500n + more, 1000n * 10n ** BigInt(decimals)];
      const result = roundedNumber(exactOf(over), exactOf(under), decimals);
      expect(Object.is(result, reference.roundedNumber(over, under, decimals))).toBe(true);
    }));
    expect(roundedNumber(5, 2, 0)).toBe(3);
    expect(roundedNumber(-5, 2, 0)).toBe(-3);
    expect(roundedNumber(1, 3, 4)).toBe(0.3333);
    expect(roundedNumber(2, 3, 4)).toBe(0.6667);
    expect(roundedNumber(-1, 100_000, 2)).toBe(0);
    expect(roundedNumber(12_345, 1000, 3)).toBe(12.345);
  });
});
