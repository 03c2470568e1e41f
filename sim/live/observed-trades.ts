// The trades of a run, put together from the fills that personas are told of, each on its own connection: a trade between
// two personas shows as two fills, one with a persona on one side alone as one.
//
// A trade is booked when its second fill comes, or when it has been waited for long enough.

import { BUY, type Side } from "../market/order-book.ts";
import type { Assignment } from "../personas/assignments.ts";
import type { MetricTrade } from "../personas/run-metrics.ts";

export interface ObservedFill {
  readonly tradeId: string;
  readonly side: Side;
  readonly price: number;
  /** kW. */
  readonly quantity: number;
  /** What the order was sent for; null without a limit price. */
  readonly assignment: Assignment | null;
  /** Simulated. */
  readonly time: number;
  /** The forecast of the contract, cents/MWh. */
  readonly fundamental: number;
}

interface WaitingFill {
  readonly fill: ObservedFill;
  readonly since: number;
}

const LONGEST_WAIT_MS = 2_000;

export class ObservedTrades {
  /** By trade, oldest first. */
  readonly #waiting = new Map<string, WaitingFill>();

  /** `now`: milliseconds since the epoch. */
  constructor(private readonly book: (trade: MetricTrade) => void, private readonly now: () => number) {}

  note(fill: ObservedFill): void {
    this.settle();
    const first = this.#waiting.get(fill.tradeId);
    if (first === undefined) {
      this.#waiting.set(fill.tradeId, { fill, since: this.now() });
      return;
    }
    this.#waiting.delete(fill.tradeId);
    this.#book(first.fill, fill);
  }

  /** Books the trades whose other side is nobody's here. */
  settle(): void {
    for (const [tradeId, { fill, since }] of this.#waiting) {
      if (this.now() - since < LONGEST_WAIT_MS) return;
      this.#waiting.delete(tradeId);
      this.#book(fill, null);
    }
  }

  #book(one: ObservedFill, other: ObservedFill | null): void {
    const { time, price, quantity, fundamental } = one;
    const [buy, sell] = one.side === BUY ? [one, other] : [other, one];
    const parties = { buyer: buy?.assignment ?? null, seller: sell?.assignment ?? null };
    this.book({ time, price, quantity, fundamental, ...parties });
  }
}
