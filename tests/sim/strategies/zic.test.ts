import { describe, expect, test } from "bun:test";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { ZeroIntelligenceConstrained } from "../../../sim/strategies/zic.ts";
import { ChosenRandom, quoted } from "./support.ts";

const DRAWS = 20_000;

/** Number of quotes at each price. */
function pricesOf(side: Side, limitPrice: number): Map<number, number> {
  const strategy = new ZeroIntelligenceConstrained(side, new SeededRandom(5));
  const counts = new Map<number, number>();
  for (let draw = 0; draw < DRAWS; draw++) {
    const { bid, ask } = quoted(strategy, { highestPrice: 60 }, { limitPrice });
    const [price = NaN] = bid ?? ask ?? [];
    counts.set(price, (counts.get(price) ?? 0) + 1);
  }
  return counts;
}

describe("ZIC", () => {
  test.each([["buyer", BUY, 40, 0, 40], ["seller", SELL, 40, 40, 60]] as const)(
    "a %s quotes every price between the extreme price and its limit equally often",
    (_, side, limit, lowest, highest) => {
      const counts = pricesOf(side, limit);
      const prices = highest - lowest + 1;
      expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: prices }, (_, at) => lowest + at));
      // Chi square with this many degrees of freedom is below the bound with a probability well above .999.
      const expected = DRAWS / prices;
      const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chiSquare).toBeLessThan(prices + 4 * Math.sqrt(2 * prices));
    },
  );

  test("its price is an allowed one if its limit is not, and without a quantity it draws none", () => {
    const range = { lowestPrice: 10, highestPrice: 12 };
    for (let seed = 0; seed < 20; seed++) {
      const buyer = new ZeroIntelligenceConstrained(BUY, new SeededRandom(seed));
      const seller = new ZeroIntelligenceConstrained(SELL, new SeededRandom(seed));
      expect([10, 11, 12]).toContain(quoted(buyer, range, { limitPrice: 500 }).bid?.[0] ?? NaN);
      expect([10, 11, 12]).toContain(quoted(seller, range, { limitPrice: -500 }).ask?.[0] ?? NaN);
    }
    const idle = new ZeroIntelligenceConstrained(SELL, new ChosenRandom());
    expect(quoted(idle, range, { limitPrice: 0, sellQuantity: 0 })).toEqual({ bid: null, ask: null });
  });

  test("its price is on the tick, and it doesn't quote if no tick lies within the limit", () => {
    const strategy = new ZeroIntelligenceConstrained(BUY, new SeededRandom(1));
    for (let draw = 0; draw < 100; draw++) {
      expect([10, 20]).toContain(quoted(strategy, { tick: 10, lowestPrice: 10 }, { limitPrice: 27 }).bid?.[0] ?? NaN);
    }
    expect(quoted(strategy, { tick: 10, lowestPrice: 10 }, { limitPrice: 9 }).bid).toBeNull();
  });
});
