import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PERSONA_STRATEGIES } from "../../../protocol/simulator.ts";
import { BUY } from "../../../engine/market/order-book.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { addStrategy, strategyEntry, strategyNames } from "../../../sim/strategies/known-strategies.ts";
import { STRATEGIES, type StrategyEntry } from "../../../sim/strategies/registry.ts";
import { observeTrades, quoted } from "./support.ts";

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

const BOTH_SIDED = Object.entries<StrategyEntry>(STRATEGIES).filter(([, { sides }]) => sides === "both");
const price = fc.integer({ min: -2_000, max: 12_000 });
const priceOrNone = fc.option(price);
const quantity = fc.integer({ min: 0, max: 50_000 });

describe.each(BOTH_SIDED)("%s", (_, { make }) => {
  test("quotes on the tick, in the contract's price range and the allowed quantity, and never crosses its own quote", () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.array(price, { maxLength: 40 }),
        fc.record({ bestBid: priceOrNone, bestAsk: priceOrNone, lastPrice: priceOrNone, timeLeftMs: fc.nat(1e9) }),
        fc.record({
          fundamentalValue: fc.double({ min: -2_000, max: 12_000, noNaN: true }),
          position: fc.integer({ min: -100_000, max: 100_000 }),
          averagePrice: priceOrNone,
          buyQuantity: quantity,
          sellQuantity: quantity,
          related: fc.option(
            fc.record({ bestBid: priceOrNone, bestAsk: priceOrNone, fundamentalValue: price, position: quantity }),
          ),
        }),
        (seed, trades, market, account) => {
          const setup = { side: BUY, random: new SeededRandom(seed), priceScale: 40, quantityScale: 1_000 };
          const strategy = make(setup);
          observeTrades(strategy, trades);
          const limits = { lowestPrice: -1_000, highestPrice: 10_000, tick: 5 };
          const { bid, ask } = quoted(strategy, { ...market, ...limits }, account);
          for (const [price = NaN] of [bid ?? [], ask ?? []].filter(({ length }) => length > 0)) {
            expect(price).toBeWithin(limits.lowestPrice, limits.highestPrice + 1);
            expect(Math.abs(price % limits.tick)).toBe(0);
          }
          expect(bid?.[1] ?? 0).toBeLessThanOrEqual(account.buyQuantity);
          expect(ask?.[1] ?? 0).toBeLessThanOrEqual(account.sellQuantity);
          if (bid !== null && ask !== null) expect(bid[0]).toBeLessThan(ask[0]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
