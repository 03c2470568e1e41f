// AA, "adaptive aggressiveness" (Vytelingum, Cliff & Jennings, "Strategic bidding in continuous double auctions",
// Artificial Intelligence 172, 2008). It estimates the equilibrium price, and learns how aggressively to trade: from
// every quote and trade in the short term, and from price volatility in the long term.
//
// Estimate: the weighted mean of the last trades, older ones with less weight. Short term: a trade at a better price
// than its target makes it less aggressive, a trade at a worse price more aggressive; so does a quote of its own side
// that doesn't trade and is at least as willing as its target. Long term: theta, the curvature from aggressiveness to
// price, follows the volatility around the estimate. Bidding: it takes the opposite best quote if that is within its
// target. Otherwise it moves a third of the way from the best quote of its side to the target, or to the opposite best
// quote before the first trade.
//
// Parameters are the paper's if the paper gives them. Unless the caller says otherwise, learning rates are drawn from .2
// to .6, the first theta from -5 to 0.
// Cost: O(1) for a quote, O(remembered trades) with a few exponentials for a market update. No allocation.

import { BUY, opposite, type Side } from "../../engine/market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { aggressivenessOf, targetPrice } from "./aggressiveness.ts";
import { drawn, type Interval } from "./parameters.ts";
import { bestOn, priceWithinLimit, quoteWithinLimit, workingOn } from "./quotes.ts";
import type { Account, MarketUpdate, MarketView, Quotes, Strategy } from "./strategy.ts";

/** Number of trades in the estimate, and the weight of each relative to the next newer one. */
const REMEMBERED_TRADES = 5;
const OLDER_WEIGHT = 0.9;
/** It moves one part in this many of the way to the target. */
const APPROACH = 3;
const RELATIVE_STEP = 0.02;
const ABSOLUTE_STEP = 0.01;
const LOWEST_THETA = -8;
const HIGHEST_THETA = 2;
const THETA_SHAPE = 2;

/** Each trader draws its own learning rates and first theta. */
interface AggressivenessParameters {
  readonly shortTermRate: Interval;
  readonly longTermRate: Interval;
  /** The first theta is between this and 0. */
  readonly lowestFirstTheta: number;
}

const USUAL: AggressivenessParameters = {
  shortTermRate: [0.2, 0.6],
  longTermRate: [0.2, 0.6],
  lowestFirstTheta: -5,
};

export class AdaptiveAggressiveness implements Strategy {
  private readonly side: Side;
  /** 1 for a buyer, -1 for a seller. Prices times the sign grow with willingness to trade. */
  private readonly sign: number;
  private readonly shortTermRate: number;
  private readonly longTermRate: number;

  /** Ring of the last trade prices, times the sign. */
  private readonly trades = new Float64Array(REMEMBERED_TRADES);
  private tradeCount = 0;
  private lowestVolatility = Infinity;
  private highestVolatility = -Infinity;
  private readonly curve = { limit: 0, equilibrium: 0, worst: 0, theta: 0 };
  private aggressiveness = 0;

  constructor(
    { side, random }: { readonly side: Side; readonly random: SeededRandom },
    parameters: AggressivenessParameters = USUAL,
  ) {
    this.side = side;
    this.sign = side === BUY ? 1 : -1;
    this.shortTermRate = drawn(parameters.shortTermRate, random);
    this.longTermRate = drawn(parameters.longTermRate, random);
    this.curve.theta = parameters.lowestFirstTheta * random.next();
  }

  /** Estimated equilibrium price; null before the first trade. */
  get equilibriumPrice(): number | null {
    return this.tradeCount === 0 ? null : this.sign * this.curve.equilibrium;
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { side, sign } = this;
    const limit = sign * account.limitPrice;
    const ownBest = bestOn(market, side);
    if (ownBest !== null && limit <= sign * ownBest) {
      // It can't improve on the best quote, so its order stays as it is.
      const working = workingOn(account, side);
      if (working !== null) quoteWithinLimit(market, account, side, working, quotes);
      return;
    }
    quoteWithinLimit(market, account, side, sign * this.willingPrice(market, account), quotes);
  }

