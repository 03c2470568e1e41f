import { describe, expect, test } from "bun:test";
import { SingleUnitAuction } from "../../support/laboratory/single-unit-auction.ts";
import { LaboratoryTrader } from "../../support/laboratory/trader.ts";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { MarketUpdate, MarketView, Strategy } from "../../../sim/strategies/strategy.ts";

const RULES = { lowestPrice: 0, highestPrice: 400, idleQuotes: 50 };

/** A trader that quotes these prices in order, then repeats the last one. */
function caller(side: Side, limitPrice: number, prices: readonly number[], learn?: Strategy["observe"]) {
  let calls = 0;
  return new LaboratoryTrader(side, limitPrice, {
    quote: (_market, account, quotes) => {
      const price = prices[Math.min(calls++, prices.length - 1)];
      const quantity = side === BUY ? account.buyQuantity : account.sellQuantity;
      if (price !== undefined && quantity > 0) quotes.set(side, price, quantity);
    },
    observe: learn,
  });
}

function auctionOf(...traders: LaboratoryTrader[]): SingleUnitAuction {
  return new SingleUnitAuction(traders, RULES, new SeededRandom(1));
}

describe("a day of the auction", () => {
  test("trades at the resting quote's price, on either side", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const traders = [caller(BUY, 300, [250]), caller(SELL, 100, [150])];
      const { prices, surplus } = new SingleUnitAuction(traders, RULES, new SeededRandom(seed)).runDay();
      expect(prices).toHaveLength(1);
      expect([150, 250]).toContain(prices[0] ?? NaN);
      expect(surplus).toBe(200);
    }
  });

  test("ignores a quote that doesn't improve on the best of its side, and clears the book after a trade", () => {
    const seen: [bid: number | null, ask: number | null, isTrade: boolean, price: number][] = [];
    const note = (update: MarketUpdate, { bestBid, bestAsk }: MarketView) =>
      void seen.push([bestBid, bestAsk, update.isTrade, update.price]);
    auctionOf(caller(BUY, 300, [100, 90, 100, 120]), caller(SELL, 100, [399, 399, 399, 120], note)).runDay();
    let bestBid: number | null = null;
    for (const [bid, ask, isTrade, price] of seen) {
      if (isTrade) expect([bid, ask, price]).toEqual([null, null, 120]);
      else if (bid !== bestBid) expect(bid).toBeGreaterThan(bestBid ?? 0);
      bestBid = bid;
    }
    expect(seen.map(([bid]) => bid)).toContain(100);
    expect(seen.filter(([, , isTrade]) => isTrade)).toHaveLength(1);
  });

  test("gives every update to every learning trader, including ignored quotes, while the parties of a trade still have their units", () => {
    const updates: [Side, number, boolean][] = [];
    const active: number[] = [];
    const buyer = caller(BUY, 300, [50, 40, 150], (update, _market, account) => {
      updates.push([update.side, update.price, update.isTrade]);
      if (update.isTrade) active.push(account.buyQuantity);
    });
    auctionOf(buyer, caller(SELL, 100, [150])).runDay();
    expect(updates).toContainEqual([BUY, 40, false]);
    expect(updates).toContainEqual([SELL, 150, false]);
    expect(updates.filter(([, , isTrade]) => isTrade)).toHaveLength(1);
    expect(active).toEqual([1]);
  });

  test("ends after the given number of quotes without a trade", () => {
    let updates = 0;
    auctionOf(caller(BUY, 300, [10], () => updates++), caller(SELL, 100, [390])).runDay();
    expect(updates).toBe(RULES.idleQuotes);
  });

  test("counts a trader's turn without a quote, and gives no update", () => {
    let updates = 0;
    expect(auctionOf(caller(BUY, 300, [], () => updates++)).runDay()).toEqual({ prices: [], surplus: 0 });
    expect(updates).toBe(0);
  });

  test("lets each trader trade once a day", () => {
    const auction = auctionOf(
      ...[1, 2, 3].flatMap(() => [caller(BUY, 300, [250]), caller(SELL, 100, [150])]),
    );
    for (let day = 0; day < 3; day++) {
      const { prices, surplus } = auction.runDay();
      expect(prices).toHaveLength(3);
      expect(surplus).toBe(600);
    }
  });
});
