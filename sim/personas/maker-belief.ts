// What a market maker believes a contract is worth. It does not know the value: its belief starts at its own forecast and
// moves with
//
//   - the surprise in the sign of each trade: the sign less what recent signs let it expect (Glosten & Milgrom 1985, Kyle
//     1985; with persistent signs only the surprise is news, Madhavan, Richardson & Roomans 1997), by the square root of
//     the size. The step is a share of the usual move between two trades, so contracts that trade often and seldom, and
//     calm and wild ones, all follow their trades;
//   - its own forecast. The maker knows that the forecast has an error that lasts, and estimates it: the slow mean of the
//     forecast less the belief. What a revision says beyond that is news, of which it believes a part. So news that the
//     market knows already moves the belief no more;
//   - the middle of the book, so makers agree.
//
// Part of a trade's effect stays, as if the forecast had been wrong; the rest fades in minutes.
//
// A contract whose delivery is made up of others (a day's base of its hours) has no belief of its own: it is worth the mean
// of its parts, and what moves it moves all of them. So a maker's quotes of base, peak and hours always fit together.
//
// Prices are cents/MWh, times milliseconds. Cost: O(parts) for each change.

import { DAY_MS, HOUR_MS } from "../../protocol/time-units.ts";
import { DAILY_SD } from "../information/price-moves.ts";
import { scaleOf } from "./mandate.ts";
import type { TradedContract } from "./traded-contract.ts";

/** Part of the news of a revision that a maker believes. */
const GAIN = 0.9;
/** Times in which the estimated error follows the present one, and in which it is forgotten, by a factor of e. */
const ERROR_LEARNING_MS = 1_800_000;
const ERROR_MEMORY_MS = 8 * HOUR_MS;
/** Time in which a belief comes nearer to the middle of the book, by a factor of e. */
const AGREEMENT_MS = 120_000;
/** Part of a trade's effect that stays, and the time in which the rest fades by a factor of e. */
const LASTING_PART = 0.45;
const FADING_MS = 240_000;
/** Weight of one trade in the mean of signs, and the part of that mean that it expects of the next trade. */
const FLOW_WEIGHT = 0.04;
const EXPECTED_PART = 0.76;
/** Step for a full surprise at the usual size, in usual moves between two trades. */
const IMPACT = 0.2;
const USUAL_LOTS = 10;
const GREATEST_SIZE_FACTOR = 3;
/** Memory of the estimates of volatility and of the time between trades. */
const VOLATILITY_MEMORY_MS = 3 * HOUR_MS;
const GAP_WEIGHT = 0.03;
const FIRST_GAP_MS = 300_000;
const LONGEST_GAP_MS = 1_800_000;

export class MakerBelief {
  /** The contracts that make up the delivery; null if there are none. */
  parts: readonly MakerBelief[] | null = null;
  #value: number;
  #forecast: number;
  #forecastTime: number;
  /** Estimated error of its own forecast. */
  #error = 0;
  /** Part of that estimate which is the effect of recent trades, and fades. */
  #fading = 0;
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

  /** Its own forecast has been revised by what was announced to everybody: there is nothing to doubt. */
  announced(forecast: number): void {
    const change = forecast - this.#forecast;
    this.#forecast = forecast;
    this.#squares += change ** 2;
    if (this.parts === null) this.#value += change;
  }

  /** Its own forecast has been revised. */
  revised(forecast: number, time: number): void {
    const change = forecast - this.#forecast;
    const elapsed = Math.min(600_000, Math.max(1, time - this.#forecastTime));
    this.#forecast = forecast;
    this.#forecastTime = time;
    const kept = Math.exp(-elapsed / VOLATILITY_MEMORY_MS);
    this.#squares = kept * this.#squares + change ** 2;
    this.#duration = kept * this.#duration + elapsed;
    if (this.parts !== null) return;
    const faded = this.#fading * (1 - Math.exp(-elapsed / FADING_MS));
    this.#fading -= faded;
    this.#error -= faded;
    this.#value += GAIN * (forecast - this.#error - this.#value);
    this.#error += (forecast - this.#value - this.#error) * elapsed / ERROR_LEARNING_MS;
    this.#error -= this.#error * elapsed / ERROR_MEMORY_MS;
  }

  /** It sees the middle of the book. */
  saw(middle: number, time: number): void {
    const weight = 1 - Math.exp(-(time - this.#agreedTime) / AGREEMENT_MS);
    this.#agreedTime = time;
    this.#move(weight * (middle - this.value), 0, 0);
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
    this.#move(IMPACT * usualMove * size * surprise, 1, 1 - LASTING_PART);
  }

  /**
   * Moves the value, the parts by their own prices. `unforecast`: the part of the change that the forecast lacks; `fading`:
   * the part that fades.
   */
  #move(change: number, unforecast: number, fading: number): void {
    const { parts } = this;
    if (parts === null) {
      this.#value += change;
      this.#error -= unforecast * change;
      this.#fading -= fading * change;
      return;
    }
    let scales = 0;
    for (const part of parts) scales += scaleOf(part.#value);
    const share = change * parts.length / scales;
    for (const part of parts) part.#move(share * scaleOf(part.#value), unforecast, fading);
  }
}