  observe({ side, price, isTrade }: MarketUpdate, market: MarketView, account: Account): void {
    if (isTrade) this.learnEquilibrium(price);
    if (this.tradeCount === 0) return;
    this.see(market, account);
    const willing = this.sign * price;
    const target = this.target(market, account);
    if (isTrade) this.learnAggressiveness(willing, target < willing ? "more" : "less");
    else if (side === this.side && target <= willing) this.learnAggressiveness(willing, "more");
  }

  private willingPrice(market: MarketView, account: Account): number {
    const { side, sign } = this;
    this.see(market, account);
    const { limit, worst } = this.curve;
    const ownBest = bestOn(market, side);
    const otherBest = bestOn(market, opposite(side));
    const from = ownBest === null ? worst : sign * ownBest;
    const other = sign * (otherBest ?? (side === BUY ? market.highestPrice : market.lowestPrice));
    if (this.tradeCount === 0) {
      const beyond = other + RELATIVE_STEP * Math.abs(other) + ABSOLUTE_STEP * market.tick;
      return from + (Math.min(limit, beyond) - from) / APPROACH;
    }
    const target = this.target(market, account);
    if (other <= target) return other;
    return Math.min(target, from + Math.max(market.tick, (target - from) / APPROACH));
  }

  /** The price it would quote if it moved all the way. */
  private target(market: MarketView, account: Account): number {
    const { side, sign } = this;
    return sign * priceWithinLimit(market, account, side, sign * targetPrice(this.curve, this.aggressiveness));
  }

  private see(market: MarketView, account: Account): void {
    this.curve.limit = this.sign * account.limitPrice;
    this.curve.worst = this.sign * (this.side === BUY ? market.lowestPrice : market.highestPrice);
  }

  private learnEquilibrium(price: number): void {
    const { trades, curve } = this;
    trades[this.tradeCount % REMEMBERED_TRADES] = this.sign * price;
    this.tradeCount += 1;
    const remembered = Math.min(this.tradeCount, REMEMBERED_TRADES);
    let sum = 0;
    let weights = 0;
    for (let age = 0, weight = 1; age < remembered; age++, weight *= OLDER_WEIGHT) {
      sum += weight * trades[(this.tradeCount - 1 - age) % REMEMBERED_TRADES]!;
      weights += weight;
    }
    curve.equilibrium = sum / weights;
    this.learnTheta(remembered);
  }

  /** Low volatility makes the curve flatter at the equilibrium, high volatility steeper. */
  private learnTheta(remembered: number): void {
    const { trades, curve } = this;
    let squares = 0;
    for (let at = 0; at < remembered; at++) squares += (trades[at]! - curve.equilibrium) ** 2;
    const volatility = Math.sqrt(squares / remembered) / Math.max(1, Math.abs(curve.equilibrium));
    this.lowestVolatility = Math.min(this.lowestVolatility, volatility);
    this.highestVolatility = Math.max(this.highestVolatility, volatility);
    const range = this.highestVolatility - this.lowestVolatility;
    if (!(range > 0)) return;
    const relative = (volatility - this.lowestVolatility) / range;
    const bend = 1 - relative * Math.exp(THETA_SHAPE * (relative - 1));
    const wanted = LOWEST_THETA + (HIGHEST_THETA - LOWEST_THETA) * bend;
    curve.theta += this.longTermRate * (wanted - curve.theta);
  }

  /**
   * Moves towards an aggressiveness slightly above or below the one that a price implies. The price on the tick implies
   * slightly less than the exact target. The aggressiveness must still never fall if "more", nor rise if "less".
   */
  private learnAggressiveness(willing: number, change: "more" | "less"): void {
    const { aggressiveness } = this;
    const shown = aggressivenessOf(this.curve, willing);
    const more = change === "more";
    const from = more ? Math.max(shown, aggressiveness) : Math.min(shown, aggressiveness);
    const step = RELATIVE_STEP * Math.abs(from) + ABSOLUTE_STEP;
    const desired = more ? from + step : from - step;
    const learned = aggressiveness + this.shortTermRate * (desired - aggressiveness);
    this.aggressiveness = Math.min(1, Math.max(-1, learned));
  }
}
