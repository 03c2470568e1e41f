// A trading strategy: given one contract's market and the account it trades for, it says which quotes it wants in the book.
// The caller carries the quotes out: a laboratory market, or a persona.
//
// Prices are integers: ticks in the laboratory, cents/MWh in a market. Quantities are units in the laboratory, kW in a
// market. Times are milliseconds. The caller changes one view, one account and one `Quotes` in place, so a quote allocates
// nothing. A strategy must not keep a reference to any of the three.

import { BUY, type Side } from "../../engine/market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";

/** One contract's public market data. */
export interface MarketView {
  /** Since the epoch. */
  readonly time: number;
  /** Until trading ends and delivery begins; Infinity if trading never ends. */
  readonly timeLeftMs: number;
  /** Null if the side is empty. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Null before the first trade. */
  readonly lastPrice: number | null;
  /** The range of allowed quote prices, inclusive; multiples of the tick. */
  readonly lowestPrice: number;
  readonly highestPrice: number;
  /** Price increment. */
  readonly tick: number;
}

/** The contract for the same delivery at the other node. */
export interface RelatedContract {
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Expected value at delivery. */
  readonly fundamentalValue: number;
  /** The same account's position in the related contract. */
  readonly position: number;
}

/** The base of a day, its peak and its hours, seen from one of them. */
export interface PackageView {
  /** What this contract is. */
  readonly role: "base" | "peak" | "hour";
  /**
   * For the base and the peak, what the same power can be sold and bought for in other contracts: the better of all hours, and
   * the peak with the other hours; null if one of them has no quote. For an hour null.
   */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** The same account's position in the other contracts: the mean over the hours of this one. */
  readonly position: number;
}

/** What the account generates or consumes in one contract. */
export interface PhysicalTerms {
  /** Its share of a unit's capacity, or of a load, as known now. */
  readonly quantity: number;
  /** What a unit costs, or what customers pay, for each unit of quantity and hour; in price. */
  readonly unitCost: number;
}

/** The plant, load or battery of a strategy from a file, seen from one contract at its node. Energy is kWh. */
export interface AssetView {
  readonly kind: "plant" | "load" | "battery";
  readonly name: string;
  /** In this hour: generated; negative: consumed. */
  readonly output: number;
  /** The most that it can generate, or discharge, in the contract's delivery, as known now; 0 for a load. */
  readonly capacity: number;
  /** Mean of what it plans to generate in the delivery, negative to consume; null if it plans no further than a part of it. */
  readonly planned: number | null;
  /** Bought less sold in the delivery, in all contracts together: their mean over it. */
  readonly position: number;
  /** cents/MWh: of a plant its marginal cost, of a load its tariff, of a battery its wear. */
  readonly unitCost: number;
  /** Null if it stores nothing. */
  readonly stored: number | null;
}

/** A contract as strategies from files see it. */
export interface ContractFacts {
  readonly id: string;
  readonly productId: string;
  readonly marketId: string;
  readonly node: string;
  /** Delivery period. */
  readonly type: "hour" | "base" | "peak" | "weekend" | "week" | "month" | "quarter" | "year";
  /** peak: only the peak hours of the period are delivered. */
  readonly shape: "base" | "peak";
  /** Milliseconds since the epoch. */
  readonly deliveryStart: number;
  readonly deliveryEnd: number;
  /** Of delivery. */
  readonly minutes: number;
  /** Increment of quantities. */
  readonly lot: number;
}

/** A traded contract with its best public quotes. */
export interface ContractQuote {
  readonly contract: ContractFacts;
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  readonly lastPrice: number | null;
  /** The account's own forecast of its value. */
  readonly fundamentalValue: number;
  readonly position: number;
}

/** All contracts that are traded now, nearest delivery first. */
export type AllQuotes = () => readonly ContractQuote[];

