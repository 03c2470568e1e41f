import { describe, expect, test } from "bun:test";
import { tailExponent } from "../../../sim/facts/moments.ts";

describe("the tail exponent", () => {
  /** Powers of 2, so that logs are whole multiples of log 2. The order does not matter. */
  const VALUES = Float64Array.of(1, 16, 2, 1, 128, 4, 1, 1, 1, 1);

  test.each([
    [0.1, 1, 1 / 3],
    [0.2, 2, 2 / (5 + 2)],
    [0.3, 3, 3 / (6 + 3 + 1)],
    [0.4, 4, 4 / (7 + 4 + 2 + 1)],
  ])(
    "of a share of %d is one over the mean log of the greatest %d, relative to the next below",
    (share, _, exponent) => {
      expect(tailExponent(VALUES, share)).toBeCloseTo(exponent / Math.LN2, 12);
    },
  );

  test("has the nearest whole number of values, and at least one", () => {
    expect(tailExponent(VALUES, 0.24)).toBe(tailExponent(VALUES, 0.2));
    expect(tailExponent(VALUES, 0.26)).toBe(tailExponent(VALUES, 0.3));
    expect(tailExponent(VALUES, 0.001)).toBe(tailExponent(VALUES, 0.1));
  });

  test("depends neither on the unit of the values nor on those further below", () => {
    const others = VALUES.map((value) => value === 1 ? 0.5 : value);
    expect(tailExponent(VALUES.map((value) => 1024 * value), 0.2)).toBeCloseTo(tailExponent(VALUES, 0.2), 12);
    expect(tailExponent(others, 0.2)).toBe(tailExponent(VALUES, 0.2));
  });
});
