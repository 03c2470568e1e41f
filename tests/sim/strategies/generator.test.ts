import { describe, expect, test } from "bun:test";
import { Generator, marginalCost } from "../../../sim/strategies/generator.ts";
import { ChosenRandom, quoted } from "./support.ts";

/** Its marginal cost is 7 x 300 + 200 = 2,300. */
const UNIT = {
  capacity: 100,
  heatRate: 7,
  fuelPrice: 300,
  variableCost: 200,
  horizonMs: 1_000,
  buyBackPremium: 50,
  meanUpMs: 10_000,
  meanDownMs: 1_000,
};
const MARKET = { lowestPrice: -50_000, highestPrice: 500_000 };
const ACCOUNT = { fundamentalValue: 4_300, sellQuantity: 1_000, buyQuantity: 1_000 };

/** Up until 10,000 ms, down until 13,000 ms, then up for long. */
function generator(): Generator {
  const unit = new Generator(UNIT, new ChosenRandom(1, 3, 100));
  quoted(unit, { ...MARKET, time: 0 }, ACCOUNT);
  return unit;
}

describe("the generator", () => {
  test("has a marginal cost of heat rate times fuel price plus variable cost", () => {
    expect(marginalCost(UNIT)).toBe(2_300);
  });

  test("offers its capacity at marginal cost at delivery, and at the expected value long before", () => {
    expect(quoted(generator(), { ...MARKET, timeLeftMs: 0 }, ACCOUNT)).toEqual({ bid: null, ask: [2_300, 100] });
    expect(quoted(generator(), { ...MARKET, timeLeftMs: 500 }, ACCOUNT).ask).toEqual([3_300, 100]);
    expect(quoted(generator(), { ...MARKET, timeLeftMs: Infinity }, ACCOUNT).ask).toEqual([4_300, 100]);
  });

  test("never sells below its marginal cost", () => {
    for (const fundamentalValue of [2_000, 0, -1_000]) {
      expect(quoted(generator(), MARKET, { ...ACCOUNT, fundamentalValue }).ask).toEqual([2_300, 100]);
    }
  });

  test("offers its unsold capacity, up to the allowed quantity", () => {
    expect(quoted(generator(), MARKET, { ...ACCOUNT, position: -70 }).ask?.[1]).toBe(30);
    expect(quoted(generator(), MARKET, { ...ACCOUNT, sellQuantity: 20 }).ask?.[1]).toBe(20);
    expect(quoted(generator(), MARKET, { ...ACCOUNT, position: -100 })).toEqual({ bid: null, ask: null });
  });

  test("buys back sold capacity at a premium if an outage lasts into delivery", () => {
    const down = { ...MARKET, time: 11_000, timeLeftMs: 1_000 };
    expect(quoted(generator(), down, { ...ACCOUNT, position: -70 })).toEqual({ bid: [4_350, 70], ask: null });
    expect(quoted(generator(), down, ACCOUNT)).toEqual({ bid: null, ask: null });
  });

  test("keeps selling during an outage that ends before delivery, and after it", () => {
    expect(quoted(generator(), { ...MARKET, time: 11_000, timeLeftMs: 2_000 }, ACCOUNT).ask?.[1]).toBe(100);
    expect(quoted(generator(), { ...MARKET, time: 13_000, timeLeftMs: 100 }, ACCOUNT).ask?.[1]).toBe(100);
  });
});
