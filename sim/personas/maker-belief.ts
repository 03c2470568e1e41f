// What a market maker believes a contract is worth. It does not know the value: its belief starts at its own forecast and
// moves with
//
//   - the surprise in the sign of each trade: the sign less what recent signs let it expect (Glosten & Milgrom 1985, Kyle
//     1985; with persistent signs only the surprise is news, Madhavan, Richardson & Roomans 1997), by the square root of
//     the size. The step is a share of the usual move between two trades, so contracts that trade often and seldom, and
//     calm and wild ones, all follow their trades;
//   - the changes of its own forecast, of which it believes a part, and slowly the forecast itself;
//   - the middle of the book, so makers agree.
//
// A contract whose delivery is made up of others (a day's base of its hours) has no belief of its own: it is worth the mean
// of its parts, and what moves it moves all of them. So a maker's quotes of base, peak and hours always fit together.
//
// Prices are cents/MWh, times milliseconds. Cost: O(parts) for each change.

import { DAILY_SD } from "../information/price-moves.ts";
import { scaleOf } from "./mandate.ts";
import type { TradedContract } from "./traded-contract.ts";

const DAY_MS = 86_400_000;
/** Part of a change of its own forecast that a maker believes. */
const GAIN = 0.55;
/** Times in which a belief comes nearer to its own forecast and to the middle of the book, by a factor of e. */
const ANCHOR_MS = 1_700_000;
const AGREEMENT_MS = 165_000;
/** Weight of one trade in the mean of signs, and the part of that mean that it expects of the next trade. */
const FLOW_WEIGHT = 0.04;
const EXPECTED_PART = 0.76;
/** Step for a full surprise at the usual size, in usual moves between two trades. */
const IMPACT = 0.6;
const USUAL_LOTS = 10;
const GREATEST_SIZE_FACTOR = 3;
/** Memory of the estimates of volatility and of the time between trades. */
const VOLATILITY_MEMORY_MS = 3 * 3_600_000;
const GAP_WEIGHT = 0.03;
const FIRST_GAP_MS = 300_000;
const LONGEST_GAP_MS = 1_800_000;

export class MakerBelief {
  /** The contracts that make up the delivery; null if there are none. */
  parts: readonly MakerBelief[] | null = null;
  #value: number;
  #forecast: number;
  #forecastTime: number;
  #agreedTime: number;
  /** Squares of forecast changes, and the time that they took, both with a memory. */
  #squares: number;
  #duration: number;
  #flow = 0;
  #gap = FIRST_GAP_MS;
  #tradedTime = NaN;

  constructor(readonly contract: TradedContract, forecast: number, time: number) {
    this.#value = this.#forecast = forecast;
    this.#forecastTime = this.#agreedTime = time;
    // A prior worth an hour.
    this.#duration = DAY_MS / 24;
    this.#squares = (DAILY_SD[contract.type] * scaleOf(forecast)) ** 2 / 24;
  }

  get value(): number {
    const { parts } = this;
    if (parts === null) return this.#value;
    let sum = 0;
    for (const part of parts) sum += part.#value;
    return sum / parts.length;
  }

  /** Standard deviation of the price over a day, as far as it has seen. */
  get dailySd(): number {
    return Math.sqrt(this.#squares / this.#duration * DAY_MS);
  }

  /** Its own forecast has been revised. */
  revised(forecast: number, time: number): void {
    const change = forecast - this.#forecast;
    const elapsed = Math.max(1, time - this.#forecastTime);
    this.#forecast = forecast;
    this.#forecastTime = time;
    const kept = Math.exp(-elapsed / VOLATILITY_MEMORY_MS);
    this.#squares = kept * this.#squares + change ** 2;
    this.#duration = kept * this.#duration + elapsed;
    if (this.parts !== null) return;
    this.#value += GAIN * change;
    this.#value += (1 - Math.exp(-elapsed / ANCHOR_MS)) * (forecast - this.#value);
  }

  /** It sees the middle of the book. */
  saw(middle: number, time: number): void {
    const weight = 1 - Math.exp(-(time - this.#agreedTime) / AGREEMENT_MS);
    this.#agreedTime = time;
    this.move(weight * (middle - this.value));
  }

  /** A trade; `sign` is 1 if the aggressor bought and -1 if it sold. */
  traded(sign: 1 | -1, quantity: number, time: number): void {
    if (!Number.isNaN(this.#tradedTime)) {
      const gap = Math.min(LONGEST_GAP_MS, time - this.#tradedTime);
      this.#gap += GAP_WEIGHT * (gap - this.#gap);
    }
    this.#tradedTime = time;
    const surprise = sign - EXPECTED_PART * this.#flow;
    this.#flow += FLOW_WEIGHT * (sign - this.#flow);
    const usualMove = this.dailySd * Math.sqrt(this.#gap / DAY_MS);
    const size = Math.min(GREATEST_SIZE_FACTOR, Math.sqrt(quantity / (USUAL_LOTS * this.contract.lot)));
    this.move(IMPACT * usualMove * size * surprise);
  }

  /** Moves the value; the parts by their own prices. */
  move(change: number): void {
    const { parts } = this;
    if (parts === null) {
      this.#value += change;
      return;
    }
    let scales = 0;
    for (const part of parts) scales += scaleOf(part.#value);
    const share = change * parts.length / scales;
    for (const part of parts) part.#value += share * scaleOf(part.#value);
  }
}
