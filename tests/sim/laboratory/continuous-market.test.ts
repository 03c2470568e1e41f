import { describe, expect, test } from "bun:test";
import { ContinuousMarket } from "../../support/laboratory/continuous-market.ts";
import { continuousSetting } from "../../support/laboratory/reference-market.ts";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import { ObviousMarket } from "./support/obvious-market.ts";

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

describe("the continuous market", () => {
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
