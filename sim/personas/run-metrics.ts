// Metrics of a run: trades and volume, distance of prices from the fundamental, two-sided books, spreads, and allocative
// efficiency. docs/simulator.md defines each metric.
//
// Quantities are kW, prices cents/MWh.

import type { Assignment, Assignments } from "./assignments.ts";
import type { ContractBook } from "./persona.ts";

export type MetricName = "smithsAlpha" | "allocativeEfficiency" | "twoSidedBooks" | "meanSpread";

/** The value of a metric, or why it has none. */
export type Figure = { readonly value: number } | { readonly value: null; readonly reason: string };

export interface MetricTrade {
  readonly price: number;
  readonly quantity: number;
  /** Forecast of the contract at the time of the trade. */
  readonly fundamental: number;
  /** The assignments behind the two orders; null for an order without a limit price. */
  readonly buyer: Assignment | null;
  readonly seller: Assignment | null;
}

const NO_SAMPLES = "no open book was looked at: there is a look at each every five minutes";

export class RunMetrics {
  #trades = 0;
  #volume = 0;
  #squares = 0;
  #fundamentals = 0;
  #books = 0;
  #twoSidedBooks = 0;
  #spreadShares = 0;
  #lastBookTime: number | null = null;

  constructor(private readonly assignments: Assignments) {}

  get trades(): number {
    return this.#trades;
  }

  get volume(): number {
    return this.#volume;
  }

  onTrade({ price, quantity, fundamental, buyer, seller }: MetricTrade): void {
    this.#trades += 1;
    this.#volume += quantity;
    this.#squares += (price - fundamental) ** 2;
    this.#fundamentals += fundamental;
    this.assignments.traded(buyer, seller, quantity);
  }

  /** What the metrics of books rest on: the number of samples, and the time of the last one; null without samples. */
  get bookSamples(): { readonly count: number; readonly until: number | null } {
    return { count: this.#books, until: this.#lastBookTime };
  }

  /** Samples the book of a contract that is open for trading. Sample times must not depend on the trading. */
  onBook(time: number, { bestBid, bestAsk }: ContractBook, fundamental: number): void {
    this.#books += 1;
    this.#lastBookTime = time;
    if (bestBid === null || bestAsk === null) return;
    this.#twoSidedBooks += 1;
    this.#spreadShares += (bestAsk - bestBid) / Math.max(1, Math.abs(fundamental));
  }

  /** All metrics as of `time`, in percent. */
  figures(time: number): Readonly<Record<MetricName, Figure>> {
    return {
      smithsAlpha: this.#smithsAlpha(),
      allocativeEfficiency: this.#allocativeEfficiency(time),
      twoSidedBooks: this.#twoSidedBooksShare(),
      meanSpread: this.#meanSpread(),
    };
  }

  /** Root mean square distance of trade prices from the fundamental, over the mean fundamental (Smith 1962). */
  #smithsAlpha(): Figure {
    if (this.#trades === 0) return { value: null, reason: "nothing was traded" };
    const fundamental = this.#fundamentals / this.#trades;
    if (fundamental <= 0) return { value: null, reason: "the fundamental is not positive on the mean" };
    return { value: 100 * Math.sqrt(this.#squares / this.#trades) / fundamental };
  }

  /** Realised surplus over the greatest possible surplus. */
  #allocativeEfficiency(time: number): Figure {
    const value = this.assignments.efficiency(time);
    return value === null
      ? { value, reason: "no half hour is over in which traders with limits could gain" }
      : { value };
  }

  /** Share of the sampled books that had two sides. */
  #twoSidedBooksShare(): Figure {
    if (this.#books === 0) return { value: null, reason: NO_SAMPLES };
    return { value: 100 * this.#twoSidedBooks / this.#books };
  }

  /** Mean spread of the sampled books that had two sides, over the fundamental. */
  #meanSpread(): Figure {
    if (this.#books === 0) return { value: null, reason: NO_SAMPLES };
    if (this.#twoSidedBooks === 0) return { value: null, reason: "no book had two sides" };
    return { value: 100 * this.#spreadShares / this.#twoSidedBooks };
  }
}

/** What the mark of a contract rests on. */
export type MarkSource = "book" | "lastTrade" | "forecast" | "delivery";

/** The price at which positions are valued, in whole cents/MWh. */
export interface Mark {
  readonly price: number;
  readonly source: MarkSource;
}

/**
 * The middle of a two-sided book, or else the last trade price, or else the forecast. Once delivery has started there is no
 * trading, so the forecast is used: past spot prices for the hours delivered, expected ones for the rest.
 */
export function markOf({ bestBid, bestAsk, lastPrice }: ContractBook, forecast: number, hasStarted = false): Mark {
  if (hasStarted) return { price: Math.round(forecast), source: "delivery" };
  if (bestBid !== null && bestAsk !== null) return { price: Math.round((bestBid + bestAsk) / 2), source: "book" };
  if (lastPrice !== null) return { price: lastPrice, source: "lastTrade" };
  return { price: Math.round(forecast), source: "forecast" };
}
