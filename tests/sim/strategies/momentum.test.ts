import { describe, expect, test } from "bun:test";
import { BUY, SELL } from "../../../sim/market/order-book.ts";
import { Momentum } from "../../../sim/strategies/momentum.ts";
import { ACCOUNT, MARKET, observeTrades, quoted, update } from "./support.ts";

/** A strategy with averages of two and four trades, a band of 1 and a chase of at most 5, after these trades. */
function after(...prices: number[]): Momentum {
  const strategy = new Momentum({ shortLength: 2, longLength: 4, band: 1, greatestChase: 5 });
  observeTrades(strategy, prices);
  return strategy;
}

const BOOK = { bestBid: 198, bestAsk: 202, lastPrice: 200 };

describe("momentum", () => {
  test("buys at the best ask while the short average is above the long one", () => {
    expect(quoted(after(100, 100, 102, 104), BOOK, { buyQuantity: 7 })).toEqual({ bid: [202, 7], ask: null });
  });

  test("sells at the best bid while it is below", () => {
    expect(quoted(after(104, 102, 100, 100), BOOK, { sellQuantity: 7 })).toEqual({ bid: null, ask: [198, 7] });
  });

  test("does nothing within the band, before the long average is full, or without a last price", () => {
    // Averages 101 and 100: exactly the band apart.
    expect(quoted(after(99, 99, 101, 101), BOOK)).toEqual({ bid: null, ask: null });
    expect(quoted(after(100, 110, 120), BOOK)).toEqual({ bid: null, ask: null });
    expect(quoted(after(100, 100, 102, 104), { ...BOOK, lastPrice: null })).toEqual({ bid: null, ask: null });
  });

  test("doesn't follow prices too far from the last trade, and rests at the furthest", () => {
    const [rising, falling] = [after(100, 100, 102, 104), after(104, 102, 100, 100)];
    expect(quoted(rising, { ...BOOK, bestAsk: 230 }).bid).toEqual([205, 1]);
    expect(quoted(rising, { ...BOOK, bestAsk: null }).bid).toEqual([205, 1]);
    expect(quoted(falling, { ...BOOK, bestBid: 150 }).ask).toEqual([195, 1]);
  });

  test("learns from trades only", () => {
    const strategy = after(100, 100, 100, 100);
    for (const side of [BUY, SELL]) strategy.observe(update(side, 300, false));
    expect(quoted(strategy, { ...MARKET, ...BOOK }, ACCOUNT)).toEqual({ bid: null, ask: null });
  });
});
