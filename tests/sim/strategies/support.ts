// The market and account that tests of strategies start from.

import { BUY, type Side } from "../../../engine/market/order-book.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import {
  type Account,
  EMPTY_ACCOUNT,
  EMPTY_MARKET,
  type MarketUpdate,
  type MarketView,
  Quotes,
  type Strategy,
} from "../../../sim/strategies/strategy.ts";

export const MARKET: MarketView = { ...EMPTY_MARKET, highestPrice: 400 };
export const ACCOUNT: Account = {
  ...EMPTY_ACCOUNT,
  limitPrice: 200,
  fundamentalValue: 200,
  buyQuantity: 1,
  sellQuantity: 1,
};

interface Wanted {
  /** [price, quantity]; null if there is none. */
  readonly bid: readonly [number, number] | null;
  readonly ask: readonly [number, number] | null;
}

/** The quotes of a strategy, in a market and for an account with these changes. */
export function quoted(strategy: Strategy, market: Partial<MarketView> = {}, account: Partial<Account> = {}): Wanted {
  const quotes = new Quotes();
  strategy.quote({ ...MARKET, ...market }, { ...ACCOUNT, ...account }, quotes);
  const { bidPrice, bidQuantity, askPrice, askQuantity } = quotes;
  return {
    bid: bidQuantity > 0 ? [bidPrice, bidQuantity] : null,
    ask: askQuantity > 0 ? [askPrice, askQuantity] : null,
  };
}

/** Random numbers chosen by a test, in order; throws when they are used up. */
export class ChosenRandom extends SeededRandom {
  readonly #chosen: number[];

  constructor(...chosen: number[]) {
    super(0);
    this.#chosen = chosen;
  }

  override next(): number {
    const value = this.#chosen.shift();
    if (value === undefined) throw new Error("no random number is left");
    return value;
  }

  override normal(): number {
    return this.next();
  }

  override exponential(): number {
    return this.next();
  }
}

export function update(side: Side, price: number, isTrade: boolean): MarketUpdate {
  return { side, price, quantity: 1, isTrade };
}

/** Gives a strategy trades at these prices. */
export function observeTrades(strategy: Strategy, prices: readonly number[], account: Partial<Account> = {}): void {
  for (const price of prices) strategy.observe?.(update(BUY, price, true), MARKET, { ...ACCOUNT, ...account });
}
