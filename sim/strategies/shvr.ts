// SHVR, "shaver": improves on the best quote of its side by one tick, within its limit. On an empty side it starts at
// the extreme price (Cliff, "BSE: A minimal simulation of a limit-order-book stock exchange", 2018).
//
// If the best quote is its own, it keeps it. It has no parameters, learns nothing and draws no random numbers. Cost:
// O(1).

import { BUY, type Side } from "../../engine/market/order-book.ts";
import { bestOn, quoteWithinLimit, workingOn } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

export class Shaver implements Strategy {
  constructor(private readonly side: Side) {}

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    quoteWithinLimit(market, account, this.side, this.price(market, account), quotes);
  }

  private price(market: MarketView, account: Account): number {
    const { side } = this;
    const best = bestOn(market, side);
    if (best === null) return side === BUY ? market.lowestPrice : market.highestPrice;
    if (best === workingOn(account, side)) return best;
    return side === BUY ? best + market.tick : best - market.tick;
  }
}
