import { describe, expect, test } from "bun:test";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { Retailer } from "../../../sim/strategies/retailer.ts";
import { ChosenRandom, quoted } from "./support.ts";

const PARAMETERS = { forecastError: 0.1, firstShare: 0.25, firstPremium: -20, lastPremium: 60 };
/** It buys a load of 100 in the contract. */
const ACCOUNT = {
  fundamentalValue: 200,
  buyQuantity: 1_000,
  sellQuantity: 1_000,
  physical: { quantity: 100, unitCost: 0 },
};
const HORIZON = 10_000;

/** First sees the contract with the whole horizon left. `error`: of its first forecast, in standard deviations. */
function retailer(error = 0): Retailer {
  const strategy = new Retailer(PARAMETERS, new ChosenRandom(error));
  quoted(strategy, { timeLeftMs: HORIZON }, ACCOUNT);
  return strategy;
}

describe("the retailer", () => {
  test("buys a first share below the expected value at once, and no more of a contract without delivery", () => {
    expect(quoted(retailer(), { timeLeftMs: HORIZON }, ACCOUNT)).toEqual({ bid: [180, 25], ask: null });
    expect(quoted(retailer(), { timeLeftMs: Infinity }, ACCOUNT).bid).toEqual([180, 25]);
  });

  test("buys more, at a higher price, as delivery approaches", () => {
    expect(quoted(retailer(), { timeLeftMs: HORIZON / 2 }, { ...ACCOUNT, position: 25 }).bid).toEqual([220, 37.5]);
    expect(quoted(retailer(), { timeLeftMs: 0 }, { ...ACCOUNT, position: 80 }).bid).toEqual([260, 20]);
  });

  test("buys at most the share wanted so far, and at most the allowed quantity", () => {
    expect(quoted(retailer(), { timeLeftMs: HORIZON }, { ...ACCOUNT, position: 25 })).toEqual({ bid: null, ask: null });
    expect(quoted(retailer(), { timeLeftMs: 0 }, { ...ACCOUNT, buyQuantity: 3 }).bid?.[1]).toBe(3);
  });

  test("buys the whole load at the last premium if it first sees the contract at delivery", () => {
    const late = new Retailer(PARAMETERS, new ChosenRandom(0));
    expect(quoted(late, { timeLeftMs: 0 }, ACCOUNT)).toEqual({ bid: [260, 100], ask: null });
  });

  test("never expects less than no load", () => {
    const account = { ...ACCOUNT, position: 7 };
    expect(quoted(retailer(-20), { timeLeftMs: HORIZON }, ACCOUNT)).toEqual({ bid: null, ask: null });
    expect(quoted(retailer(-20), { timeLeftMs: HORIZON }, account).ask?.[1]).toBe(7);
  });

  test("sells its excess, at most the allowed quantity", () => {
    expect(quoted(retailer(), { timeLeftMs: 0 }, { ...ACCOUNT, position: 130, sellQuantity: 4 }).ask?.[1]).toBe(4);
    expect(quoted(retailer(), { timeLeftMs: 0 }, { ...ACCOUNT, position: 130 })).toEqual({ bid: null, ask: [260, 30] });
  });

  test("has a load forecast with an error that shrinks to 0 at delivery", () => {
    const wanted = (timeLeftMs: number) => quoted(retailer(2), { timeLeftMs }, ACCOUNT).bid?.[1] ?? NaN;
    expect(wanted(HORIZON)).toBeCloseTo(120 * 0.25, 9);
    expect(wanted(HORIZON / 4)).toBeCloseTo(110 * (0.25 + 0.75 * 0.75), 9);
    expect(wanted(0)).toBe(100);
    // The error is normal.
    const strategy = new Retailer(PARAMETERS, new SeededRandom(5));
    const [, first = NaN] = quoted(strategy, { timeLeftMs: HORIZON }, ACCOUNT).bid ?? [];
    expect(first).toBeCloseTo((100 + 10 * new SeededRandom(5).normal()) * 0.25, 9);
  });

  test("quotes nothing where it has no customers", () => {
    const account = { ...ACCOUNT, physical: null, position: 130 };
    expect(quoted(retailer(), { timeLeftMs: HORIZON }, account)).toEqual({ bid: null, ask: null });
  });
});
