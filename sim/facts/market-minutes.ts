// The minutes of a run and whether the market is open in each, and prices on the grid of minutes.
//
// The price at a minute is the last one at or before its first millisecond. It is missing (NaN) if a side of the book is
// empty then, while the market is closed, and outside the time in which the contract may be traded.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { sessionAt } from "../../engine/market/session-schedule.ts";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { TapeContract } from "./contracts.ts";
import type { MarketMinutes, PriceSeries, Quotes } from "./recorded-tape.ts";

/** Of the definition's first market. */
export function marketMinutes({ markets: [market] }: MarketDefinition, from: number, end: number): MarketMinutes {
  const start = Math.ceil(from / MINUTE_MS) * MINUTE_MS;
  const open = new Uint8Array(Math.ceil((end - start) / MINUTE_MS)).fill(1);
  if (market === undefined || market.schedule === null) return { start, end, open };
  for (let time = start; time < end;) {
    const { status, nextChange } = sessionAt(market.schedule, market.timezone, time);
    if (status !== "open") open.fill(0, (time - start) / MINUTE_MS, Math.ceil((nextChange - start) / MINUTE_MS));
    time = Math.ceil(nextChange / MINUTE_MS) * MINUTE_MS;
  }
  return { start, end, open };
}

/** The middle of the book at each minute of the run. */
export function midsByMinute(quotes: Quotes, contract: TapeContract, minutes: MarketMinutes): Float64Array {
  const mids = new Float64Array(minutes.open.length).fill(NaN);
  let row = -1;
  for (let minute = 0; minute < mids.length; minute++) {
    const time = minutes.start + minute * MINUTE_MS;
    while (row + 1 < quotes.times.length && quotes.times[row + 1]! <= time) row += 1;
    if (row < 0 || minutes.open[minute] === 0 || !mayTrade(contract, time)) continue;
    mids[minute] = midOf(quotes, row);
  }
  return mids;
}

export function mayTrade({ listedAt, deliveryStart }: TapeContract, time: number): boolean {
  return time >= listedAt && time < deliveryStart;
}

/** NaN if a side is empty. */
export function midOf({ bids, asks }: Quotes, row: number): number {
  return (bids[row]! + asks[row]!) / 2;
}

/** The middle of the book at a time; NaN if a side is empty or nothing was quoted yet. */
export function midAt(quotes: Quotes, time: number): number {
  return midOf(quotes, lastAt(quotes.times, time));
}

/** The latest price at a time; NaN if there was none yet. */
export function priceAt({ times, prices }: PriceSeries, time: number): number {
  return prices[lastAt(times, time)] ?? NaN;
}

/** The last place whose time is at or before `time`; -1 if there is none. */
export function lastAt(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
