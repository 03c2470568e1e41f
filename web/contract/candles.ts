// Candles: the prices and the volume of the trades in intervals of market time. The server makes those of the history, and the
// page goes on with the trades of the stream.
//
// An interval without a trade has no candle, as on trading terminals: a flat one would show a price at which nobody traded.
// Intervals begin at multiples of their length since 1970, so an hour begins at a full hour of UTC.

import type { Trade } from "./market.ts";

/** Seconds. */
export const CANDLE_INTERVALS = [60, 300, 3600] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** Prices in cents/MWh. */
export interface Candle {
  /** Start of the interval, seconds since 1970. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** MW. */
  readonly volume: number;
}

type TradeOfCandle = Pick<Trade, "time" | "price" | "quantity">;

/** The candles of trades that are in the order in which they were made. */
export function candlesOf(trades: readonly TradeOfCandle[], interval: CandleInterval): Candle[] {
  const candles: Candle[] = [];
  for (const trade of trades) {
    const last = candles.at(-1);
    const candle = candleWith(last, trade, interval);
    if (candle.time === last?.time) candles[candles.length - 1] = candle;
    else candles.push(candle);
  }
  return candles;
}

/**
 * The candle after one more trade: that of `last` with the trade, or a new one, which begins later. A trade of an earlier
 * interval counts in that of `last`, because candles are never inserted.
 */
export function candleWith(
  last: Candle | undefined,
  { time, price, quantity }: TradeOfCandle,
  interval: CandleInterval,
): Candle {
  const start = Math.floor(Date.parse(time) / 1000 / interval) * interval;
  if (last === undefined || start > last.time) {
    return { time: start, open: price, high: price, low: price, close: price, volume: quantity };
  }
  return {
    ...last,
    high: Math.max(last.high, price),
    low: Math.min(last.low, price),
    close: price,
    volume: last.volume + quantity,
  };
}
