// Retailer: buys the load of its customers forward, in parts, and more urgently near delivery, because the rest is
// bought at the spot price. That retailers hedge this way, and pay a premium for it, follows Bessembinder & Lemmon
// ("Equilibrium pricing and optimal hedging in electricity forward markets", Journal of Finance 57, 2002).
//
// The share it wants to hold grows evenly from `firstShare`, at first sight of the contract, to the whole load at
// delivery. Its bid rises from below the expected value to above it. Its load forecast has an error that shrinks with
// the square root of the time left. It sells any excess at the price it would bid.
//
// The account says how much of its customers' load it buys in the contract. Without customers there it quotes nothing.
//
// Cost: O(1); one random number in total.

import { BUY, SELL } from "../../engine/market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

interface RetailerParameters {
  /** Standard deviation of the first forecast, as a share of the load. */
  readonly forecastError: number;
  /** Share of the load bought at once. */
  readonly firstShare: number;
  /** Premium over the expected value, in price: at first, and at delivery. */
  readonly firstPremium: number;
  readonly lastPremium: number;
}

export class Retailer implements Strategy {
  /** Error of the first forecast, as a share of the load. */
  private readonly error: number;
  /** Time left when it first saw the contract. */
  private horizonMs = 0;

  constructor(private readonly parameters: RetailerParameters, random: SeededRandom) {
    this.error = parameters.forecastError * random.normal();
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    if (account.physical === null) return;
    const { firstShare, firstPremium, lastPremium } = this.parameters;
    const left = this.shareOfTimeLeft(market);
    const wanted = this.forecast(account.physical.quantity, left) * (firstShare + (1 - firstShare) * (1 - left));
    const missing = wanted - account.position;
    const price = account.fundamentalValue + lastPremium + (firstPremium - lastPremium) * left;
    if (missing > 0) quoteAt(market, BUY, price, Math.min(missing, account.buyQuantity), quotes);
    else quoteAt(market, SELL, price, Math.min(-missing, account.sellQuantity), quotes);
  }

  private forecast(load: number, timeLeft: number): number {
    return Math.max(0, load * (1 + this.error * Math.sqrt(timeLeft)));
  }

  private shareOfTimeLeft({ timeLeftMs }: MarketView): number {
    if (timeLeftMs === Infinity) return 1;
    this.horizonMs = Math.max(this.horizonMs, timeLeftMs);
    return this.horizonMs === 0 ? 0 : timeLeftMs / this.horizonMs;
  }
}
