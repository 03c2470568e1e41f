// Momentum: holds a position in proportion to a filtered trend of the mid price. This is the moving-average rule of Brock,
// Lakonishok & LeBaron ("Simple technical trading rules and the stochastic properties of stock returns", Journal of
// Finance 47, 1992), with their band in which it does nothing; averages are in time, and the band is in units of volatility.
// Positions that grow with the trend, in units of risk, follow Moskowitz, Ooi & Pedersen ("Time series momentum", Journal of
// Financial Economics 104, 2012).
//
// It opens a position if the trend is at least `band`, and closes it if the trend falls below half of that or turns. It takes
// the opposite best quote, but not further than `greatestChase` from the mid. If nothing can be taken within that, its order
// rests at that price. It draws no random numbers. Cost: O(1) for a quote or a trade.

import { BUY, SELL } from "../../engine/market/order-book.ts";
import { middleOf, quoteAt } from "./quotes.ts";
import type { Account, MarketUpdate, MarketView, Quotes, Strategy } from "./strategy.ts";
import { TrendFilter } from "./trend-filter.ts";

interface MomentumParameters {
  /** Time constants of the averages, in milliseconds. */
  readonly shortMs: number;
  readonly longMs: number;
  /** Trend at which it opens a position, in standard deviations. */
  readonly band: number;
  /** Trend at which the position is full. */
  readonly fullTrend: number;
  readonly fullPosition: number;
  /** Least change of the position. */
  readonly leastChange: number;
  /** Largest distance from the mid, in price; also the least volatility over the long time constant. */
  readonly greatestChase: number;
}

export class Momentum implements Strategy {
  private readonly filter: TrendFilter;

  constructor(private readonly parameters: MomentumParameters) {
    const { shortMs, longMs, greatestChase } = parameters;
    this.filter = new TrendFilter({ shortMs, longMs, leastVolatility: greatestChase });
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const mid = middleOf(market);
    if (mid === null) return;
    this.filter.add(market.time, mid);
    const { leastChange, greatestChase } = this.parameters;
    const target = this.target(account.position);
    const change = target - account.position;
    if (Math.abs(change) < leastChange && target !== 0) return;
    if (change > 0) {
      const most = mid + greatestChase;
      quoteAt(market, BUY, Math.min(most, market.bestAsk ?? most), Math.min(change, account.buyQuantity), quotes);
    } else {
      const least = mid - greatestChase;
      quoteAt(market, SELL, Math.max(least, market.bestBid ?? least), Math.min(-change, account.sellQuantity), quotes);
    }
  }

  observe(_update: MarketUpdate, market: MarketView): void {
    const mid = middleOf(market);
    if (mid !== null) this.filter.add(market.time, mid);
  }

  /** The position that the trend asks for. */
  private target(position: number): number {
    const { band, fullTrend, fullPosition } = this.parameters;
    const { trend } = this.filter;
    const isHeld = position !== 0 && Math.sign(position) === Math.sign(trend);
    if (Math.abs(trend) < (isHeld ? band / 2 : band)) return 0;
    return Math.sign(trend) * Math.min(1, Math.abs(trend) / fullTrend) * fullPosition;
  }
}
