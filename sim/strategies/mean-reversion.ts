// Mean reversion: buys if the best ask is well below the moving average of trade prices, sells short if the best bid is
// well above it, and closes each position at its entry price plus a small gain. Mean reversion is found for shares by
// Poterba & Summers ("Mean reversion in stock prices", Journal of Financial Economics 22, 1988), and is the best-known
// property of power prices (Weron, "Modeling and forecasting electricity loads and prices", 2006).
//
// While it has a position it only closes that position. Cost: O(1) for a quote or a market update.

import { BUY, SELL } from "../../engine/market/order-book.ts";
import { MovingAverage } from "./moving-average.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketUpdate, MarketView, Quotes, Strategy } from "./strategy.ts";

interface MeanReversionParameters {
  /** Number of trades in the average. */
  readonly length: number;
  /** Minimum distance of a quote from the average, in price. */
  readonly entryDistance: number;
  /** Gain over the entry price at which it closes, in price. */
  readonly exitGain: number;
}

export class MeanReversion implements Strategy {
  readonly observesTradesOnly = true;
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
