// GVWY, "giveaway": quotes its limit price, so it gives away its surplus unless it meets a better quote (Cliff, "BSE: A
// minimal simulation of a limit-order-book stock exchange", 2018).
//
// It has no parameters, learns nothing and draws no random numbers. Cost: O(1).

import type { Side } from "../../engine/market/order-book.ts";
import { quoteWithinLimit } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

export class Giveaway implements Strategy {
  constructor(private readonly side: Side) {}

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    quoteWithinLimit(market, account, this.side, account.limitPrice, quotes);
  }
}