/** The account that a strategy trades for, in one contract. */
export interface Account {
  /** A one-sided strategy buys at this price or lower, or sells at this price or higher. */
  readonly limitPrice: number;
  /** Expected value of the contract at delivery. */
  readonly fundamentalValue: number;
  /** Bought less sold. */
  readonly position: number;
  /** Mean entry price of the position; null without a position. */
  readonly averagePrice: number | null;
  /** The largest order allowed on each side now; 0 if the account must not trade on that side. */
  readonly buyQuantity: number;
  readonly sellQuantity: number;
  /** Price of the account's own order on each side; null without one. */
  readonly workingBid: number | null;
  readonly workingAsk: number | null;
  /** Null if there is no related contract. */
  readonly related: RelatedContract | null;
  /** Null unless the strategy trades packages and the contract is part of one. */
  readonly dayPackage: PackageView | null;
  /** Null if it neither generates nor consumes in the contract. */
  readonly physical: PhysicalTerms | null;
  /** Null without an asset of the experiment's own, and in contracts that deliver elsewhere. */
  readonly asset: AssetView | null;
  /** The spread that a market maker wants, relative to its usual one. */
  readonly spreadFactor: number;
}

/** A view or account as its owner changes it. */
export type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A market without orders and trades. */
export const EMPTY_MARKET: MarketView = {
  time: 0,
  timeLeftMs: Infinity,
  bestBid: null,
  bestAsk: null,
  lastPrice: null,
  lowestPrice: 0,
  highestPrice: 0,
  tick: 1,
};

/** An account without a position and orders. */
export const EMPTY_ACCOUNT: Account = {
  limitPrice: 0,
  fundamentalValue: 0,
  position: 0,
  averagePrice: null,
  buyQuantity: 0,
  sellQuantity: 0,
  workingBid: null,
  workingAsk: null,
  related: null,
  dayPackage: null,
  physical: null,
  asset: null,
  spreadFactor: 1,
};

/** A public quote or trade. The literature calls it a shout. */
export interface MarketUpdate {
  /** Side of the quote, or of the aggressor. */
  readonly side: Side;
  /** Trade price, or quoted price. */
  readonly price: number;
  /** Traded quantity, or quoted quantity. */
  readonly quantity: number;
  /** Whether the quote traded at once. */
  readonly isTrade: boolean;
}

/** The quotes that a strategy wants in the book. A quantity of 0 means no quote on that side. */
export class Quotes {
  bidPrice = 0;
  bidQuantity = 0;
  askPrice = 0;
  askQuantity = 0;

  clear(): void {
    this.bidQuantity = 0;
    this.askQuantity = 0;
  }

  set(side: Side, price: number, quantity: number): void {
    if (side === BUY) {
      this.bidPrice = price;
      this.bidQuantity = quantity;
    } else {
      this.askPrice = price;
      this.askQuantity = quantity;
    }
  }
}

/** What a strategy is constructed with. */
export interface StrategySetup {
  /** The side of a one-sided strategy; ignored by the others. */
  readonly side: Side;
  /** The strategy's own stream. */
  readonly random: SeededRandom;
  /** A small price difference: half a normal spread, about 1 % of the price. */
  readonly priceScale: number;
  /** Quantity of a normal order. */
  readonly quantityScale: number;
  /** Absent in a laboratory. */
  readonly contract?: ContractFacts;
}

export interface Strategy {
  /** Whether the account shows the base of a day with its hours. */
  readonly tradesPackages?: boolean;
  /** Whether it only takes what is quoted: a quote that would not trade, because its own company quotes, is not placed. */
  readonly onlyTakes?: boolean;
  /**
   * Sets all quotes that it wants in the book from now on. The caller clears `quotes` first. `allQuotes` holds during the call
   * alone; absent in a laboratory.
   */
  quote(market: MarketView, account: Account, quotes: Quotes, allQuotes?: AllQuotes): void;
  /**
   * Learns from a quote or trade, including its own; absent if the strategy doesn't learn. The account is as it was before
   * the update, so a trader that has just traded still shows the quantity. The view may be from before or after it.
   */
  observe?(update: MarketUpdate, market: MarketView, account: Account): void;
  /** Whether `observe` needs no quotes; a hint that saves calls. */
  readonly observesTradesOnly?: boolean;
}

/**
 * Thrown in place of whatever a strategy from a file throws. Its persona then withdraws its orders and trades nothing more;
 * the run goes on. A built-in strategy that throws ends the run.
 */
export class StrategyFault extends Error {}
