// What a trading strategy is: it is shown one contract and the account that it trades for, and says which quotes it wants
// to have in the book. Who carries that out, a laboratory that calls it millions of times a second or a trader on a
// connection, is not its business.
//
// Prices are integers (ticks in a laboratory, cents/MWh in a market), quantities whole kW (units in a laboratory), times
// milliseconds. The caller keeps one view, one account and one `Quotes` and changes them in place, so that a quote
// allocates nothing; a strategy reads them only while it is called, and keeps none of them.

import type { Side } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import type { Quotes } from "./quotes.ts";

/** One contract as everyone sees it. */
export interface MarketView {
  /** Since the epoch. */
  readonly time: number;
  /** Until trading ends and delivery begins; Infinity where it does not. */
  readonly timeLeftMs: number;
  /** Null where the side is empty. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Null before the first trade. */
  readonly lastPrice: number | null;
  /** The prices that a quote may have, both included; multiples of the tick. */
  readonly lowestPrice: number;
  readonly highestPrice: number;
  /** Every price is a multiple of it. */
  readonly tick: number;
}

/** Another contract on the same hours, whose price moves with this one's: the other node. */
export interface RelatedContract {
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** What it is expected to be worth at delivery. */
  readonly fundamentalValue: number;
  /** Of the same account. */
  readonly position: number;
}

/** The one that a strategy trades for, in this contract. */
export interface Account {
  /** What a one-sided strategy never betrays: it buys at this price at most, or sells at this price at least. */
  readonly limitPrice: number;
  /** What the contract is expected to be worth at delivery. */
  readonly fundamentalValue: number;
  /** Bought less sold. */
  readonly position: number;
  /** The mean price at which the position was taken; null without a position. */
  readonly averagePrice: number | null;
  /** The most that one order may buy or sell now; 0 where it may not trade on that side, or has nothing left to. */
  readonly buyQuantity: number;
  readonly sellQuantity: number;
  /** The price of its own order on that side; null without one. */
  readonly workingBid: number | null;
  readonly workingAsk: number | null;
  /** Null where there is none. */
  readonly related: RelatedContract | null;
}

/** A quote that was called out to everyone, and what became of it. */
export interface Shout {
  readonly side: Side;
  /** Of the trade where it was accepted, else the one that was quoted. */
  readonly price: number;
  /** Of the trade where it was accepted. */
  readonly quantity: number;
  /** Whether it traded at once. */
  readonly accepted: boolean;
}

/** What every strategy is made with. */
export interface StrategySetup {
  /** On which side a one-sided strategy trades; others trade on both. */
  readonly side: Side;
  /** A stream of random numbers of its own. */
  readonly random: SeededRandom;
  /** A price difference that just matters: half a spread at rest, about one per cent of the price. */
  readonly priceScale: number;
  /** The quantity of a usual order. */
  readonly quantityScale: number;
}

export interface Strategy {
  /** Sets the quotes that it wants in the book from now on, beside no other. `quotes` comes cleared. */
  quote(market: MarketView, account: Account, quotes: Quotes): void;
  /**
   * Hears a shout, its own included; absent where it learns from none. The account is as before the shout: whoever trades
   * still has something to trade while all hear of it. The view may be as before or as after.
   */
  observe?(shout: Shout, market: MarketView, account: Account): void;
}
