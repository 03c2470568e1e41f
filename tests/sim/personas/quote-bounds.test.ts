// What becomes of the quotes that a strategy wants: price and quantity that its persona may place.

import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { boundQuotes, setPriceBounds, wholeLots } from "../../../sim/personas/quote-bounds.ts";
import { Quotes } from "../../../sim/strategies/strategy.ts";

const MARKET = { tick: 5, lowestPrice: -100, highestPrice: 1_000, bestBid: 500 as number | null, bestAsk: 520 };
const TRADER = {
  contract: { lot: 100, tick: 5, minimumPrice: -1_000, maximumPrice: 2_000 },
  terms: { value: 500 },
  account: { buyQuantity: 450, sellQuantity: 350 },
  market: MARKET,
  strategy: { onlyTakes: false } as { onlyTakes: boolean } | null,
  behindOwnEntity: (_side: Side, price: number) => price,
  behindBlockingPrice: (_side: Side, price: number) => price,
};

/** The quotes that may be placed: the bid and the ask, each as price and quantity; null for none. */
function bound(bid: [price: number, kw: number], ask: [price: number, kw: number], about: Partial<typeof TRADER> = {}) {
  const quotes = new Quotes();
  quotes.set(BUY, ...bid);
  quotes.set(SELL, ...ask);
  boundQuotes({ ...TRADER, ...about } as never, quotes);
  return [
    quotes.bidQuantity > 0 ? [quotes.bidPrice, quotes.bidQuantity] : null,
    quotes.askQuantity > 0 ? [quotes.askPrice, quotes.askQuantity] : null,
  ];
}

describe("the quotes of a persona", () => {
  test("are on the tick, a bid down and an ask up, in whole lots within what each side is allowed", () => {
    expect(bound([498, 250], [522, 250])).toEqual([[495, 200], [525, 200]]);
    expect(bound([495, 900], [525, 900])).toEqual([[495, 400], [525, 300]]);
    expect(bound([-3, 100], [-3, 99])).toEqual([[-5, 100], null]);
    expect(bound([NaN, 100], [500, NaN])).toEqual([null, null]);
  });

  test("are both dropped if they would trade with each other, and one alone stays", () => {
    expect(bound([500, 100], [505, 100])).toEqual([[500, 100], [505, 100]]);
    expect(bound([505, 100], [505, 100])).toEqual([null, null]);
    expect(bound([510, 100], [505, 100])).toEqual([null, null]);
    expect(bound([510, 100], [505, 99])).toEqual([[510, 100], null]);
    expect(bound([510, 0], [505, 100])).toEqual([null, [505, 100]]);
  });

  test("are dropped outside of the bounds, which themselves are allowed", () => {
    expect(bound([-100, 100], [1_000, 100])).toEqual([[-100, 100], [1_000, 100]]);
    expect(bound([-101, 100], [1_001, 100])).toEqual([null, null]);
  });

  test("are behind what blocks them and behind the own entity, each on its side", () => {
    const behind = {
      behindBlockingPrice: (side: Side, price: number) => price - (side === BUY ? 10 : -20),
      behindOwnEntity: (side: Side, price: number) => price - (side === BUY ? 100 : -200),
    };
    expect(bound([500, 100], [505, 100], behind)).toEqual([[390, 100], [725, 100]]);
  });

  test.each<[string, [number, number], [number, number], Partial<typeof MARKET>, (number[] | null)[]]>([
    ["that reach the facing quotes", [520, 100], [525, 100], {}, [[520, 100], null]],
    ["that reach the best bid", [515, 100], [500, 100], {}, [null, [500, 100]]],
    ["of which none is there", [520, 100], [500, 100], { bestBid: null, bestAsk: null as never }, [null, null]],
  ])("of a strategy that only takes are those %s", (_name, bid, ask, market, expected) => {
    const taker = { strategy: { onlyTakes: true }, market: { ...MARKET, ...market } };
    expect(bound(bid, ask, taker)).toEqual(expected);
  });
});

test.each<[string, number, { collarCents: number; collarShare: number }, [lowest: number, highest: number]]>([
  ["is the collar around the valuation, rounded inwards", 503, { collarCents: 101, collarShare: 0 }, [405, 600]],
  ["is a share of the valuation, if that is more", 500, { collarCents: 100, collarShare: 0.5 }, [250, 750]],
  ["is as wide around a negative valuation", -500, { collarCents: 100, collarShare: 0.5 }, [-750, -250]],
  ["ends at the prices of the contract", 500, { collarCents: 9_999, collarShare: 0 }, [-1_000, 2_000]],
])("the range of prices %s", (_name, value, limits, expected) => {
  const market = { lowestPrice: 0, highestPrice: 0 };
  setPriceBounds({ ...TRADER, terms: { value }, market } as never, limits as never);
  expect([market.lowestPrice, market.highestPrice]).toEqual(expected);
});

test("a quantity is whole lots, none for less than one", () => {
  const of = (quantity: number) => wholeLots(TRADER as never, quantity);
  expect([99, 100, 199, 250, 0, -100, NaN].map(of)).toEqual([0, 100, 100, 200, 0, 0, 0]);
});
