// Arbitrageur: keeps prices together that belong together. It takes a quote where the contract trades away from the spot
// prices that are expected over its delivery; and it buys at one node and sells at the other where their prices differ by
// more or less than congestion is expected to make them (the law of one price; for power, Stoft, "Power System Economics",
// 2002, on locational prices).
//
// One instance trades one contract. For a pair of nodes each contract has its own, which sees the other contract as the
// related one: both find the same opportunity, and each takes its leg. What a leg alone leaves open is closed where it
// is, as soon as that costs nothing.
//
// It takes what is offered and never rests on purpose: where the quote has gone meanwhile, the next call withdraws it. It
// learns nothing and draws no random numbers. Cost: O(1).

import { BUY, SELL } from "../market/order-book.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

export interface ArbitrageurParameters {
  /** What a trade must gain, in price. */
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

  /** The most that something bought here fetches: at delivery, or at the other node at once. */
  private worthBuying({ fundamentalValue, related }: Account): number {
    if (related === null || related.bestBid === null) return fundamentalValue;
    return Math.max(fundamentalValue, related.bestBid + fundamentalValue - related.fundamentalValue);
  }

  /** The least that something sold here costs. */
  private worthSelling({ fundamentalValue, related }: Account): number {
    if (related === null || related.bestAsk === null) return fundamentalValue;
    return Math.min(fundamentalValue, related.bestAsk + fundamentalValue - related.fundamentalValue);
  }

  /** Closes what its own leg leaves open over both contracts, at no worse than the expected value. */
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
