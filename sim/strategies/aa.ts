// AA, "adaptive aggressiveness" (Vytelingum, Cliff & Jennings, "Strategic bidding in continuous double auctions",
// Artificial Intelligence 172, 2008): estimates where the market trades, and learns how aggressively to go for that price,
// from every shout (short term) and from how much prices vary (long term).
//
// Estimate: the mean of the last trades, each older one counting less. Short term: a trade at a better price than its own
// target makes it less aggressive, one at a worse price more; so does a refused quote of its own side that is at least as
// willing as its target. Long term: theta, the bend of the curve from aggressiveness to price, follows the volatility
// around the estimate. Bidding: it takes the other side's best quote where that is within its target, else goes a third
// of the way from the best quote of its side to the target; before the first trade, to the other side's best quote.
//
// Parameters as in the paper where it gives them; learning rates are drawn from .2 to .6, theta at first from -5 to 0.
// Cost: O(1) a quote, and O(trades remembered) a shout, with a few exponentials. Nothing is allocated.

import { BUY, opposite, type Side } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { aggressivenessOf, targetPrice } from "./aggressiveness.ts";
import { bestOn, priceWithinLimit, quoteWithinLimit, workingOn } from "./quotes.ts";
import type { Account, MarketUpdate, MarketView, Quotes, Strategy } from "./strategy.ts";

/** Trades that the estimate takes in, and the weight of each beside that of the one after it. */
const REMEMBERED_TRADES = 5;
const OLDER_WEIGHT = 0.9;
/** Of the way to the target, one part of so many. */
const APPROACH = 3;
const RELATIVE_STEP = 0.02;
const ABSOLUTE_STEP = 0.01;
const LOWEST_THETA = -8;
const HIGHEST_THETA = 2;
const THETA_SHAPE = 2;

export class AdaptiveAggressiveness implements Strategy {
  private readonly side: Side;
  /** 1 for a buyer, -1 for a seller, whose prices are seen from below: willing is high. */
  private readonly sign: number;
  private readonly shortTermRate: number;
  private readonly longTermRate: number;

  /** A ring of the last trades' prices. */
  private readonly trades = new Float64Array(REMEMBERED_TRADES);
  private tradeCount = 0;
  private lowestVolatility = Infinity;
  private highestVolatility = -Infinity;
  private readonly curve = { limit: 0, equilibrium: 0, worst: 0, theta: 0 };
  private aggressiveness = 0;

  constructor({ side, random }: { readonly side: Side; readonly random: SeededRandom }) {
    this.side = side;
    this.sign = side === BUY ? 1 : -1;
    this.shortTermRate = 0.2 + 0.4 * random.next();
    this.longTermRate = 0.2 + 0.4 * random.next();
    this.curve.theta = -5 * random.next();
  }

  /** Where it thinks that the market trades; null before the first trade. */
  get equilibriumPrice(): number | null {
    return this.tradeCount === 0 ? null : this.sign * this.curve.equilibrium;
  }

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { side, sign } = this;
    const limit = sign * account.limitPrice;
    const ownBest = bestOn(market, side);
    if (ownBest !== null && limit <= sign * ownBest) {
      // No room to improve: what it has in the book stays.
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
    if (isTrade) this.learnAggressiveness(willing, target < willing);
    else if (side === this.side && target <= willing) this.learnAggressiveness(willing, true);
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

  /** What it would quote if it went all the way. */
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

  /** A steady market allows a flatter curve at the equilibrium, a volatile one a steeper. */
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
   * Towards an aggressiveness a little above or below the one that a price stands for. More never means less than now, nor
   * less more, although a price on the tick stands for a little less than the target that it was rounded from.
   */
  private learnAggressiveness(willing: number, more: boolean): void {
    const { aggressiveness } = this;
    const shown = aggressivenessOf(this.curve, willing);
    const from = more ? Math.max(shown, aggressiveness) : Math.min(shown, aggressiveness);
    const step = RELATIVE_STEP * Math.abs(from) + ABSOLUTE_STEP;
    const desired = more ? from + step : from - step;
    const learned = aggressiveness + this.shortTermRate * (desired - aggressiveness);
    this.aggressiveness = Math.min(1, Math.max(-1, learned));
  }
}
