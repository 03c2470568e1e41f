// What a run comes to: its trades, how far from the fundamental they were made, how two-sided and how wide its books are,
// and how much of the possible gain was realised. docs/simulator.md defines each figure.
//
// Quantities are kW, prices cents/MWh.

import type { Assignment, Assignments } from "./assignments.ts";
import type { ContractBook } from "./persona.ts";

/** A figure, or why there is none. */
export type Figure = { readonly value: number } | { readonly value: null; readonly reason: string };

export interface MetricTrade {
  readonly time: number;
  readonly price: number;
  readonly quantity: number;
  /** The forecast of the contract when it was traded. */
  readonly fundamental: number;
  /** Of the orders that traded; null for whoever has no limit price. */
  readonly buyer: Assignment | null;
  readonly seller: Assignment | null;
}

export class RunMetrics {
  #trades = 0;
  #volume = 0;
  #squares = 0;
  #fundamentals = 0;
  #books = 0;
  #twoSidedBooks = 0;
  #spreadShares = 0;

  constructor(private readonly assignments: Assignments) {}

  get trades(): number {
    return this.#trades;
  }

  get volume(): number {
    return this.#volume;
  }

  onTrade({ time, price, quantity, fundamental, buyer, seller }: MetricTrade): void {
    this.#trades += 1;
    this.#volume += quantity;
    this.#squares += (price - fundamental) ** 2;
    this.#fundamentals += fundamental;
    this.assignments.traded(time, buyer, seller, quantity);
  }

  /** Looks at the book of a contract that is traded, at times that do not depend on the trading. */
  onBook({ bestBid, bestAsk }: ContractBook, fundamental: number): void {
    this.#books += 1;
    if (bestBid === null || bestAsk === null) return;
    this.#twoSidedBooks += 1;
    this.#spreadShares += (bestAsk - bestBid) / Math.max(1, Math.abs(fundamental));
  }

  /** Percent: the root of the mean squared distance of trade prices from the fundamental, over its mean (Smith 1962). */
  smithsAlpha(): Figure {
    if (this.#trades === 0) return { value: null, reason: "nothing was traded" };
    const fundamental = this.#fundamentals / this.#trades;
    if (fundamental <= 0) return { value: null, reason: "the fundamental is not positive on the mean" };
    return { value: 100 * Math.sqrt(this.#squares / this.#trades) / fundamental };
  }

  /** Percent of the greatest possible surplus, as of `time`. */
  allocativeEfficiency(time: number): Figure {
    const value = this.assignments.efficiency(time);
    return value === null ? { value, reason: "no round has ended in which traders with limits could gain" } : { value };
  }

  /** Percent of the looks at a book that found both sides. */
  twoSided(): Figure {
    if (this.#books === 0) return { value: null, reason: "no book was looked at" };
    return { value: 100 * this.#twoSidedBooks / this.#books };
  }

  /** Percent of the fundamental, on the mean of the looks that found both sides. */
  spread(): Figure {
    if (this.#twoSidedBooks === 0) return { value: null, reason: "no book had two sides" };
    return { value: 100 * this.#spreadShares / this.#twoSidedBooks };
  }
}

/**
 * The price at which positions are valued, in whole cents/MWh: the middle of the book where it has two sides, else the
 * last trade, else the forecast. Once delivery has started nothing is traded any more, and it is the forecast: spot prices
 * as they have been so far, and as they are expected for the rest.
 */
export function markPrice({ bestBid, bestAsk, lastPrice }: ContractBook, forecast: number, hasStarted = false): number {
  if (hasStarted) return Math.round(forecast);
  if (bestBid !== null && bestAsk !== null) return Math.round((bestBid + bestAsk) / 2);
  return lastPrice ?? Math.round(forecast);
}
