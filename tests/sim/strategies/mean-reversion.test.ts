import { describe, expect, test } from "bun:test";
import { BUY } from "../../../engine/market/order-book.ts";
import { MeanReversion } from "../../../sim/strategies/mean-reversion.ts";
import { observeTrades, quoted, update } from "./support.ts";

/** The average is 200 after all three trades. */
function after(...prices: number[]): MeanReversion {
  const strategy = new MeanReversion({ length: 3, entryDistance: 10, exitGain: 4 });
  observeTrades(strategy, prices);
  return strategy;
}

const USUAL = [190, 200, 210];
const NOTHING = { bid: null, ask: null };

describe("mean reversion", () => {
  test("buys if the best ask is well below the average, and sells if the best bid is well above", () => {
    expect(quoted(after(...USUAL), { bestAsk: 190 }, { buyQuantity: 5 })).toEqual({ bid: [190, 5], ask: null });
    expect(quoted(after(...USUAL), { bestBid: 210 }, { sellQuantity: 5 })).toEqual({ bid: null, ask: [210, 5] });
  });

  test("does nothing closer to the average, on an empty book, or before the average is full", () => {
    expect(quoted(after(...USUAL), { bestBid: 209, bestAsk: 191 })).toEqual(NOTHING);
    expect(quoted(after(...USUAL))).toEqual(NOTHING);
    expect(quoted(after(200, 200), { bestAsk: 100 })).toEqual(NOTHING);
  });

  test("closes a position at its entry price plus a gain, at any market price", () => {
    const long = { position: 6, averagePrice: 190, sellQuantity: 10 };
    expect(quoted(after(...USUAL), { bestBid: 150, bestAsk: 160 }, long)).toEqual({ bid: null, ask: [194, 6] });
    const short = { position: -6, averagePrice: 210.5, buyQuantity: 4 };
    expect(quoted(after(...USUAL), { bestBid: 240, bestAsk: 250 }, short)).toEqual({ bid: [206, 4], ask: null });
    expect(quoted(after(...USUAL), {}, { ...long, sellQuantity: 5 })).toEqual({ bid: null, ask: [194, 5] });
    const small = { position: -3, averagePrice: 210, buyQuantity: 4 };
    expect(quoted(after(...USUAL), {}, small)).toEqual({ bid: [206, 3], ask: null });
  });

  test("learns from trades only", () => {
    const strategy = after(...USUAL);
    for (let count = 0; count < 3; count++) strategy.observe(update(BUY, 390, false));
    expect(quoted(strategy, { bestAsk: 191 })).toEqual(NOTHING);
  });
});
