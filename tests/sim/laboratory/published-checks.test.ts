// The results that the literature reports of these strategies, reproduced on our markets as means over many seeds.

import { describe, expect, test } from "bun:test";
import { withStrategyFigures } from "../../../scripts/strategy-figures.ts";
import {
  averageDay,
  makerFigures,
  mean,
  referenceMarkets,
  standardDeviation,
} from "../../support/laboratory/averages.ts";
import { inventoryMaker, symmetricMaker } from "../../support/laboratory/market-making.ts";
import type { DayResult } from "../../support/laboratory/reference-market.ts";
import type { StrategyName } from "../../../sim/strategies/registry.ts";
import { size } from "../../support/sizes.ts";

const SEEDS = size(80, 2_000);
const DAYS = 8;
const MAKER_SEEDS = size(1_500, 20_000);

const marketsOf = (strategy: StrategyName) => referenceMarkets(strategy, SEEDS, DAYS);
const inventoryMakerOf = (riskAversion: number) => makerFigures(inventoryMaker, riskAversion, MAKER_SEEDS);

/** Growth of alpha from day to day in one run, by least squares. */
function trendOf(days: readonly DayResult[]): number {
  const middle = (DAYS - 1) / 2;
  const products = days.map(({ alpha }, day) => (day - middle) * (alpha ?? NaN));
  return products.reduce((sum, value) => sum + value, 0) /
    days.reduce((sum, _, day) => sum + (day - middle) ** 2, 0);
}

describe(`on the reference market, over ${SEEDS} seeds`, () => {
  test("ZIC realises 95 to 98 % of the surplus at an alpha of 17 to 23, every day", () => {
    const results = marketsOf("zic");
    const days = Array.from({ length: DAYS }, (_, at) => averageDay(results, at + 1));
    expect(days.filter(({ efficiency }) => !(efficiency >= 95 && efficiency <= 98))).toEqual([]);
    expect(days.filter(({ alpha }) => !(alpha >= 17 && alpha <= 23))).toEqual([]);
  });

  test("ZIC's alpha has no trend over the days, because ZIC doesn't learn", () => {
    const trends = marketsOf("zic").map(trendOf);
    const standardError = standardDeviation(trends) / Math.sqrt(SEEDS);
    expect(Math.abs(mean(trends))).toBeLessThan(3 * standardError);
    // A relevant trend would be half a point a day, far outside this bound.
    expect(3 * standardError).toBeLessThan(0.5);
  });

  test("ZIP goes from an alpha of about 17 to below 4 by day 5, and to above 99 % of the surplus", () => {
    const results = marketsOf("zip");
    expect(averageDay(results, 1).alpha).toBeWithin(15, 19);
    expect(averageDay(results, 2).alpha).toBeWithin(4, 8);
    for (const day of [5, 6, 7, 8]) {
      const { alpha, efficiency } = averageDay(results, day);
      expect(alpha).toBeLessThan(4);
      expect(efficiency).toBeGreaterThan(99);
    }
  });

  test("AA realises above 99 % of the surplus from the first day, at prices converging to the equilibrium", () => {
    const results = marketsOf("aa");
    const alphas = [1, 2, 5, 8].map((day) => averageDay(results, day).alpha);
    expect(alphas).toEqual(alphas.toSorted((a, b) => b - a));
    expect(alphas[1]).toBeLessThan(5);
    for (const day of [1, 2, 5, 8]) expect(averageDay(results, day).efficiency).toBeGreaterThan(99);
  });

  test("GVWY markets are far less efficient than ZIC markets", () => {
    expect(averageDay(marketsOf("gvwy"), 1).efficiency).toBeLessThan(80);
  });
});

describe(`in the experiment of Avellaneda & Stoikov, over ${MAKER_SEEDS} seeds`, () => {
  test("the maker with a risk aversion of .1 earns 65 with a deviation of 6.5, and ends with an inventory of 0 ± 2.9", () => {
    const { profit, profitDeviation, inventory, inventoryDeviation, spread } = inventoryMakerOf(0.1);
    expect(profit).toBeWithin(64.3, 65.5);
    expect(profitDeviation).toBeWithin(6.2, 6.9);
    expect(inventory).toBeWithin(-0.25, 0.25);
    expect(inventoryDeviation).toBeWithin(2.75, 3.05);
    expect(spread).toBeWithin(1.48, 1.5);
  });

  test("the symmetric quoter of the same spread earns 68 with twice the deviation, and ends with three times the inventory", () => {
    const { profit, profitDeviation, inventoryDeviation, spread } = makerFigures(symmetricMaker, 0.1, MAKER_SEEDS);
    expect(profit).toBeWithin(67, 69);
    expect(profitDeviation).toBeWithin(12.5, 14.2);
    expect(inventoryDeviation).toBeWithin(8, 9);
    expect(spread).toBeWithin(1.48, 1.5);
  });

  test("higher risk aversion earns less, with less risk and less inventory", () => {
    const [bold, usual, timid] = [0.01, 0.1, 0.5].map(inventoryMakerOf);
    if (bold === undefined || usual === undefined || timid === undefined) throw new Error("no figures");
    for (const figure of ["profit", "profitDeviation", "inventoryDeviation"] as const) {
      expect(bold[figure]).toBeGreaterThan(usual[figure]);
      expect(usual[figure]).toBeGreaterThan(timid[figure]);
    }
  });
});

test("docs/strategies.md has the figures of these experiments", async () => {
  const document = await Bun.file(new URL("../../../docs/strategies.md", import.meta.url).pathname).text();
  expect(withStrategyFigures(document)).toBe(document);
});
