// ZIP, "zero intelligence plus": a margin on the limit price, learned from every quote and trade (Cliff,
// "Minimal-intelligence agents for bargaining behaviors in market-based environments", HPL-97-91, 1997).
//
// It quotes limit x (1 + margin). A seller's margin is at least 0, a buyer's is from -1 to 0. After each market update
// at a price q:
//   - If q is a trade, and its own price is at most as demanding as q, it demands more.
//   - If its own price is at least as demanding as q, and q is a trade of the other side's quote or an untraded quote of
//     its own side, it demands less, provided that it still has something to trade.
// The target is R q + A, with R and A drawn anew within 5 % and five cents. The price moves towards the target by the
// Widrow-Hoff delta rule, with momentum.
//
// As in the paper, the comparisons include equality and use quoted prices, and its own quotes count. Without this,
// traders whose prices have converged wait for each other, and efficiency falls (from about 100 % to 92 % in the
// reference market). Power prices may be zero or negative, so the margin applies to the absolute value of the limit, or
// to `priceScale` if that is larger. For the paper's positive limits this is the paper's rule.
//
// Cost: O(1), at most two random numbers for each market update. No allocation.

import { BUY, type Side } from "../../engine/market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { drawn, type Interval } from "./parameters.ts";
import { priceWithinLimit, quantityOn, quoteWithinLimit } from "./quotes.ts";
import type { Account, MarketUpdate, MarketView, Quotes, Strategy, StrategySetup } from "./strategy.ts";

/** Largest distance of R from 1. */
const MAX_RELATIVE_STEP = 0.05;

/** Each trader draws its own margin, learning rate and momentum. */
interface ZipParameters {
  readonly margin: Interval;
  readonly learningRate: Interval;
  readonly momentum: Interval;
}

const PAPER: ZipParameters = { margin: [0.05, 0.35], learningRate: [0.1, 0.5], momentum: [0, 0.1] };

export class ZeroIntelligencePlus implements Strategy {
  private readonly side: Side;
  private readonly random: SeededRandom;
  /** Largest A: five cents in the paper, whose prices were about two dollars. */
  private readonly greatestStep: number;
  private readonly learningRate: number;
  private readonly momentum: number;
  private margin: number;
  /** The last price change, for the momentum. */
  private change = 0;

  constructor(
    { side, random, priceScale }: Pick<StrategySetup, "side" | "random" | "priceScale">,
    parameters: ZipParameters = PAPER,
  ) {
    this.side = side;
    this.random = random;
    this.greatestStep = priceScale;
    this.margin = (side === BUY ? -1 : 1) * drawn(parameters.margin, random);
    this.learningRate = drawn(parameters.learningRate, random);
    this.momentum = drawn(parameters.momentum, random);
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    quoteWithinLimit(market, account, this.side, this.price(account.limitPrice), quotes);
  }

  observe({ side, price, isTrade }: MarketUpdate, market: MarketView, account: Account): void {
    const { limitPrice } = account;
    // How much better than its own price the update's price would have been for it.
    const ownPrice = priceWithinLimit(market, account, this.side, this.price(limitPrice));
    const gain = this.side === BUY ? ownPrice - price : price - ownPrice;
    if (isTrade && gain >= 0) {
      this.approach(price, limitPrice, this.side === BUY ? "down" : "up");
    } else if (isTrade === (side !== this.side) && gain <= 0 && quantityOn(account, this.side) > 0) {
      this.approach(price, limitPrice, this.side === BUY ? "up" : "down");
    }
  }

  /** The wanted price, not rounded to the tick. */
  price(limitPrice: number): number {
    return limitPrice + this.margin * this.base(limitPrice);
  }

  /** Moves the price towards a target slightly above or below `updatePrice`. */
  private approach(updatePrice: number, limitPrice: number, direction: "up" | "down"): void {
    const { random, side, learningRate, momentum } = this;
    const step = random.next() * MAX_RELATIVE_STEP * Math.abs(updatePrice) + random.next() * this.greatestStep;
    const target = direction === "up" ? updatePrice + step : updatePrice - step;
    const price = this.price(limitPrice);
    this.change = momentum * this.change + (1 - momentum) * learningRate * (target - price);
    const margin = (price + this.change - limitPrice) / this.base(limitPrice);
    this.margin = side === BUY ? Math.min(0, Math.max(-1, margin)) : Math.max(0, margin);
  }

  private base(limitPrice: number): number {
    return Math.max(Math.abs(limitPrice), this.greatestStep);
  }
}
