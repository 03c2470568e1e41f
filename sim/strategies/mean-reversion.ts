// Mean reversion: buys where the best ask is well below the moving average of trade prices, sells short where the best bid
// is well above it, and leaves each position at what it cost and a few ticks. That prices come back to their mean is found
// for shares by Poterba & Summers ("Mean reversion in stock prices", Journal of Financial Economics 22, 1988) and is what
// power prices are best known for (Weron, "Modeling and forecasting electricity loads and prices", 2006).
//
// While it has a position it only leaves it. Cost: O(1), for a shout too.

import { BUY, SELL } from "../market/order-book.ts";
import { MovingAverage } from "./moving-average.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketUpdate, MarketView, Quotes, Strategy } from "./strategy.ts";

export interface MeanReversionParameters {
  /** How many trades the average takes in. */
  readonly length: number;
  /** How far a quote must be from the average, in price. */
  readonly entryDistance: number;
  /** What it wants to earn on leaving, in price. */
  readonly exitGain: number;
}

export class MeanReversion implements Strategy {
  private readonly average: MovingAverage;

  constructor(private readonly parameters: MeanReversionParameters) {
    this.average = new MovingAverage(parameters.length);
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { position, averagePrice } = account;
    if (position !== 0 && averagePrice !== null) return this.leave(market, account, averagePrice, quotes);
    if (!this.average.isFull) return;
    const { entryDistance } = this.parameters;
    const { mean } = this.average;
    const { bestBid, bestAsk } = market;
    if (bestAsk !== null && bestAsk <= mean - entryDistance) {
      quoteAt(market, BUY, bestAsk, account.buyQuantity, quotes);
    } else if (bestBid !== null && bestBid >= mean + entryDistance) {
      quoteAt(market, SELL, bestBid, account.sellQuantity, quotes);
    }
  }

  observe({ price, isTrade }: MarketUpdate): void {
    if (isTrade) this.average.add(price);
  }

  private leave(
    market: MarketView,
    { position, buyQuantity, sellQuantity }: Account,
    cost: number,
    quotes: Quotes,
  ): void {
    const { exitGain } = this.parameters;
    if (position > 0) quoteAt(market, SELL, cost + exitGain, Math.min(position, sellQuantity), quotes);
    else quoteAt(market, BUY, cost - exitGain, Math.min(-position, buyQuantity), quotes);
  }
}
