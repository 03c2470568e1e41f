// How strategies set prices: on the tick, in the allowed range, never worse for the trader than intended.

import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import {
  bestOn,
  middleOf,
  priceWithinLimit,
  quantityOn,
  quoteAt,
  quoteWithinLimit,
  workingOn,
} from "../../../sim/strategies/quotes.ts";
import { Quotes } from "../../../sim/strategies/strategy.ts";
import { ACCOUNT, MARKET as ANY } from "./support.ts";

const MARKET = { ...ANY, tick: 10, lowestPrice: 100, highestPrice: 400 };

/** The price and quantity that is quoted on a side. */
function quotedOn(side: Side, quote: (quotes: Quotes) => void): number[] {
  const quotes = new Quotes();
  quote(quotes);
  const { bidPrice, bidQuantity, askPrice, askQuantity } = quotes;
  expect(side === BUY ? askQuantity : bidQuantity).toBe(0);
  const [price, quantity] = side === BUY ? [bidPrice, bidQuantity] : [askPrice, askQuantity];
  return quantity > 0 ? [price, quantity] : [];
}

describe("a quote", () => {
  test.each<[Side, number, number[]]>([
    [BUY, 255, [250]],
    [BUY, 250, [250]],
    [BUY, 999, [400]],
    [BUY, 100, [100]],
    [BUY, 99, []],
    [BUY, NaN, []],
    [SELL, 255, [260]],
    [SELL, 260, [260]],
    [SELL, 1, [100]],
    [SELL, 400, [400]],
    [SELL, 401, []],
    [SELL, NaN, []],
  ])("of side %d at %d is at %p", (side, price, expected) => {
    expect(quotedOn(side, (quotes) => quoteAt(MARKET, side, price, 3, quotes)))
      .toEqual(expected.flatMap((at) => [at, 3]));
    expect(quotedOn(side, (quotes) => quoteAt(MARKET, side, price, 0, quotes))).toEqual([]);
  });

  test.each<[Side, limit: number, price: number, expected: number]>([
    [BUY, 205, 180, 180],
    [BUY, 205, 300, 200],
    // A price below the range is moved into it, as far as the limit allows.
    [BUY, 205, 50, 100],
    [BUY, 90, 50, NaN],
    [BUY, 900, 999, 400],
    [SELL, 205, 300, 300],
    [SELL, 205, 180, 210],
    [SELL, 205, 999, 400],
    [SELL, 410, 999, NaN],
    [SELL, 50, 20, 100],
  ])(
    "of side %d with limit %d wanted at %d is at %d, for all that the side may trade",
    (side, limit, price, expected) => {
      const account = { ...ACCOUNT, limitPrice: limit, buyQuantity: 7, sellQuantity: 9 };
      expect(priceWithinLimit(MARKET, account, side, price)).toBe(expected);
      const quoted = quotedOn(side, (quotes) => quoteWithinLimit(MARKET, account, side, price, quotes));
      expect(quoted).toEqual(Number.isNaN(expected) ? [] : [expected, side === BUY ? 7 : 9]);
    },
  );
});

test("each side has its own quantity, best price and working order, and the middle needs both sides", () => {
  const account = { ...ACCOUNT, buyQuantity: 7, sellQuantity: 9, workingBid: 190, workingAsk: null };
  const market = { ...MARKET, bestBid: 200, bestAsk: null };
  const of = (side: Side) => [quantityOn(account, side), bestOn(market, side), workingOn(account, side)];
  expect([of(BUY), of(SELL)]).toEqual([[7, 200, 190], [9, null, null]]);
  const middles = [[200, 230], [200, null], [null, 230]] as const;
  expect(middles.map(([bestBid, bestAsk]) => middleOf({ bestBid, bestAsk }))).toEqual([215, null, null]);
});
