// Single operations of the book, by the number of resting orders: add, cancel, match, and a read of the five best levels. The
// peer is a plain ladder of typed arrays.
//
// Claim: none of them grows with the number of orders. Ids are ascending, as those of an engine.

import { deepStrictEqual } from "node:assert";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { sweep } from "../engine/market/matching.ts";
import { type BookDepthLevel, BUY, SELL } from "../engine/market/order-book.ts";
import { PagedSlots } from "../engine/market/paged-slots.ts";
import { PriceTimeBook } from "../engine/market/price-time-book.ts";
import { Ladder } from "./ladder.ts";
import type { Case, Prepare, Subject, Suite } from "./suite.ts";

const PRICES = 1_000;
const QUANTITY = 10;
/** Operations in one run. */
const BATCH = 100;

/** The asks of a book, as both sides of a case use them. */
interface Asks {
  readonly count: number;
  add(id: number, price: number): void;
  cancel(id: number): void;
  /** Buys the first order as a whole. Returns its id. */
  takeFirst(): number;
  fiveBest(): readonly BookDepthLevel[];
}

function bookAsks(): Asks {
  const book = new PriceTimeBook(new PagedSlots());
  let taken = 0;
  const onTrade = (restingId: number) => void (taken = restingId);
  return {
    get count() {
      return book.orderCount;
    },
    add: (id, price) => book.add(id, SELL, price, QUANTITY, 0, id),
    cancel: (id) => void book.remove(id),
    takeFirst: () => {
      sweep(book, BUY, PRICES, QUANTITY, onTrade);
      return taken;
    },
    fiveBest: () => book.depth(SELL, 5),
  };
}

function ladderAsks(orders: number): Asks {
  const ladder = new Ladder(PRICES, orders);
  let taken = 0;
  const onTrade = (restingId: number) => void (taken = restingId);
  return {
    get count() {
      return ladder.orderCount;
    },
    add: (id, price) => ladder.add(id, SELL, price, QUANTITY),
    cancel: (id) => void ladder.remove(id),
    takeFirst: () => {
      ladder.sweep(BUY, PRICES, QUANTITY, onTrade);
      return taken;
    },
    fiveBest: () => ladder.depth(SELL, 5),
  };
}

/** Asks at random prices, with ids from 1. */
class Filled {
  readonly prices: Int32Array;
  readonly #random = new SeededRandom(1);

  constructor(readonly asks: Asks, readonly orders: number) {
    this.prices = Int32Array.from({ length: orders + 1 }, () => this.#random.integer(0, PRICES - 1));
    for (let id = 1; id <= orders; id++) this.add(id);
  }

  add(id: number): void {
    this.asks.add(id, this.prices[id]!);
  }

  /** Ids spread over the book, without duplicates. */
  someIds(): Int32Array {
    const stratum = this.orders / BATCH;
    return Int32Array.from({ length: BATCH }, (_, at) => 1 + at * stratum + this.#random.integer(0, stratum - 1));
  }

  check(): void {
    deepStrictEqual([this.asks.count, this.asks.fiveBest().length], [this.orders, 5]);
  }
}

function nanosecondsOf(work: () => void): number {
  const started = Bun.nanoseconds();
  work();
  return Bun.nanoseconds() - started;
}

/** Cancels and adds the same orders, and times one of the two. */
function turnover(timed: "add" | "cancel") {
  return (filled: Filled): Subject => {
    const run = () => {
      const ids = filled.someIds();
      const cancelled = nanosecondsOf(() => {
        for (const id of ids) filled.asks.cancel(id);
      });
      const added = nanosecondsOf(() => {
        for (const id of ids) filled.add(id);
      });
      return timed === "add" ? added : cancelled;
    };
    return { run, isTimed: true, check: () => filled.check() };
  };
}

function matching(filled: Filled): Subject {
  const taken = new Int32Array(BATCH);
  const run = () => {
    const matched = nanosecondsOf(() => {
      for (let at = 0; at < BATCH; at++) taken[at] = filled.asks.takeFirst();
    });
    for (const id of taken) filled.add(id);
    return matched;
  };
  return { run, isTimed: true, check: () => filled.check() };
}

function reading(filled: Filled): Subject {
  const run = () => {
    let levels = 0;
    for (let at = 0; at < BATCH; at++) levels += filled.asks.fiveBest().length;
    return levels;
  };
  return { run, check: () => deepStrictEqual(run(), 5 * BATCH) };
}

function caseOf(name: string, subject: (filled: Filled) => Subject): Case {
  const prepare = (makeAsks: (orders: number) => Asks): Prepare => (orders) =>
    subject(new Filled(makeAsks(orders), orders));
  return { name, peerName: "ladder", mkt: prepare(bookAsks), peer: prepare(ladderAsks), operations: () => BATCH };
}

export default {
  name: "book-operations",
  description: "One operation of the book, by number of resting orders",
  sizes: [1_000, 1_000_000],
  cases: [
    caseOf("add", turnover("add")),
    caseOf("cancel", turnover("cancel")),
    caseOf("match a whole order", matching),
    caseOf("five best levels", reading),
  ],
} satisfies Suite;
