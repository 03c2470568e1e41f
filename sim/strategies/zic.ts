// ZIC, "zero intelligence, constrained": a buyer bids a uniformly random price between the lowest price and its limit,
// a seller asks one between its limit and the highest price (Gode & Sunder, "Allocative efficiency of markets with
// zero-intelligence traders", Journal of Political Economy 101, 1993).
//
// It has no parameters and learns nothing. Cost: O(1), one random number.

import { BUY, type Side } from "../../engine/market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { quantityOn } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

export class ZeroIntelligenceConstrained implements Strategy {
  constructor(private readonly side: Side, private readonly random: SeededRandom) {}

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const quantity = quantityOn(account, this.side);
    if (!(quantity > 0)) return;
    const { tick, lowestPrice, highestPrice } = market;
    const { limitPrice } = account;
    const lowest = this.side === BUY ? lowestPrice : Math.max(lowestPrice, limitPrice);
    const highest = this.side === BUY ? Math.min(highestPrice, limitPrice) : highestPrice;
    const fewestTicks = Math.ceil(lowest / tick);
    const mostTicks = Math.floor(highest / tick);
    if (fewestTicks > mostTicks) return;
    quotes.set(this.side, this.random.integer(fewestTicks, mostTicks) * tick, quantity);
  }
}
