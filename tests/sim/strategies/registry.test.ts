import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PERSONA_STRATEGIES } from "../../../protocol/simulator.ts";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { addStrategy, strategyEntry, strategyNames } from "../../../sim/strategies/known-strategies.ts";
import { STRATEGIES, type StrategyEntry } from "../../../sim/strategies/registry.ts";
import { EMPTY_ACCOUNT } from "../../../sim/strategies/strategy.ts";
import { quoted } from "./support.ts";

test("the strategies are those of the simulator's control API", () => {
  expect(Object.keys(STRATEGIES)).toEqual([...PERSONA_STRATEGIES]);
});

test("inherited properties are not strategy names", () => {
  expect(["zip", "avellaneda-stoikov"].every((name) => strategyEntry(name) !== undefined)).toBe(true);
  const inherited = ["ZIP", "", "toString", "__proto__", "constructor"];
  expect(inherited.some((name) => strategyEntry(name) !== undefined)).toBe(false);
});

test("a strategy is added once, under a name that is free", () => {
  const names = strategyNames();
  addStrategy("added", STRATEGIES.zic);
  expect(strategyEntry("added")).toBe(STRATEGIES.zic);
  expect(strategyNames()).toEqual([...names, "added"]);
  expect(() => addStrategy("added", STRATEGIES.zip)).toThrow("there is another strategy added");
  expect(() => addStrategy("zip", STRATEGIES.zip)).toThrow("there is another strategy zip");
});

const side = fc.constantFrom<Side>(BUY, SELL);
const price = fc.integer({ min: -2_000, max: 12_000 });
const priceOrNone = fc.option(price);
const quantity = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50_000 }));
const anyMarket = fc.record({
  time: fc.nat(1e9),
  timeLeftMs: fc.oneof(fc.constant(Infinity), fc.nat(1e9)),
  bestBid: priceOrNone,
  bestAsk: priceOrNone,
  lastPrice: priceOrNone,
  tick: fc.constantFrom(1, 5),
  lowestPrice: fc.constantFrom(0, -1_000),
  highestPrice: fc.constantFrom(4_000, 10_000),
});
const anyUpdate = fc.record({ side, price, quantity: fc.constant(1), isTrade: fc.boolean() });
const anyAccount = fc.record({
  limitPrice: fc.integer({ min: -3_000, max: 13_000 }),
  fundamentalValue: fc.double({ min: -2_000, max: 12_000, noNaN: true }),
  position: fc.integer({ min: -100_000, max: 100_000 }),
  averagePrice: priceOrNone,
  buyQuantity: quantity,
  sellQuantity: quantity,
  related: fc.option(
    fc.record({ bestBid: priceOrNone, bestAsk: priceOrNone, fundamentalValue: price, position: quantity }),
  ),
});
const updatesBefore = fc.array(fc.tuple(anyUpdate, anyMarket), { maxLength: 40 });

describe.each(Object.entries<StrategyEntry>(STRATEGIES))("%s", (_, { make, sides }) => {
  test(
    "quotes on the tick, in the contract's price range and the allowed quantity, and never crosses its own quote; with a " +
      "limit price, on its own side only and within the limit",
    () => {
      const property = fc.property(
        side,
        fc.integer(),
        updatesBefore,
        anyMarket,
        anyAccount,
        (side, seed, updates, market, account) => {
          const strategy = make({ side, random: new SeededRandom(seed), priceScale: 40, quantityScale: 1_000 });
          for (const [update, after] of updates) strategy.observe?.(update, after, { ...EMPTY_ACCOUNT, ...account });
          const { bid, ask } = quoted(strategy, market, account);
          for (const [price] of [bid, ask].filter((quote) => quote !== null)) {
            expect(price).toBeWithin(market.lowestPrice, market.highestPrice + 1);
            expect(Math.abs(price % market.tick)).toBe(0);
          }
          expect(bid?.[1] ?? 0).toBeLessThanOrEqual(account.buyQuantity);
          expect(ask?.[1] ?? 0).toBeLessThanOrEqual(account.sellQuantity);
          if (bid !== null && ask !== null) expect(bid[0]).toBeLessThan(ask[0]);
          if (sides === "both") return;
          expect(side === BUY ? ask : bid).toBeNull();
          expect(bid?.[0] ?? -Infinity).toBeLessThanOrEqual(account.limitPrice);
          expect(ask?.[0] ?? Infinity).toBeGreaterThanOrEqual(account.limitPrice);
        },
      );
      fc.assert(property, { numRuns: 500 });
    },
  );
});
