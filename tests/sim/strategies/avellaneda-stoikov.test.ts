import { describe, expect, test } from "bun:test";
import {
  AvellanedaStoikov,
  optimalSpread,
  reservationPrice,
  scaledParameters,
} from "../../../sim/strategies/avellaneda-stoikov.ts";
import { quoted } from "./support.ts";

const PAPER = { riskAversion: 0.1, volatility: 2, fillDecay: 1.5, horizonMs: 1_000, orderQuantity: 10 };
/** The same with a tick of a thousandth: prices of 100 are 100,000. */
const TICKS = { ...PAPER, riskAversion: 0.0001, volatility: 2_000, fillDecay: 0.0015 };
const MARKET = { lowestPrice: 0, highestPrice: 200_000, timeLeftMs: 500 };
const ACCOUNT = { fundamentalValue: 100_000, position: 20, buyQuantity: 100, sellQuantity: 100 };

describe("the market maker's prices", () => {
  test("move against inventory, by less towards the end", () => {
    expect(reservationPrice(100, 2, 0.5, PAPER)).toBeCloseTo(99.6, 12);
    expect(reservationPrice(100, -2, 1, PAPER)).toBeCloseTo(100.8, 12);
    expect(reservationPrice(100, 5, 0, PAPER)).toBe(100);
  });

  test("have the paper's spread", () => {
    // 20 ln(1 + 1 / 15) = 1.290770
    expect(optimalSpread(0, PAPER)).toBeCloseTo(1.29077, 5);
    expect(optimalSpread(0.5, PAPER)).toBeCloseTo(1.49077, 5);
  });
});

describe("the market maker", () => {
  test("quotes one order on each side of its reservation price, rounded away from it, wider as it is told", () => {
    const { bid, ask } = quoted(new AvellanedaStoikov(TICKS), MARKET, ACCOUNT);
    expect(bid).toEqual([Math.floor(99_600 - 745.385), 10]);
    expect(ask).toEqual([Math.ceil(99_600 + 745.385), 10]);
    const wide = quoted(new AvellanedaStoikov(TICKS), MARKET, { ...ACCOUNT, spreadFactor: 2 });
    expect(wide).toEqual({ bid: [Math.floor(99_600 - 1_490.77), 10], ask: [Math.ceil(99_600 + 1_490.77), 10] });
  });

  test("counts inventory in orders, and limits the time left to the horizon", () => {
    const maker = new AvellanedaStoikov(TICKS);
    const far = quoted(maker, { ...MARKET, timeLeftMs: Infinity }, ACCOUNT);
    expect(far).toEqual(quoted(maker, { ...MARKET, timeLeftMs: 1_000 }, ACCOUNT));
    expect(far.bid).toEqual([Math.floor(99_200 - (0.4 + 1.29077) / 2 * 1_000), 10]);
  });

  test("quotes only allowed sides and quantities", () => {
    const maker = new AvellanedaStoikov(TICKS);
    expect(quoted(maker, MARKET, { ...ACCOUNT, buyQuantity: 0 }).bid).toBeNull();
    expect(quoted(maker, MARKET, { ...ACCOUNT, sellQuantity: 4 }).ask?.[1]).toBe(4);
  });

  test("has the given half spread on average over the horizon", () => {
    for (const halfSpread of [0.745, 40, 200]) {
      const parameters = { ...scaledParameters(halfSpread, 10, PAPER), horizonMs: 1 };
      const spreads = Array.from({ length: 101 }, (_, at) => optimalSpread(at / 100, parameters));
      const mean = spreads.reduce((sum, spread) => sum + spread, 0) / spreads.length;
      expect(mean / 2 / halfSpread).toBeCloseTo(1, 2);
    }
  });
});
