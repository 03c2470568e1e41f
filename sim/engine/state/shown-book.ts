// The levels of a book that clients are shown, and how they change, as JSON texts. A level that is as it was at the last
// reading keeps its text.
//
// Invariant: the book is read whenever its change is published, and at no other time. So the last reading is what clients
// know, and each reading gives the changes since then.
//
// Cost of `read`: O(levels shown), however many orders the book has.

import { BOOK_DEPTH } from "../../../protocol/modules/registry.ts";
import { BUY, SELL, type Side } from "../../market/order-book.ts";
import { NO_LEVEL } from "../../market/price-levels.ts";
import type { PriceTimeBook } from "../../market/price-time-book.ts";
import { megawattsOf } from "../../market/units.ts";

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
interface Levels {
  count: number;
  readonly prices: Float64Array;
  /** kW. */
  readonly volumes: Float64Array;
  readonly orderCounts: Float64Array;
  readonly texts: string[];
}

class ShownSide {
  /** The levels that the last reading found changed, each as it is now, best first. Volume 0: it is not shown any more. */
  readonly #changes: string[] = [];
  #levels = emptyLevels();
  /** Takes the levels of the next reading. */
  #next = emptyLevels();

  constructor(readonly side: Side) {}

  /** The levels, best first, as a JSON array. */
  get text(): string {
    return `[${this.#levels.texts.join()}]`;
  }

  /** What the last reading found changed, as a JSON array. */
  get changesText(): string {
    return this.#changes.length === 0 ? "[]" : `[${this.#changes.join()}]`;
  }

  read(book: PriceTimeBook): void {
    const changes = this.#changes;
    changes.length = 0;
    const previous = this.#levels;
    const levels = this.#next;
    let count = 0;
    let at = 0;
    for (
      let level = book.bestLevel(this.side);
      level !== NO_LEVEL && count < BOOK_DEPTH;
      level = book.nextLevel(level)
    ) {
      const price = book.priceOfLevel(level);
      const volume = book.volumeOfLevel(level);
      const orderCount = book.orderCountOfLevel(level);
      // Both readings are in the same order, so a level of the last one that comes before this price has left the book.
      while (at < previous.count && this.#isBefore(previous.prices[at]!, price)) {
        changes.push(levelText(previous.prices[at]!, 0, 0));
        at += 1;
      }
      const isKnown = at < previous.count && previous.prices[at] === price;
      const isSame = isKnown && previous.volumes[at] === volume && previous.orderCounts[at] === orderCount;
      const text = isSame ? previous.texts[at]! : levelText(price, volume, orderCount);
      levels.prices[count] = price;
      levels.volumes[count] = volume;
      levels.orderCounts[count] = orderCount;
      levels.texts[count] = text;
      if (isKnown) at += 1;
      if (!isSame) changes.push(text);
      count += 1;
    }
    while (at < previous.count) changes.push(levelText(previous.prices[at++]!, 0, 0));
    levels.count = count;
    levels.texts.length = count;
    this.#levels = levels;
    this.#next = previous;
  }

  #isBefore(one: number, other: number): boolean {
    return this.side === BUY ? one > other : one < other;
  }
}

function emptyLevels(): Levels {
  return {
    count: 0,
    prices: new Float64Array(BOOK_DEPTH),
    volumes: new Float64Array(BOOK_DEPTH),
    orderCounts: new Float64Array(BOOK_DEPTH),
    texts: [],
  };
}

function levelText(price: number, volume: number, orderCount: number): string {
  return `{"price":${price},"volume":${megawattsOf(volume)},"orderCount":${orderCount}}`;
}
