// What a simple strategy sees when it wakes up, what it answers, and the parts that several of them share.
//
// Prices are cents/MWh, quantities MW, times market time in milliseconds since the epoch.

import type { ContractTerms, Observe } from "../../sim/outside/agents/agent-messages.ts";

export type Side = "BUY" | "SELL";

/** A contract with a bid and an ask of others, before its delivery. */
export interface Quote {
  readonly contract: ContractTerms;
  readonly start: number;
  readonly end: number;
  readonly bid: number;
  readonly bidMw: number;
  readonly ask: number;
  readonly askMw: number;
  readonly forecast: number;
  /** Bought less sold. */
  readonly position: number;
}

export interface MarketView {
  readonly time: number;
  readonly quotes: readonly Quote[];
  /** By node, the node behind the line last. */
  readonly spot: ReadonlyMap<string, number>;
  readonly events: Observe["events"];
  /** Since the last wake-up. */
  readonly fills: Observe["fills"];
}

export interface Wish {
  readonly quote: Quote;
  readonly side: Side;
  readonly quantity: number;
  /** Absent: takes the best opposite quote. */
  readonly price?: number;
}

export interface SimpleStrategy {
  readonly name: string;
  readonly wakeMs: number;
  /** Types of the contracts that it watches; absent: all that are traded here. */
  readonly types?: readonly string[];
  decide(view: MarketView): readonly Wish[];
  /** Dollars that the spread of its quotes can pay, if it is a maker. */
  spreadPay?(): number;
}

export function midOf({ bid, ask }: Quote): number {
  return (bid + ask) / 2;
}

export function spreadOf({ bid, ask }: Quote): number {
  return ask - bid;
}

/** MW of an order: less for contracts with many hours of delivery, whose luck would hide what the others earn. */
export function sizeOf({ contract: { hours } }: Quote): number {
  return hours <= 1 ? 5 : hours <= 24 ? 2 : 1;
}

/** Buys if `direction` is positive, else sells. */
export function taking(quote: Quote, direction: number): Wish {
  return { quote, side: direction > 0 ? "BUY" : "SELL", quantity: sizeOf(quote) };
}

/** MW up to the most that a strategy holds in one contract, long or short: four orders. */
export function headroomMw(quote: Quote, side: Side): number {
  return 4 * sizeOf(quote) + (side === "BUY" ? -quote.position : quote.position);
}

/** What can be taken at the best opposite quote, within the limit on positions. */
export function availableMw(quote: Quote, side: Side): number {
  return Math.min(side === "BUY" ? quote.askMw : quote.bidMw, headroomMw(quote, side));
}

/** Closes positions some time after they were first seen. */
export class TimedPositions {
  readonly #since = new Map<string, number>();

  constructor(private readonly holdMs: number) {}

  closing({ time, quotes }: MarketView): Wish[] {
    const wishes: Wish[] = [];
    for (const quote of quotes) {
      const { contract: { contractId }, position } = quote;
      const since = this.#since.get(contractId);
      if (position === 0) this.#since.delete(contractId);
      else if (since === undefined) this.#since.set(contractId, time);
      else if (time - since >= this.holdMs) {
        wishes.push({ quote, side: position > 0 ? "SELL" : "BUY", quantity: Math.abs(position) });
      }
    }
    return wishes;
  }
}

/** Values of the last `windowMs`, by key. */
export class RecentValues {
  #moments: { readonly time: number; readonly values: ReadonlyMap<string, number> }[] = [];

  constructor(private readonly windowMs: number) {}

  add(time: number, values: ReadonlyMap<string, number>): void {
    this.#moments = this.#moments.filter((moment) => moment.time >= time - this.windowMs);
    this.#moments.push({ time, values });
  }

  /** Undefined: it had no value a window ago. */
  oldest(key: string): number | undefined {
    const [oldest] = this.#moments;
    return this.#isFull() ? oldest!.values.get(key) : undefined;
  }

  /** Undefined before a whole window has passed. */
  mean(key: string): number | undefined {
    if (!this.#isFull()) return undefined;
    const values = this.#moments.flatMap((moment) => moment.values.get(key) ?? []);
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  #isFull(): boolean {
    const [oldest] = this.#moments;
    return oldest !== undefined && this.#moments.at(-1)!.time - oldest.time >= this.windowMs;
  }
}
