// The rules of every strategy with a limit price, for any market and any market updates before.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { STRATEGIES, type StrategyEntry } from "../../../sim/strategies/registry.ts";
import type { Account, MarketUpdate, MarketView } from "../../../sim/strategies/strategy.ts";
import { ACCOUNT, quoted } from "./support.ts";

const ONE_SIDED = Object.entries<StrategyEntry>(STRATEGIES).filter(([, { sides }]) => sides === "one");

const priceOrNone = fc.option(fc.integer({ min: -500, max: 900 }));
const markets: fc.Arbitrary<MarketView> = fc.record({
  time: fc.integer({ min: 0, max: 1e9 }),
  timeLeftMs: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 1e9 })),
  bestBid: priceOrNone,
  bestAsk: priceOrNone,
  lastPrice: priceOrNone,
  tick: fc.constantFrom(1, 5),
  lowestPrice: fc.constantFrom(0, -500),
  highestPrice: fc.constantFrom(400, 900),
});
const anyUpdate: fc.Arbitrary<MarketUpdate> = fc.record({
  side: fc.constantFrom<Side>(BUY, SELL),
  price: fc.integer({ min: -500, max: 900 }),
  quantity: fc.constant(1),
  isTrade: fc.boolean(),
});
const limits = fc.integer({ min: -600, max: 1000 });
const SCALES = { priceScale: 5, quantityScale: 1 };
const sides = fc.constantFrom<Side>(BUY, SELL);

describe.each(ONE_SIDED)("%s", (_, { make }) => {
  test("quotes within its limit, on its own side only, on the tick and in the contract's price range", () => {
    fc.assert(
      fc.property(
        sides,
        limits,
        fc.integer(),
        fc.array(fc.tuple(anyUpdate, markets), { maxLength: 30 }),
        markets,
        (side, limitPrice, seed, updates, market) => {
          const strategy = make({ side, random: new SeededRandom(seed), ...SCALES });
          const account: Account = { ...ACCOUNT, limitPrice };
          for (const [update, after] of updates) strategy.observe?.(update, after, account);
          const { bid, ask } = quoted(strategy, market, account);
          expect(side === BUY ? ask : bid).toBeNull();
          const price = (bid ?? ask)?.[0];
          if (price === undefined) return;
          expect(side === BUY ? price <= limitPrice : price >= limitPrice).toBe(true);
          expect(price).toBeWithin(market.lowestPrice, market.highestPrice + 1);
          expect(Math.abs(price % market.tick)).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("quotes nothing without a quantity to trade", () => {
    for (const side of [BUY, SELL] as const) {
      const strategy = make({ side, random: new SeededRandom(1), ...SCALES });
      expect(quoted(strategy, { bestBid: 150, bestAsk: 250 }, { buyQuantity: 0, sellQuantity: 0 }))
        .toEqual({ bid: null, ask: null });
    }
  });
});
