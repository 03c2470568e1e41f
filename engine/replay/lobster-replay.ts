// Replays a day of LOBSTER messages into the engine's order book, and compares the book with the recorded row after
// each message (docs/replay.md).
//
// Effect of a message on the book:
//   1 submission         rests behind the other orders of its level. LOBSTER records the immediate trades of an arriving
//                        order as executions of the orders it met, so a submission never trades.
//   2 partial cancel     takes the size from the order; if the order is unknown, from the anonymous order of its level.
//   3 cancel             removes the order; if it is unknown, takes the size from the anonymous order of its level.
//   4 visible execution  sends an aggressor with that size and price from the other side (the direction is the resting
//                        order's), and compares the order that the book picks with the one in the message. If the named
//                        order rests at that price and the book picks another one, the named order trades.
//   5 hidden execution   nothing: the order was not in the visible book.
//   6 cross              nothing: it summarizes an auction, whose executions of visible orders have their own messages.
//   7 halt               nothing.
//
// A window says which levels are predictable. Row k sets the window for message k + 1. On each side it ends at the
// row's last level, or is unlimited if the row has an empty level, because the row then shows every level.
//   inside the window    every level is known. After message k + 1 the book's best levels are the prediction. A row never
//                        corrects the book, so an error stays visible.
//   outside the window   levels in row k + 1 could not be known and are adopted.
//   outside row k + 1    levels are dropped; an order submitted outside row k's window is not added.
//
// Invariant: between messages the book has no level outside the window.
//
// Row 1 seeds the book: its levels are neither predicted nor adopted, and its message is not replayed.
// Cost of a message: O(levels), and O(known orders) if a level leaves the window.

import { BUY, SELL, type Side } from "../market/order-book.ts";
import { LobsterBook, type Pick } from "./lobster-book.ts";
import {
  type BookRow,
  CANCEL,
  isWorse,
  type Level,
  type Message,
  PARTIAL_CANCEL,
  RowFault,
  SUBMISSION,
  VISIBLE_EXECUTION,
} from "./lobster-files.ts";

export interface LobsterReport {
  rows: number;
  /** Levels inside the window in the book or the row. */
  predictedLevels: number;
  /** Levels with the same price and size in both. */
  matchedLevels: number;
  adoptedLevels: number;
  /** Visible executions replayed: the sum of the next three. */
  executions: number;
  /** The book picked the order of the message. */
  executionsAtHead: number;
  /** The book picked an anonymous order, and the order of the message is unknown. */
  executionsAnonymous: number;
  /** The book picked another order, or none. */
  executionsElsewhere: number;
}

/** The last known price on each side; null if all are known. */
type Window = readonly [bids: number | null, asks: number | null];

export class LobsterReplay {
  readonly #report: LobsterReport = {
    rows: 0,
    predictedLevels: 0,
    matchedLevels: 0,
    adoptedLevels: 0,
    executions: 0,
    executionsAtHead: 0,
    executionsAnonymous: 0,
    executionsElsewhere: 0,
  };
  readonly #book = new LobsterBook();
  #window: Window | null = null;

  /** `levels`: levels on each side in a row. */
  constructor(private readonly levels: number) {}

  get report(): LobsterReport {
    return { ...this.#report };
  }

  /** Replays one message and returns the predicted row; for the first message, the recorded row. */
  play(message: Message, row: BookRow): BookRow | RowFault {
    const window = this.#window;
    if (window === null) {
      for (const side of [BUY, SELL]) this.#adopt(side, row[side]);
      this.#moveWindow(row);
      return row;
    }
    const fault = this.#act(message, window);
    if (fault !== null) return fault;
    const prediction: BookRow = [this.#book.levels(BUY, this.levels), this.#book.levels(SELL, this.levels)];
    for (const side of [BUY, SELL]) {
      const known = row[side].filter(({ price }) => isInside(side, price, window[side]));
      const unknown = row[side].slice(known.length);
      this.#compare(prediction[side], known);
      this.#adopt(side, unknown);
      this.#report.adoptedLevels += unknown.length;
    }
    this.#moveWindow(row);
    return prediction;
  }

  #act({ type, orderId, side, price, size }: Message, window: Window): RowFault | null {
    if (type === SUBMISSION) {
      if (this.#book.has(orderId)) return new RowFault(`order id: ${orderId} is in the book already`);
      if (isInside(side, price, window[side])) this.#book.rest(orderId, side, price, size);
    } else if (type === PARTIAL_CANCEL) {
      this.#book.reduce(orderId, side, price, size);
    } else if (type === CANCEL) {
      this.#book.cancel(orderId, side, price, size);
    } else if (type === VISIBLE_EXECUTION) {
      this.#count(this.#book.execute(orderId, side, price, size));
    }
    return null;
  }

  #count(pick: Pick): void {
    this.#report.executions++;
    if (pick === "head") this.#report.executionsAtHead++;
    else if (pick === "anonymous") this.#report.executionsAnonymous++;
    else this.#report.executionsElsewhere++;
  }

  #compare(predicted: readonly Level[], recorded: readonly Level[]): void {
    const count = Math.max(predicted.length, recorded.length);
    this.#report.predictedLevels += count;
    for (let index = 0; index < count; index++) {
      const [own, shown] = [predicted[index], recorded[index]];
      if (own?.price === shown?.price && own?.size === shown?.size) this.#report.matchedLevels++;
    }
  }

  #adopt(side: Side, levels: readonly Level[]): void {
    for (const level of levels) this.#book.adopt(side, level);
  }

  #moveWindow(row: BookRow): void {
    const outermost = (side: Side) => row[side][this.levels - 1]?.price ?? null;
    this.#window = [outermost(BUY), outermost(SELL)];
    for (const side of [BUY, SELL]) {
      const last = this.#window[side];
      if (last !== null) this.#book.dropBeyond(side, last);
    }
    this.#report.rows++;
  }
}

function isInside(side: Side, price: number, outermost: number | null): boolean {
  return outermost === null || !isWorse(side, price, outermost);
}
