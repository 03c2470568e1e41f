// Drives the engine's own book with recorded operations, without credit screening: everyone may trade with everyone.
//
// A new order trades with what it crosses and rests with what is left. A cancel of an id that is not live is a miss and
// changes nothing. An id may come again once its order is gone; a new order that would rest beside one of its id is a fault.
// Only the book and the hash of the trades are timed: not the reading of the file, nor the walk over the book at the end.

import { type OnTrade, sweep } from "../market/matching.ts";
import { BUY, NO_SLOT, type OrderBook, SELL, type Side } from "../market/order-book.ts";
import { PriceTimeBook } from "../market/price-time-book.ts";
import { HASH_START, hashBook, hashWord } from "./book-hash.ts";
import { CANCEL, type Operations } from "./ops-file.ts";

export interface OpsReport {
  readonly ops: number;
  readonly trades: number;
  readonly tradedQuantity: number;
  /** Cancels of ids that were not live. */
  readonly cancelMisses: number;
  readonly liveOrders: number;
  /** For each trade in order: resting id, aggressor id, price, quantity. */
  readonly tradeHash: number;
  readonly levelHash: number;
  readonly orderHash: number;
  /** Operations a second of the book alone; null where there were none. */
  readonly opsPerSecond: number | null;
}

/** Milliseconds from anywhere, never going back. */
export type Stopwatch = () => number;

export type OpsOutcome = { readonly ok: true; readonly report: OpsReport } | {
  readonly ok: false;
  /** One line; records are counted from 1. */
  readonly fault: string;
};

/** How many operations are played between two reports of progress. */
const SLICE = 50_000;
/** Everyone is the same party: without a say in who trades with whom it does not matter. */
const PARTY = 0;

/** Plays all operations into an empty book. `onProgress` is told how many are done, and is not timed. */
export function replayOperations(
  operations: Operations,
  stopwatch: Stopwatch,
  onProgress: (done: number) => void,
): OpsOutcome {
  const run = new OpsRun(operations);
  let elapsedMs = 0;
  for (let from = 0; from < operations.count; from += SLICE) {
    const to = Math.min(from + SLICE, operations.count);
    const start = stopwatch();
    const doubled = run.play(from, to);
    elapsedMs += stopwatch() - start;
    if (doubled !== null) {
      return { ok: false, fault: `record ${doubled + 1}: order ${operations.id[doubled]} is in the book already` };
    }
    onProgress(to);
  }
  return { ok: true, report: run.report(elapsedMs) };
}

class OpsRun {
  private readonly book: OrderBook = new PriceTimeBook();
  private trades = 0;
  private tradedQuantity = 0;
  private cancelMisses = 0;
  private tradeHash = HASH_START;
  private aggressorId = 0;

  constructor(private readonly operations: Operations) {}

  /** Plays the operations from `from` to before `to`; gives the first that can't rest for its id, null where all could. */
  play(from: number, to: number): number | null {
    const { op, side, id, price, quantity } = this.operations;
    let index = from;
    try {
      for (; index < to; index++) {
        if (op[index] !== CANCEL) {
          this.submit(id[index]!, side[index] === BUY ? BUY : SELL, price[index]!, quantity[index]!, index);
        } else if (!this.book.remove(id[index]!)) this.cancelMisses += 1;
      }
    } catch (error) {
      // Asking before each order whether its id is free would cost a look-up in millions of sound ones.
      if (this.book.slotOf(id[index]!) === NO_SLOT) throw error;
      return index;
    }
    return null;
  }

  report(elapsedMs: number): OpsReport {
    const ops = this.operations.count;
    return {
      ops,
      trades: this.trades,
      tradedQuantity: this.tradedQuantity,
      cancelMisses: this.cancelMisses,
      liveOrders: this.book.orderCount,
      tradeHash: this.tradeHash,
      ...hashBook(this.book),
      opsPerSecond: elapsedMs > 0 ? Math.round(ops / elapsedMs * 1_000) : null,
    };
  }

  private submit(id: number, side: Side, price: number, quantity: number, priority: number): void {
    this.aggressorId = id;
    const remaining = sweep(this.book, side, price, quantity, this.onTrade);
    if (remaining > 0) this.book.add(id, side, price, remaining, PARTY, priority);
  }

  /** Made once, so that nothing is allocated for each order. */
  private readonly onTrade: OnTrade = (restingId, _restingParty, price, quantity) => {
    this.trades += 1;
    this.tradedQuantity += quantity;
    const hash = hashWord(hashWord(this.tradeHash, restingId), this.aggressorId);
    this.tradeHash = hashWord(hashWord(hash, price), quantity);
  };
}
