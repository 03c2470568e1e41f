// Candles and volumes of a contract, kept up to date trade by trade: a new trade changes the last candle or begins one.

import { type Candle, type CandleInterval, candleWith } from "../contract/candles.ts";
import type { Trade } from "../contract/market.ts";
import type { LinePoint } from "./chart-series.ts";

/** Seconds of a candle, by what people call it. */
export const INTERVALS = { "1 min": 60, "5 min": 300, "1 h": 3600 } as const satisfies Record<string, CandleInterval>;
export type Interval = keyof typeof INTERVALS;

/** Candles kept; the oldest are forgotten, a tenth of them at a time. */
const MAX_CANDLES = 5_000;

interface CandleContent {
  readonly candles: readonly Candle[];
  /** MW traded in the time of each candle. */
  readonly volumes: readonly LinePoint[];
}

/** Candles that are over stay the same objects, so that a chart only draws the last one again. */
export class CandleBuilder {
  #candles: Candle[] = [];
  #volumes: LinePoint[] = [];
  #content: CandleContent | null = null;

  constructor(readonly interval: CandleInterval) {}

  /** A trade that is older than the last candle counts to the last one. */
  add(trade: Pick<Trade, "time" | "price" | "quantity">): void {
    this.#put(candleWith(this.#candles.at(-1), trade, this.interval));
  }

  /** A candle of the same or a shorter interval, which may be longer ago than all trades that are known. */
  addCandle({ time, open, high, low, close, volume }: Candle): void {
    const last = this.#candles.at(-1);
    const start = Math.floor(time / this.interval) * this.interval;
    if (last === undefined || start > last.time) this.#put({ time: start, open, high, low, close, volume });
    else {
      this.#put({
        ...last,
        high: Math.max(last.high, high),
        low: Math.min(last.low, low),
        close,
        volume: last.volume + volume,
      });
    }
  }

  /** The same arrays until something is added. */
  get content(): CandleContent {
    return this.#content ??= { candles: this.#candles.slice(), volumes: this.#volumes.slice() };
  }

  #put(candle: Candle): void {
    const isSame = this.#candles.at(-1)?.time === candle.time;
    if (!isSame && this.#candles.length >= MAX_CANDLES) {
      this.#candles.splice(0, MAX_CANDLES / 10);
      this.#volumes.splice(0, MAX_CANDLES / 10);
    }
    const index = this.#candles.length - (isSame ? 1 : 0);
    this.#candles[index] = candle;
    this.#volumes[index] = { time: candle.time, value: candle.volume };
    this.#content = null;
  }
}
