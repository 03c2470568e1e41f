// Plays a day of LOBSTER messages into the engine's own book and holds every answer of the book against the recorded
// row (docs/replay.md).
//
// What each message does to the book:
//   1 submission         rests behind the others of its level. LOBSTER writes what an order trades on arrival as
//                        executions of the orders it met, so what it submits never trades.
//   2 partial cancel     takes the size from the order; from the anonymous order of the level where the order is not
//                        known by its name.
//   3 cancel             removes the order; takes the size from the anonymous order of the level likewise.
//   4 visible execution  a real aggressor of that size and price, from the other side: the direction is the resting
//                        order's. The order that the book picks is compared with the one that the message names. If the
//                        named order rests at that price and the book picks another one, the named order trades.
//   5 hidden execution   nothing: the order was not in the book that is shown.
//   6 cross              nothing: it sums up an auction, whose executions of shown orders are messages of their own.
//   7 halt               nothing.
//
// What each message does to the window: nothing; row k sets the window in which message k + 1 is predicted. On each side
// it reaches to the row's last level, and without end where the row has an empty one, since then all there is is shown.
//   inside it            the book knows every level: after message k + 1 its own best levels are the prediction, and
//                        the book is never corrected by the row, so an error stays visible.
//   beyond it            what row k + 1 shows could not be known, and is adopted.
//   beyond row k + 1     levels are forgotten; an order submitted beyond row k's window is not even noted.
//
// Invariant: between messages the book holds no level beyond the window.
//
// Row 1 seeds the book: its levels are neither predicted nor adopted, and its message is not played.
// Cost for each message: O(levels), and O(orders that are known) where a level leaves.

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
  /** Levels that the book or the row has inside the window. */
  predictedLevels: number;
  /** Those at which both have the same price and size. */
  matchedLevels: number;
  adoptedLevels: number;
  /** Visible executions that were played: the sum of the three that follow. */
  executions: number;
  /** The book picked the order that the message names. */
  executionsAtHead: number;
  /** It picked an anonymous order, and the order that the message names is not known. */
  executionsAnonymous: number;
  /** It picked another order, or none. */
  executionsElsewhere: number;
}

/** The last price that is known of each side; null where all are. */
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

  /** `levels`: of each side in a row. */
  constructor(private readonly levels: number) {}

  get report(): LobsterReport {
    return { ...this.#report };
  }

  /** Plays one message and gives the book's own row after it, as far as it is known: of the first message, the row. */
  play(message: Message, row: BookRow): BookRow | RowFault {
    const window = this.#window;
    if (window === null) {
      for (const side of [BUY, SELL]) this.#adopt(side, row[side]);
      this.#turnTo(row);
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
    this.#turnTo(row);
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

  #turnTo(row: BookRow): void {
    const outermost = (side: Side) => row[side][this.levels - 1]?.price ?? null;
    this.#window = [outermost(BUY), outermost(SELL)];
    for (const side of [BUY, SELL]) {
      const last = this.#window[side];
      if (last !== null) this.#book.forgetBeyond(side, last);
    }
    this.#report.rows++;
  }
}

function isInside(side: Side, price: number, outermost: number | null): boolean {
  return outermost === null || !isWorse(side, price, outermost);
}
