import { describe, expect, test } from "bun:test";
import { Generator } from "../../../sim/strategies/generator.ts";
import { quoted } from "./support.ts";

const MARKET = { lowestPrice: -50_000, highestPrice: 500_000 };
/** It generates 100 in the contract, at 2,300. */
const ACCOUNT = {
  fundamentalValue: 4_300,
  sellQuantity: 1_000,
  buyQuantity: 1_000,
  physical: { quantity: 100, unitCost: 2_300 },
};
const generator = new Generator({ horizonMs: 1_000, buyBackPremium: 50 });

describe("the generator", () => {
  test("offers its capacity at marginal cost at delivery, and at the expected value long before", () => {
    expect(quoted(generator, { ...MARKET, timeLeftMs: 0 }, ACCOUNT)).toEqual({ bid: null, ask: [2_300, 100] });
    expect(quoted(generator, { ...MARKET, timeLeftMs: 500 }, ACCOUNT).ask).toEqual([3_300, 100]);
    expect(quoted(generator, { ...MARKET, timeLeftMs: Infinity }, ACCOUNT).ask).toEqual([4_300, 100]);
  });

  test("never sells below its marginal cost", () => {
    for (const fundamentalValue of [2_000, 0, -1_000]) {
      expect(quoted(generator, MARKET, { ...ACCOUNT, fundamentalValue }).ask).toEqual([2_300, 100]);
    }
  });

  test("offers its unsold capacity, up to the allowed quantity", () => {
    expect(quoted(generator, MARKET, { ...ACCOUNT, position: -70 }).ask?.[1]).toBe(30);
    expect(quoted(generator, MARKET, { ...ACCOUNT, sellQuantity: 20 }).ask?.[1]).toBe(20);
    expect(quoted(generator, MARKET, { ...ACCOUNT, position: -100 })).toEqual({ bid: null, ask: null });
  });

  test("buys back at a premium what it has sold and can't generate", () => {
    const physical = { quantity: 20, unitCost: 2_300 };
    expect(quoted(generator, MARKET, { ...ACCOUNT, physical, position: -70 })).toEqual({ bid: [4_350, 50], ask: null });
    expect(quoted(generator, MARKET, { ...ACCOUNT, physical, position: -70, buyQuantity: 30 }).bid?.[1]).toBe(30);
  });

  test("quotes nothing where it has no unit", () => {
    expect(quoted(generator, MARKET, { ...ACCOUNT, physical: null, position: -70 })).toEqual({ bid: null, ask: null });
  });
});
