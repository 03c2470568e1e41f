// Candles and volumes of trades, kept up to date trade by trade: a new trade changes the last candle or begins one.

import type { Trade } from "../contract/market.ts";
import type { Candle, LinePoint } from "./chart-series.ts";

/** Seconds of a candle, by what people call it. */
export const INTERVALS = { "1 min": 60, "5 min": 300, "1 h": 3_600 } as const;
export type Interval = keyof typeof INTERVALS;

/** Candles kept; the oldest are forgotten, a tenth of them at a time. */
const MAX_CANDLES = 5_000;

/** What the candles need of a trade. */
export type Traded = Pick<Trade, "time" | "price" | "quantity">;

export class CandleBuilder {
  #candles: Candle[] = [];
  #volumes: LinePoint[] = [];
  #shown: { readonly candles: readonly Candle[]; readonly volumes: readonly LinePoint[] } | null = null;

  constructor(readonly seconds: number) {}

  /** Candles from before the first trade, oldest first. */
  static of(seconds: number, candles: readonly (Candle & { readonly volume: number })[]): CandleBuilder {
    const builder = new CandleBuilder(seconds);
    for (const { time, open, high, low, close, volume } of candles) {
      builder.#candles.push({ time, open, high, low, close });
      builder.#volumes.push({ time, value: volume });
    }
    return builder;
  }

  /** A trade that is older than the last candle counts to the last one, since candles that are over don't change. */
  add({ time, price, quantity }: Traded): void {
    const at = Math.floor(Date.parse(time) / 1_000 / this.seconds) * this.seconds;
    if (Number.isNaN(at)) return;
    const last = this.#candles.at(-1);
    if (last === undefined || at > last.time) this.#begin(at, price, quantity);
    else {
      const { open, high, low } = last;
      const changed = { time: last.time, open, high: Math.max(high, price), low: Math.min(low, price), close: price };
      this.#candles[this.#candles.length - 1] = changed;
      const volume = (this.#volumes.at(-1)!.value ?? 0) + quantity;
      this.#volumes[this.#volumes.length - 1] = { time: last.time, value: volume };
    }
    this.#shown = null;
  }

  /** The same arrays until a trade is added. */
  get content(): { readonly candles: readonly Candle[]; readonly volumes: readonly LinePoint[] } {
    return this.#shown ??= { candles: this.#candles.slice(), volumes: this.#volumes.slice() };
  }

  #begin(time: number, price: number, quantity: number): void {
    if (this.#candles.length >= MAX_CANDLES) {
      this.#candles.splice(0, MAX_CANDLES / 10);
      this.#volumes.splice(0, MAX_CANDLES / 10);
    }
    this.#candles.push({ time, open: price, high: price, low: price, close: price });
    this.#volumes.push({ time, value: quantity });
  }
}
