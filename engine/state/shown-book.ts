// The levels of a book that clients are shown, and how they change.
//
// Invariant: the book is read whenever its change is published, and at no other time. So the last reading is what clients
// know, and each reading gives the changes since then.
//
// Cost of `read`: O(levels shown), however many orders the book has, without allocation.

import { BOOK_DEPTH } from "../../protocol/modules/registry.ts";
import { BUY, SELL, type Side } from "../market/order-book.ts";
import { NO_LEVEL } from "../market/price-levels.ts";
import type { PriceTimeBook } from "../market/price-time-book.ts";

/** Both sides of a book, as last read. */
export class ShownBook {
  readonly bids = new ShownSide(BUY);
  readonly asks = new ShownSide(SELL);

  read(book: PriceTimeBook): void {
    this.bids.read(book);
    this.asks.read(book);
  }
}

/** Levels, best first; those from `count` on are unused. */
export interface Levels {
  readonly count: number;
  readonly prices: Float64Array;
  /** kW. */
  readonly volumes: Float64Array;
  readonly orderCounts: Float64Array;
}

class LevelList implements Levels {
  count = 0;
  readonly prices: Float64Array;
  readonly volumes: Float64Array;
  readonly orderCounts: Float64Array;

  constructor(capacity: number) {
    this.prices = new Float64Array(capacity);
    this.volumes = new Float64Array(capacity);
    this.orderCounts = new Float64Array(capacity);
  }

  push(price: number, volume: number, orderCount: number): void {
    this.prices[this.count] = price;
    this.volumes[this.count] = volume;
    this.orderCounts[this.count] = orderCount;
    this.count += 1;
  }
}

class ShownSide {
  #changes = new LevelList(2 * BOOK_DEPTH);
  #levels = new LevelList(BOOK_DEPTH);
  /** Takes the levels of the next reading. */
  #next = new LevelList(BOOK_DEPTH);

  constructor(readonly side: Side) {}

  /** The levels, as last read. */
  get levels(): Levels {
    return this.#levels;
  }

  /** The levels that the last reading found changed, each as it is now. Volume 0: it is not shown any more. */
  get changes(): Levels {
    return this.#changes;
  }

  read(book: PriceTimeBook): void {
    const changes = this.#changes;
    const previous = this.#levels;
    const levels = this.#next;
    changes.count = 0;
    levels.count = 0;
    let at = 0;
    for (
      let level = book.bestLevel(this.side);
      level !== NO_LEVEL && levels.count < BOOK_DEPTH;
      level = book.nextLevel(level)
    ) {
      const price = book.priceOfLevel(level);
      const volume = book.volumeOfLevel(level);
      const orderCount = book.orderCountOfLevel(level);
      // Both readings are in the same order, so a level of the last one that comes before this price has left the book.
      while (at < previous.count && this.#isBefore(previous.prices[at]!, price)) {
        changes.push(previous.prices[at++]!, 0, 0);
      }
      const isKnown = at < previous.count && previous.prices[at] === price;
      const isSame = isKnown && previous.volumes[at] === volume && previous.orderCounts[at] === orderCount;
      if (isKnown) at += 1;
      if (!isSame) changes.push(price, volume, orderCount);
      levels.push(price, volume, orderCount);
    }
    while (at < previous.count) changes.push(previous.prices[at++]!, 0, 0);
    this.#levels = levels;
    this.#next = previous;
  }

  #isBefore(one: number, other: number): boolean {
    return this.side === BUY ? one > other : one < other;
  }
}
