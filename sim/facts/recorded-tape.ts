// A tape as typed columns, grouped by contract, with what the facts need and nothing else.
//
// Times are milliseconds since the epoch, prices cents/MWh, quantities MW. Rows are in the order of time.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import type { TapeContract } from "./contracts.ts";

export interface MarketMinutes {
  /** Milliseconds since the epoch; a whole minute. */
  readonly start: number;
  readonly end: number;
  /** Of each minute, 1 if the market is open. */
  readonly open: Uint8Array;
}

/** The top of a contract's book: a row for each change. An empty side is NaN. */
export interface Quotes {
  readonly times: Float64Array;
  readonly bids: Float64Array;
  readonly asks: Float64Array;
}

export interface Trades {
  readonly times: Float64Array;
  readonly prices: Float64Array;
  readonly quantities: Float64Array;
  /** 1 if the buyer was the aggressor, otherwise -1. */
  readonly signs: Float64Array;
  readonly buyers: readonly string[];
  readonly sellers: readonly string[];
}

export interface PriceSeries {
  readonly times: Float64Array;
  readonly prices: Float64Array;
}

/** A column of few different names. */
export interface NameColumn {
  /** Of each row, an index into `names`. */
  readonly codes: Int32Array;
  /** In the order of their first rows. */
  readonly names: readonly string[];
}

/** What personas held at some times: a row for each position, or one for a persona without positions. */
export interface Positions {
  readonly length: number;
  readonly time: Float64Array;
  readonly persona: NameColumn;
  /** An empty name if the persona held nothing. */
  readonly contractId: NameColumn;
  readonly positionMw: Float64Array;
  /** Of the persona, in each of its rows: dollars. */
  readonly cash: Float64Array;
}

/** What the market was told of orders. */
interface OrderFlow {
  readonly submits: number;
  readonly changes: number;
  readonly cancels: number;
  /** Of cancelled orders, from submission to cancel: milliseconds. */
  readonly lifetimes: Float64Array;
}

export interface Tape {
  readonly definition: MarketDefinition;
  /** In the order of listing; also contracts without trades. */
  readonly contracts: ReadonlyMap<string, TapeContract>;
  readonly minutes: MarketMinutes;
  readonly trades: ReadonlyMap<string, Trades>;
  readonly quotes: ReadonlyMap<string, Quotes>;
  /** Of all orders, changes and cancels. */
  readonly messageTimes: Float64Array;
  readonly orders: OrderFlow;
  /** By node; a price for each 5 minutes that begin at its time. */
  readonly spot: ReadonlyMap<string, PriceSeries>;
  readonly positions: Positions;
  /** By contract, then by forecaster: `best`, and the ids of personas. */
  readonly forecasts: ReadonlyMap<string, ReadonlyMap<string, PriceSeries>>;
}

/** The forecaster whose forecasts are the expectation of the spot model. */
export const BEST = "best";
