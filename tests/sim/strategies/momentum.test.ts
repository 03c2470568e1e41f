import { describe, expect, test } from "bun:test";
import { Momentum } from "../../../sim/strategies/momentum.ts";
import { ACCOUNT, MARKET, quoted, update } from "./support.ts";
import { BUY } from "../../../engine/market/order-book.ts";

const HOUR = 3_600_000;
const TREND = { shortMs: HOUR / 2, longMs: 4 * HOUR, band: 1, fullTrend: 2 };
const PARAMETERS = { ...TREND, fullPosition: 40, leastChange: 5, greatestChase: 5 };
const LIMITS = { ...ACCOUNT, buyQuantity: 100, sellQuantity: 100 };
const NOTHING = { bid: null, ask: null };

/**
 * Has seen a mid of 200 and noise for 12 hours, then a rise by `slope` for each quarter of an hour. The market is that after
 * the last price.
 */
function after(slope: number, quarters: number) {
  const strategy = new Momentum(PARAMETERS);
  let time = 0;
  let market = MARKET;
  const see = (mid: number) => {
    time += HOUR / 4;
    market = { ...MARKET, time, bestBid: mid - 2, bestAsk: mid + 2 };
    strategy.observe(update(BUY, mid, true), market);
  };
  for (let quarter = 0; quarter < 48; quarter++) see(quarter % 2 === 0 ? 199 : 201);
  for (let quarter = 1; quarter <= quarters; quarter++) see(200 + slope * quarter);
  return { strategy, market };
}

describe("momentum", () => {
  test("buys at the best ask in a strong rise, and sells at the best bid in a strong fall, up to its full position", () => {
    const rising = after(10, 8);
    expect(quoted(rising.strategy, rising.market, LIMITS)).toEqual({ bid: [282, 40], ask: null });
    const falling = after(-10, 8);
    expect(quoted(falling.strategy, falling.market, LIMITS)).toEqual({ bid: null, ask: [118, 40] });
  });

  test("holds a position in proportion to the trend", () => {
    const { strategy, market } = after(2, 6);
    const [, some = 0] = quoted(strategy, market, LIMITS).bid ?? [];
    expect(some).toBeWithin(20, 40);
    expect(quoted(strategy, market, { ...LIMITS, position: some })).toEqual(NOTHING);
    expect(quoted(strategy, market, { ...LIMITS, position: some - 10 }).bid?.[1]).toBeCloseTo(10, 9);
    expect(quoted(strategy, market, { ...LIMITS, position: some + 10 }).ask?.[1]).toBeCloseTo(10, 9);
  });

  test("does nothing without a trend, before it has seen enough, or without a mid", () => {
    const flat = after(0, 8);
    expect(quoted(flat.strategy, flat.market, LIMITS)).toEqual(NOTHING);
    expect(quoted(new Momentum(PARAMETERS), { ...flat.market }, LIMITS)).toEqual(NOTHING);
    const rising = after(10, 8);
    expect(quoted(rising.strategy, { ...rising.market, bestBid: null }, LIMITS)).toEqual(NOTHING);
  });

  test("closes its position when the trend has ended or turned", () => {
    const ended = after(0, 40);
    expect(quoted(ended.strategy, ended.market, { ...LIMITS, position: 30 })).toEqual({ bid: null, ask: [198, 30] });
    expect(quoted(ended.strategy, ended.market, { ...LIMITS, position: -3 })).toEqual({ bid: [202, 3], ask: null });
    const turned = after(-10, 8);
    expect(quoted(turned.strategy, turned.market, { ...LIMITS, position: 30 }).ask?.[1]).toBe(70);
  });

  test("keeps a position in a trend that would not open one, unless the trend has turned", () => {
    const { strategy, market } = after(2.5, 4);
    expect(quoted(strategy, market, LIMITS)).toEqual(NOTHING);
    expect(quoted(strategy, market, { ...LIMITS, position: 16 })).toEqual(NOTHING);
    expect(quoted(strategy, market, { ...LIMITS, position: -16 }).bid?.[1]).toBe(16);
  });

  test("closes its position in a trend below half of the band, and opens none if the mid hardly moves", () => {
    const { strategy, market } = after(1.25, 4);
    expect(quoted(strategy, market, { ...LIMITS, position: 30 }).ask?.[1]).toBe(30);
    // The deviation is at least 5 x 3.5 h / sqrt(4 h x 9 h) = 2.9.
    const quiet = new Momentum(PARAMETERS);
    for (let quarter = 0; quarter <= 48; quarter++) {
      const mid = quarter < 44 ? 200 : 202;
      const seen = { time: quarter * HOUR / 4, bestBid: mid - 2, bestAsk: mid + 2 };
      expect(quoted(quiet, seen, LIMITS)).toEqual(NOTHING);
    }
  });

  test("doesn't follow quotes too far from the mid, and rests at the furthest", () => {
    const { strategy, market } = after(10, 8);
    expect(quoted(strategy, { ...market, bestBid: 200, bestAsk: 360 }, LIMITS).bid?.[0]).toBe(285);
    const falling = after(-10, 8);
    expect(quoted(falling.strategy, { ...falling.market, bestBid: 40, bestAsk: 200 }, LIMITS).ask?.[0]).toBe(115);
  });

  test("learns from the books that it sees when it quotes as from trades", () => {
    const strategy = new Momentum(PARAMETERS);
    let last: ReturnType<typeof quoted> = NOTHING;
    for (let quarter = 1; quarter <= 56; quarter++) {
      const mid = quarter > 48 ? 200 + 10 * (quarter - 48) : quarter % 2 === 1 ? 199 : 201;
      last = quoted(strategy, { time: quarter * HOUR / 4, bestBid: mid - 2, bestAsk: mid + 2 }, LIMITS);
    }
    expect(last).toEqual({ bid: [282, 40], ask: null });
  });

  test("trades at most the allowed quantity, and no less than its least change", () => {
    const { strategy, market } = after(10, 8);
    expect(quoted(strategy, market, { ...LIMITS, buyQuantity: 7 }).bid?.[1]).toBe(7);
    expect(quoted(strategy, market, { ...LIMITS, position: 35 }).bid?.[1]).toBe(5);
    expect(quoted(strategy, market, { ...LIMITS, position: 35.1 })).toEqual(NOTHING);
    const falling = after(-10, 8);
    expect(quoted(falling.strategy, falling.market, { ...LIMITS, sellQuantity: 6 }).ask?.[1]).toBe(6);
  });
});
