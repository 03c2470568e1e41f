import { expect, test } from "bun:test";
import { allocativeEfficiency, greatestSurplus, smithsAlpha } from "../../support/laboratory/measures.ts";
import { LIMITS } from "../../support/laboratory/reference-market.ts";

test("Smith's alpha is the root mean square distance from the equilibrium price, in percent of it", () => {
  expect(smithsAlpha([200, 200], 200)).toBe(0);
  expect(smithsAlpha([190, 210], 200)).toBe(5);
  // Distances 30 and 40: the root of 1,250 is 35.36.
  expect(smithsAlpha([230, 160], 200)).toBeCloseTo(17.678, 3);
  expect(smithsAlpha([-190, -210], -200)).toBe(5);
});

test("without trades there is no alpha", () => {
  expect(smithsAlpha([], 200)).toBeNull();
});

test("the greatest surplus pairs the highest buyers with the lowest sellers as long as both gain", () => {
  expect(greatestSurplus([10, 30, 20], [25, 5, 15])).toBe(25 + 5);
  expect(greatestSurplus([10], [20])).toBe(0);
  expect(greatestSurplus([10, 9, 8], [1])).toBe(9);
  expect(greatestSurplus(LIMITS, LIMITS)).toBe(250 + 200 + 150 + 100 + 50);
});

test("efficiency is a share of the greatest surplus, and null without a surplus", () => {
  expect(allocativeEfficiency(15, 20)).toBe(75);
  expect(allocativeEfficiency(0, 0)).toBeNull();
});
