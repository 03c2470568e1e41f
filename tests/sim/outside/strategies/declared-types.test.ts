// The types that strategy files are written against (docs/examples/mkt-strategy.d.ts) are those of the values that they get.
// The compiler checks the assignments below.

import { expect, test } from "bun:test";
import type * as declared from "../../../../docs/examples/mkt-strategy.d.ts";
import { BUY } from "../../../../engine/market/order-book.ts";
import { factsOf } from "../../../../sim/personas/contract-trader.ts";
import { SeededRandom } from "../../../../sim/random/seeded-random.ts";
import {
  EMPTY_ACCOUNT,
  EMPTY_MARKET,
  type MarketUpdate,
  Quotes,
  type Strategy,
  type StrategySetup,
} from "../../../../sim/strategies/strategy.ts";
import { contract } from "../../personas/support.ts";

test("a strategy gets what the types declare", () => {
  const market: declared.MarketView = EMPTY_MARKET;
  const account: declared.Account = EMPTY_ACCOUNT;
  const quotes: declared.Quotes = new Quotes();
  const given: Required<StrategySetup> = {
    ...{ side: BUY, random: new SeededRandom(1), priceScale: 40, quantityScale: 1_000 },
    contract: factsOf(contract(0)),
  };
  const setup: declared.StrategySetup = given;
  const written: declared.Strategy = { quote: () => {}, observe: () => {}, observesTradesOnly: true };
  const strategy: Strategy = written;
  const update: MarketUpdate = { side: BUY, price: 1, quantity: 1, isTrade: true };
  const shown: declared.MarketUpdate = update;
  expect([market, account, quotes, setup, strategy, shown].every((value) => typeof value === "object")).toBe(true);
});
