// Retailer: buys the load of its customers forward, part by part, and hurries near delivery, since what it has not bought
// then it must take at the spot price. Retailers hedge so, and pay for it, in Bessembinder & Lemmon ("Equilibrium pricing
// and optimal hedging in electricity forward markets", Journal of Finance 57, 2002).
//
// The part that it wants to have grows evenly from `firstShare`, when it first sees the contract, to all at delivery. What
// it bids lies below the expected value at first, and above it in the end. Its forecast of the load is wrong by a
// share that shrinks with the root of the time left; what it has bought too much, it sells again at what it would bid.
//
// Cost: O(1); one random number in all.

import { BUY, SELL } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

export interface RetailerParameters {
  /** In the unit of quantities. */
  readonly load: number;
  /** Of the first forecast: standard deviation, as a share of the load. */
  readonly forecastError: number;
  /** Of the load, bought at once. */
  readonly firstShare: number;
  /** What it pays over the expected value, in price: at first, and at delivery. */
  readonly firstPremium: number;
  readonly lastPremium: number;
}

export class Retailer implements Strategy {
  /** Of the load, as the first forecast has it. */
  private readonly error: number;
  /** The time left when it first saw the contract. */
  private horizonMs = 0;

  constructor(private readonly parameters: RetailerParameters, random: SeededRandom) {
    this.error = parameters.forecastError * random.normal();
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { firstShare, firstPremium, lastPremium } = this.parameters;
    const left = this.shareOfTimeLeft(market);
    const wanted = this.forecast(left) * (firstShare + (1 - firstShare) * (1 - left));
    const missing = wanted - account.position;
    const price = account.fundamentalValue + lastPremium + (firstPremium - lastPremium) * left;
    if (missing > 0) quoteAt(market, BUY, price, Math.min(missing, account.buyQuantity), quotes);
    else quoteAt(market, SELL, price, Math.min(-missing, account.sellQuantity), quotes);
  }

  private forecast(timeLeft: number): number {
    return Math.max(0, this.parameters.load * (1 + this.error * Math.sqrt(timeLeft)));
  }

  private shareOfTimeLeft({ timeLeftMs }: MarketView): number {
    if (timeLeftMs === Infinity) return 1;
    this.horizonMs = Math.max(this.horizonMs, timeLeftMs);
    return this.horizonMs === 0 ? 0 : timeLeftMs / this.horizonMs;
  }
}
