// Arbitrageur. It trades a contract against the spot prices expected over its delivery. It also buys at one node and
// sells at the other if their price difference is not the expected congestion difference (the law of one price; for
// power, Stoft, "Power System Economics", 2002, on locational prices).
//
// One instance trades one contract, with the other node's contract as the related one. The two instances of a pair find
// the same opportunity and each trades its own leg. A leg without its counterpart is closed as soon as closing costs
// nothing.
//
// It only takes existing quotes. If a quote has gone meanwhile, the resting remainder is withdrawn at the next call. It
// learns nothing and draws no random numbers. Cost: O(1).

import { BUY, SELL } from "../market/order-book.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

interface ArbitrageurParameters {
  /** Minimum gain of a trade, in price. */
  readonly leastGain: number;
}

export class Arbitrageur implements Strategy {
  constructor(private readonly parameters: ArbitrageurParameters) {}

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { bestBid, bestAsk } = market;
    const gainOfBuying = bestAsk === null ? -Infinity : this.worthBuying(account) - bestAsk;
    const gainOfSelling = bestBid === null ? -Infinity : bestBid - this.worthSelling(account);
    const { leastGain } = this.parameters;
    if (bestAsk !== null && gainOfBuying >= leastGain && gainOfBuying >= gainOfSelling) {
      quoteAt(market, BUY, bestAsk, account.buyQuantity, quotes);
    } else if (bestBid !== null && gainOfSelling >= leastGain) {
      quoteAt(market, SELL, bestBid, account.sellQuantity, quotes);
    } else {
      this.closeOpenLeg(market, account, quotes);
    }
  }

  /** Highest value of a unit bought here: at delivery, or sold at the other node at once. */
  private worthBuying({ fundamentalValue, related }: Account): number {
    if (related === null || related.bestBid === null) return fundamentalValue;
    return Math.max(fundamentalValue, related.bestBid + fundamentalValue - related.fundamentalValue);
  }

  /** Lowest cost of a unit sold here. */
  private worthSelling({ fundamentalValue, related }: Account): number {
    if (related === null || related.bestAsk === null) return fundamentalValue;
    return Math.min(fundamentalValue, related.bestAsk + fundamentalValue - related.fundamentalValue);
  }

  /** Closes the net open position over both contracts, at the expected value or better. */
  private closeOpenLeg(market: MarketView, account: Account, quotes: Quotes): void {
    const { bestBid, bestAsk } = market;
    const { fundamentalValue, position, related } = account;
    if (related === null) return;
    const open = position + related.position;
    if (bestBid !== null && bestBid >= fundamentalValue) {
      quoteAt(market, SELL, bestBid, Math.min(open, position, account.sellQuantity), quotes);
    } else if (bestAsk !== null && bestAsk <= fundamentalValue) {
      quoteAt(market, BUY, bestAsk, Math.min(-open, -position, account.buyQuantity), quotes);
    }
  }
}
