// Derives the trades of a run from the fills of its personas. A trade between two personas gives two fills, each on its own
// connection; a trade with somebody else gives one.
//
// A trade is recorded when its second fill arrives, after MAX_WAIT_MS without one, or at the end of the run.

import { BUY, type Side } from "../../engine/market/order-book.ts";
import type { Assignment } from "../personas/assignments.ts";
import type { MetricTrade } from "../personas/run-metrics.ts";

export interface ObservedFill {
  readonly tradeId: string;
  readonly side: Side;
  readonly price: number;
  /** kW. */
  readonly quantity: number;
  /** What the order was sent for; null if its trader has no limit price. */
  readonly assignment: Assignment | null;
  /** The forecast of the contract, cents/MWh. */
  readonly fundamental: number;
}

interface WaitingFill {
  readonly fill: ObservedFill;
  readonly since: number;
}

const MAX_WAIT_MS = 2_000;

export class ObservedTrades {
  /** By trade id, oldest first. */
  readonly #waiting = new Map<string, WaitingFill>();

  /** `now`: milliseconds since the epoch. */
  constructor(private readonly record: (trade: MetricTrade) => void, private readonly now: () => number) {}

  note(fill: ObservedFill): void {
    this.settle();
    const first = this.#waiting.get(fill.tradeId);
    if (first === undefined) {
      this.#waiting.set(fill.tradeId, { fill, since: this.now() });
      return;
    }
    this.#waiting.delete(fill.tradeId);
    this.#record(first.fill, fill);
  }

  /** Records the trades that have waited long enough for a second fill. `isOver`: the run has ended, so it records all. */
  settle({ isOver = false } = {}): void {
    for (const [tradeId, { fill, since }] of this.#waiting) {
      if (!isOver && this.now() - since < MAX_WAIT_MS) return;
      this.#waiting.delete(tradeId);
      this.#record(fill, null);
    }
  }

  #record(one: ObservedFill, other: ObservedFill | null): void {
    const { price, quantity, fundamental } = one;
    const [buy, sell] = one.side === BUY ? [one, other] : [other, one];
    const parties = { buyer: buy?.assignment ?? null, seller: sell?.assignment ?? null };
    this.record({ price, quantity, fundamental, ...parties });
  }
}
