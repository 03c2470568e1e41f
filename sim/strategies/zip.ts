// ZIP, "zero intelligence plus": a margin on the limit price that learns from every shout (Cliff, "Minimal-intelligence
// agents for bargaining behaviors in market-based environments", HPL-97-91, 1997).
//
// It quotes limit x (1 + margin); a seller's margin is 0 or more, a buyer's from -1 to 0. After each shout at a price q:
//   isTrade, and its own price would have been isTrade too or better: it goes for more;
//   isTrade by the other side while its own price was worse, or not isTrade and of its own side at a price as good:
//   if it still has something to trade, it goes for less.
// Then the target is R q + A, with R and A drawn anew within five per cent and five cents, and the price moves towards it
// by the delta rule of Widrow & Hoff, with momentum.
//
// The comparisons, of prices as they are quoted, include equality, as in the paper, and its own shouts count: else, traders
// whose prices have come together wait for each other, and efficiency falls by a tenth and more.
// Prices of power may be zero or negative, so the margin is taken on the limit's absolute value, or on `priceScale` where
// that is greater; for the positive limits of the paper this is the paper's rule.
//
// Cost: O(1), for each shout at most two random numbers. Nothing is allocated.

import { BUY, type Side } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { priceWithinLimit, quantityOn, quoteWithinLimit } from "./quotes.ts";
import type { Account, MarketUpdate, MarketView, Quotes, Strategy, StrategySetup } from "./strategy.ts";

/** Of R, on either side of 1. */
const GREATEST_RELATIVE_STEP = 0.05;

export class ZeroIntelligencePlus implements Strategy {
  private readonly side: Side;
  private readonly random: SeededRandom;
  /** The greatest A, five cents in the paper, whose prices were about two dollars. */
  private readonly greatestStep: number;
  private readonly learningRate: number;
  private readonly momentum: number;
  private margin: number;
  /** The last change of price, of which the momentum keeps a part. */
  private change = 0;

  constructor({ side, random, priceScale }: Pick<StrategySetup, "side" | "random" | "priceScale">) {
    this.side = side;
    this.random = random;
    this.greatestStep = priceScale;
    this.margin = (side === BUY ? -1 : 1) * between(random, 0.05, 0.35);
    this.learningRate = between(random, 0.1, 0.5);
    this.momentum = between(random, 0, 0.1);
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    quoteWithinLimit(market, account, this.side, this.price(account.limitPrice), quotes);
  }

  observe({ side, price, isTrade }: MarketUpdate, market: MarketView, account: Account): void {
    const { limitPrice } = account;
    // How much more than its own price the shout's would have brought it.
    const ownPrice = priceWithinLimit(market, account, this.side, this.price(limitPrice));
    const gain = this.side === BUY ? ownPrice - price : price - ownPrice;
    if (isTrade && gain >= 0) {
      this.approach(price, limitPrice, this.side !== BUY);
    } else if (isTrade === (side !== this.side) && gain <= 0 && quantityOn(account, this.side) > 0) {
      this.approach(price, limitPrice, this.side === BUY);
    }
  }

  /** The price that it goes for, between ticks too. */
  price(limitPrice: number): number {
    return limitPrice + this.margin * this.base(limitPrice);
  }

  /** Moves its price towards a target a little above or below a shout's. */
  private approach(updatePrice: number, limitPrice: number, upwards: boolean): void {
    const { random, side, learningRate, momentum } = this;
    const step = random.next() * GREATEST_RELATIVE_STEP * Math.abs(updatePrice) + random.next() * this.greatestStep;
    const target = upwards ? updatePrice + step : updatePrice - step;
    const price = this.price(limitPrice);
    this.change = momentum * this.change + (1 - momentum) * learningRate * (target - price);
    const margin = (price + this.change - limitPrice) / this.base(limitPrice);
    this.margin = side === BUY ? Math.min(0, Math.max(-1, margin)) : Math.max(0, margin);
  }

  private base(limitPrice: number): number {
    return Math.max(Math.abs(limitPrice), this.greatestStep);
  }
}

function between(random: SeededRandom, low: number, high: number): number {
  return low + random.next() * (high - low);
}
