import { describe, expect, test } from "bun:test";
import { normalChance, normalQuantile } from "../../../sim/random/normal-distribution.ts";

describe("the normal distribution", () => {
  // Abramowitz & Stegun, table 26.1.
  test.each([
    [0, 0.5],
    [0.5, 0.691462461274],
    [1, 0.841344746069],
    [1.96, 0.975002104852],
    [3, 0.998650101968],
  ])("has the published probability below %p", (value, chance) => {
    expect(Math.abs(normalChance(value) - chance)).toBeLessThan(1e-7);
    expect(Math.abs(normalChance(-value) - (1 - chance))).toBeLessThan(1e-7);
    expect(Math.abs(normalQuantile(chance) - value)).toBeLessThan(1e-7);
  });

  test("its quantile inverts its probability, also in the tails", () => {
    for (let value = -6; value <= 6; value += 0.01) {
      const back = normalChance(normalQuantile(normalChance(value)));
      expect(Math.abs(back - normalChance(value))).toBeLessThan(2e-7);
    }
  });

  test("has certain outcomes at infinity", () => {
    expect([0, 1].map(normalQuantile)).toEqual([-Infinity, Infinity]);
    expect([-Infinity, -50, 50, Infinity].map(normalChance)).toEqual([0, 0, 1, 1]);
  });
});
