// Replays recorded operations in the engine's order book, without credit screening.
//
// A new order trades with orders it crosses, and the rest of it rests. A cancel of an unknown id is counted and changes
// nothing. An id may be reused after its order is gone. A new order that would rest while an order with its id rests is
// a fault. Only the book and the hash of trades are timed, not the reading of the file or the hashing of the book.

import { type OnTrade, sweep } from "../market/matching.ts";
import { BUY, NO_SLOT, type OrderBook, SELL, type Side } from "../market/order-book.ts";
import { PriceTimeBook } from "../market/price-time-book.ts";
import { HASH_START, hashBook, hashWord } from "./book-hash.ts";
import { CANCEL, type Operations } from "./ops-file.ts";

export interface OpsReport {
  readonly ops: number;
  readonly trades: number;
  readonly tradedQuantity: number;
  /** Cancels of unknown ids. */
  readonly cancelMisses: number;
  readonly liveOrders: number;
  /** Over each trade in order: resting id, aggressor id, price, quantity. */
  readonly tradeHash: number;
  readonly levelHash: number;
  readonly orderHash: number;
  /** Operations a second of the book alone; null without operations. */
  readonly opsPerSecond: number | null;
}

/** Milliseconds from an arbitrary start, monotonic. */
export type Stopwatch = () => number;

export type ReplayOutcome<Report> = { readonly ok: true; readonly report: Report } | {
  readonly ok: false;
  /** One line. Records are numbered from 1. */
  readonly fault: string;
};

/** Operations between two progress reports. */
const SLICE = 50_000;
/** One party for all orders: without credit screening it makes no difference. */
const PARTY = 0;

/** Replays all operations in an empty book. `onProgress` gets the number done, and is not timed. */
export function replayOperations(
  operations: Operations,
  stopwatch: Stopwatch,
  onProgress: (done: number) => void,
): ReplayOutcome<OpsReport> {
  const run = new OpsRun(operations);
  let elapsedMs = 0;
  for (let from = 0; from < operations.count; from += SLICE) {
    const to = Math.min(from + SLICE, operations.count);
    const start = stopwatch();
    const duplicate = run.play(from, to);
    elapsedMs += stopwatch() - start;
    if (duplicate !== null) {
      return { ok: false, fault: `record ${duplicate + 1}: order ${operations.id[duplicate]} is in the book already` };
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

  /**
   * Replays operations `from` to before `to`. Returns the index of the first one whose id is taken; null if there is
   * none.
   */
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
      // Checking before each order whether its id is free would cost a look-up for millions of valid ones.
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

  /** Created once, so orders allocate nothing. */
  private readonly onTrade: OnTrade = (restingId, _restingParty, price, quantity) => {
    this.trades += 1;
    this.tradedQuantity += quantity;
    const hash = hashWord(hashWord(this.tradeHash, restingId), this.aggressorId);
    this.tradeHash = hashWord(hashWord(hash, price), quantity);
  };
}
