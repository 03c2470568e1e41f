// The levels of a book that clients are shown, as JSON texts. A level that is as it was at the last reading keeps its text.
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
  /** The levels as a JSON array, best first. */
  text = "[]";
  #levels = emptyLevels();
  /** Takes the levels of the next reading. */
  #next = emptyLevels();

  constructor(readonly side: Side) {}

  read(book: PriceTimeBook): void {
    const previous = this.#levels;
    const levels = this.#next;
    let isChanged = false;
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
        isChanged = true;
        at += 1;
      }
      const isKnown = at < previous.count && previous.prices[at] === price;
      const isSame = isKnown && previous.volumes[at] === volume && previous.orderCounts[at] === orderCount;
      levels.prices[count] = price;
      levels.volumes[count] = volume;
      levels.orderCounts[count] = orderCount;
      levels.texts[count] = isSame ? previous.texts[at]! : levelText(price, volume, orderCount);
      if (isKnown) at += 1;
      if (!isSame) isChanged = true;
      count += 1;
    }
    levels.count = count;
    if (!isChanged && at === previous.count) return;
    levels.texts.length = count;
    this.text = `[${levels.texts.join()}]`;
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
