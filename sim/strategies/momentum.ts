// Momentum: buys while the short moving average of trade prices is above the long one, and sells while it is below.
// This is the variable-length rule of Brock, Lakonishok & LeBaron ("Simple technical trading rules and the stochastic
// properties of stock returns", Journal of Finance 47, 1992), with their band around the long average in which it does
// nothing.
//
// It takes the opposite best quote, but not further than `greatestChase` from the last trade. If nothing can be taken
// within that, its order rests at that price. Cost: O(1) for a quote or a market update.

import { BUY, SELL } from "../market/order-book.ts";
import { MovingAverage } from "./moving-average.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketUpdate, MarketView, Quotes, Strategy } from "./strategy.ts";

interface MomentumParameters {
  /** Number of trades in each average. */
  readonly shortLength: number;
  readonly longLength: number;
  /** Minimum distance between the averages, in price. */
  readonly band: number;
  /** Largest distance from the last trade, in price. */
  readonly greatestChase: number;
}

export class Momentum implements Strategy {
  private readonly short: MovingAverage;
  private readonly long: MovingAverage;

  constructor(private readonly parameters: MomentumParameters) {
    this.short = new MovingAverage(parameters.shortLength);
    this.long = new MovingAverage(parameters.longLength);
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    if (!this.long.isFull || market.lastPrice === null) return;
    const { band, greatestChase } = this.parameters;
    const trend = this.short.mean - this.long.mean;
    if (trend > band) {
      const most = market.lastPrice + greatestChase;
      quoteAt(market, BUY, Math.min(most, market.bestAsk ?? most), account.buyQuantity, quotes);
    } else if (trend < -band) {
      const least = market.lastPrice - greatestChase;
      quoteAt(market, SELL, Math.max(least, market.bestBid ?? least), account.sellQuantity, quotes);
    }
  }

  observe({ price, isTrade }: MarketUpdate): void {
    if (!isTrade) return;
    this.short.add(price);
    this.long.add(price);
  }
}
