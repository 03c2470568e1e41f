import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { ZeroIntelligencePlus } from "../../../sim/strategies/zip.ts";
import { ACCOUNT, ChosenRandom, MARKET, quoted, update } from "./support.ts";

const LIMIT = 100;

/** Margin .2, learning rate .3, momentum .05; each change then draws a relative step of 2 % and an absolute one of 3. */
function trader(side: Side, changes = 0): ZeroIntelligencePlus {
  const draws = Array.from({ length: changes }, () => [0.4, 0.6]).flat();
  return new ZeroIntelligencePlus({ side, random: new ChosenRandom(0.5, 0.5, 0.5, ...draws), priceScale: 5 });
}

function observe(strategy: ZeroIntelligencePlus, side: Side, price: number, isTrade: boolean, quantity = 1): number {
  strategy.observe(update(side, price, isTrade), MARKET, {
    ...ACCOUNT,
    limitPrice: LIMIT,
    buyQuantity: quantity,
    sellQuantity: quantity,
  });
  return strategy.price(LIMIT);
}

describe("ZIP", () => {
  test("starts with a margin of 5 to 35 % from its limit, in its favour", () => {
    for (const [draw, margin] of [[0, 0.05], [0.5, 0.2], [1, 0.35]] as const) {
      const setup = () => ({ random: new ChosenRandom(draw, 0, 0), priceScale: 5 });
      expect(new ZeroIntelligencePlus({ side: SELL, ...setup() }).price(LIMIT)).toBeCloseTo(100 * (1 + margin), 9);
      expect(new ZeroIntelligencePlus({ side: BUY, ...setup() }).price(LIMIT)).toBeCloseTo(100 * (1 - margin), 9);
    }
  });

  test("quotes its price, rounded in its favour", () => {
    expect(quoted(trader(SELL), {}, { limitPrice: 101, sellQuantity: 4 })).toEqual({ bid: null, ask: [122, 4] });
    expect(quoted(trader(BUY), {}, { limitPrice: 101 })).toEqual({ bid: [80, 1], ask: null });
  });

  test("raises a seller's price after a trade at that price or higher, with momentum", () => {
    const seller = trader(SELL, 2);
    // Target 130 x 1.02 + 3 = 135.6; .95 x .3 of the way from 120.
    expect(observe(seller, BUY, 130, true)).toBeCloseTo(120 + 0.285 * 15.6, 9);
    // Target 110 x .98 - 3 = 104.8, and .05 of the last change, 4.446.
    expect(observe(seller, BUY, 110, true)).toBeCloseTo(124.446 + 0.05 * 4.446 + 0.285 * (104.8 - 124.446), 9);
  });

  test("mirrors this for a buyer", () => {
    // Target 70 x .98 - 3 = 65.6.
    expect(observe(trader(BUY, 1), SELL, 70, true)).toBeCloseTo(80 + 0.285 * (65.6 - 80), 9);
    // Target 90 x 1.02 + 3 = 94.8.
    expect(observe(trader(BUY, 1), SELL, 90, true)).toBeCloseTo(80 + 0.285 * (94.8 - 80), 9);
  });

  // Whether the update is of its own side and traded, at a price less demanding than the trader's own.
  test.each([
    ["a trade of the other side's quote", false, true, true],
    ["an untraded quote of its own side", true, false, true],
    ["a trade of its own side's quote", true, true, false],
    ["an untraded quote of the other side", false, false, false],
  ])("demands less or not after %s at a price less demanding than its own", (_, isOwnSide, isTrade, givesWay) => {
    for (const [own, other, price] of [[SELL, BUY, 110], [BUY, SELL, 90]] as const) {
      const strategy = trader(own, 1);
      const before = strategy.price(LIMIT);
      const after = observe(strategy, isOwnSide ? own : other, price, isTrade);
      const less = own === SELL ? before - after : after - before;
      if (givesWay) expect(less).toBeGreaterThan(0);
      else expect(less).toBe(0);
    }
  });

  test("at exactly its own price, demands more after a trade, and less after an untraded quote of its own side", () => {
    expect(observe(trader(SELL, 1), SELL, 120, true)).toBeGreaterThan(120);
    expect(observe(trader(SELL, 1), SELL, 120, false)).toBeLessThan(120);
    expect(observe(trader(BUY, 1), BUY, 80, true)).toBeLessThan(80);
    expect(observe(trader(BUY, 1), BUY, 80, false)).toBeGreaterThan(80);
    // Between ticks its own price is the one that it quotes: 124.446 asks 125, and 75.554 bids 75.
    for (const [side, other, trade, quote] of [[SELL, BUY, 130, 125], [BUY, SELL, 70, 75]] as const) {
      const strategy = trader(side, 2);
      const before = observe(strategy, other, trade, true);
      const moved = observe(strategy, side, quote, false) - before;
      expect(side === SELL ? -moved : moved).toBeGreaterThan(0);
    }
  });

  test("with nothing left to trade, may demand more but never less", () => {
    expect(observe(trader(SELL, 1), BUY, 110, true, 0)).toBe(120);
    expect(observe(trader(SELL, 1), SELL, 110, false, 0)).toBe(120);
    expect(observe(trader(SELL, 1), BUY, 130, true, 0)).toBeGreaterThan(120);
  });

  test("never demands less than its limit, and a buyer's price never falls below 0", () => {
    const seller = trader(SELL, 200);
    for (let count = 0; count < 200; count++) expect(observe(seller, BUY, 10, true)).toBeGreaterThanOrEqual(LIMIT);
    expect(seller.price(LIMIT)).toBe(LIMIT);
    const buyer = trader(BUY, 200);
    for (let count = 0; count < 200; count++) expect(observe(buyer, SELL, 0, true)).toBeGreaterThanOrEqual(0);
  });

  test("keeps its margin on the right side of negative and zero limits", () => {
    expect(trader(SELL).price(-100)).toBeCloseTo(-80, 9);
    expect(trader(BUY).price(-100)).toBeCloseTo(-120, 9);
    expect(trader(SELL).price(0)).toBeCloseTo(1, 9);
    expect(trader(BUY).price(0)).toBeCloseTo(-1, 9);
    // A seller asks -80 for -100. After a trade at -70 its target is above that: -70 + 70 x .02 + 3 = -65.6.
    const seller = trader(SELL, 1);
    const account = { ...ACCOUNT, limitPrice: -100 };
    seller.observe(update(BUY, -70, true), { ...MARKET, lowestPrice: -500 }, account);
    expect(seller.price(-100)).toBeCloseTo(-80 + 0.285 * (-65.6 + 80), 9);
  });
});
