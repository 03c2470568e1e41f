import { describe, expect, test } from "bun:test";
import { ContinuousMarket } from "../../support/laboratory/continuous-market.ts";
import { continuousSetting } from "../../support/laboratory/reference-market.ts";
import { LaboratoryTrader } from "../../support/laboratory/trader.ts";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { MarketUpdate, Strategy } from "../../../sim/strategies/strategy.ts";
import { ObviousMarket } from "./support/obvious-market.ts";

function marketOf(...traders: LaboratoryTrader[]): ContinuousMarket {
  return new ContinuousMarket({
    traders,
    prices: { lowestPrice: 0, highestPrice: 400 },
    random: new SeededRandom(1),
  });
}

/** Counts the calls of a strategy. */
function counted(strategy: Strategy, counts: { quotes: number; updates: number }): Strategy {
  const observe = strategy.observe?.bind(strategy);
  return {
    quote: (market, account, quotes) => {
      counts.quotes += 1;
      strategy.quote(market, account, quotes);
    },
    ...observe && {
      observe: (...given: Parameters<typeof observe>) => {
        counts.updates += 1;
        observe(...given);
      },
    },
  };
}

function fixed(side: Side, price: number, observe?: (update: MarketUpdate) => void): LaboratoryTrader {
  return new LaboratoryTrader(side, price, {
    quote: (_market, _account, quotes) => quotes.set(side, price, 1),
    observe,
  });
}

describe("the continuous market", () => {
  test("a trader's new order replaces its resting order", () => {
    const market = marketOf(fixed(BUY, 100));
    expect(market.run(50)).toEqual({ orders: 50, trades: 0, priceSum: 0, surplus: 0 });
    expect(market.restingOrders).toBe(1);
  });

  test("a crossing order trades at the resting price, and both traders get a new unit", () => {
    const prices = new Set<number>();
    const note = ({ isTrade, price }: MarketUpdate) => void (isTrade && prices.add(price));
    const market = marketOf(fixed(BUY, 250, note), fixed(SELL, 150));
    const { orders, trades, surplus } = market.run(1_000);
    expect(orders).toBe(1_000);
    expect(trades).toBeGreaterThan(300);
    expect(surplus).toBe(100 * trades);
    expect([...prices].sort()).toEqual([150, 250]);
    expect(market.restingOrders).toBeLessThan(2);
  });

  test.each(["zic", "zip", "aa"] as const)(
    "%s trades around the equilibrium, and both sides gain on average",
    (name) => {
      const { orders, trades, priceSum, surplus } = new ContinuousMarket(continuousSetting(name, 20, 3)).run(20_000);
      expect(orders).toBeWithin(10_000, 20_001);
      expect(priceSum / trades).toBeWithin(185, 215);
      expect(surplus / trades).toBeGreaterThan(50);
    },
  );

  test.each(["zic", "zip", "shvr", "aa"] as const)(
    "%s traders give the same orders and trades as in the obvious market",
    (name) => {
      for (let seed = 1; seed <= 10; seed++) {
        const traders = 2 + 2 * seed;
        const fast = new ContinuousMarket(continuousSetting(name, traders, seed));
        const obvious = new ObviousMarket(continuousSetting(name, traders, seed));
        for (let step = 0; step < 300; step++) {
          const outcomes = [fast, obvious].map((market) => ({ ...market.run(1), resting: market.restingOrders }));
          expect({ seed, step, ...outcomes[0] }).toEqual({ seed, step, ...outcomes[1] });
        }
      }
    },
  );

  test("the same seed gives the same market, and another seed gives another", () => {
    const outcome = (seed: number) => new ContinuousMarket(continuousSetting("zip", 20, seed)).run(5_000);
    expect(outcome(4)).toEqual(outcome(4));
    expect(outcome(5)).not.toEqual(outcome(4));
  });
});

describe("an order", () => {
  const ORDERS = 500;
  const steps = (name: "zic" | "zip", traders: number) => {
    const counts = { quotes: 0, updates: 0 };
    new ContinuousMarket(continuousSetting(name, traders, 1, (strategy) => counted(strategy, counts))).run(ORDERS);
    return counts;
  };

  test.each([20, 100, 1000])("among %d ZIC traders calls one of them", (traders) => {
    expect(steps("zic", traders)).toEqual({ quotes: ORDERS, updates: 0 });
  });

  test.each([20, 100, 1000])("among %d ZIP traders asks one for a quote, and updates each once", (traders) => {
    expect(steps("zip", traders)).toEqual({ quotes: ORDERS, updates: ORDERS * traders });
  });
});
