import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";
import { type Levels, ShownBook } from "../../../engine/state/shown-book.ts";
import { BOOK_DEPTH } from "../../../protocol/modules/registry.ts";

function market() {
  const book = new PriceTimeBook();
  const shown = new ShownBook();
  let id = 0;
  const listed = ({ count, prices, volumes, orderCounts }: Levels) =>
    Array.from({ length: count }, (_, at) => [prices[at], volumes[at], orderCounts[at]]);
  return {
    book,
    add: (side: Side, price: number, quantity: number) => {
      id += 1;
      book.add(id, side, price, quantity, 1, id);
      return id;
    },
    /** The changes of both sides since the last reading. */
    read: () => {
      shown.read(book);
      return [listed(shown.bids.changes), listed(shown.asks.changes)];
    },
    levels: () => [listed(shown.bids.levels), listed(shown.asks.levels)],
  };
}

describe("the shown levels of a book", () => {
  test("are best first on each side, and each reading tells what has changed since the one before", () => {
    const { book, add, read, levels } = market();
    expect([read(), levels()]).toEqual([[[], []], [[], []]]);
    const best = add(BUY, 90, 5);
    add(BUY, 80, 6);
    add(SELL, 100, 7);
    const worst = add(SELL, 110, 8);
    const all = [[[90, 5, 1], [80, 6, 1]], [[100, 7, 1], [110, 8, 1]]];
    expect([read(), levels()]).toEqual([all, all]);
    expect(read()).toEqual([[], []]);
    // Another order at a level, less of an order, the end of the best and of the worst level, and new ones around them.
    add(BUY, 80, 4);
    book.remove(best);
    add(BUY, 85, 1);
    book.remove(worst);
    book.reduce(3, 2);
    add(SELL, 95, 3);
    add(SELL, 120, 9);
    expect(read()).toEqual([
      [[90, 0, 0], [85, 1, 1], [80, 10, 2]],
      [[95, 3, 1], [100, 5, 1], [110, 0, 0], [120, 9, 1]],
    ]);
    expect(levels()).toEqual([[[85, 1, 1], [80, 10, 2]], [[95, 3, 1], [100, 5, 1], [120, 9, 1]]]);
  });

  test("change also if only the number of orders at a price does", () => {
    const { book, add, read } = market();
    add(BUY, 90, 5);
    read();
    book.remove(1);
    add(BUY, 90, 2);
    add(BUY, 90, 3);
    expect(read()).toEqual([[[90, 5, 2]], []]);
  });

  test("that left the book are told as empty, all of them", () => {
    const { book, add, read, levels } = market();
    const ids = [add(BUY, 90, 5), add(BUY, 80, 6), add(SELL, 100, 7), add(SELL, 110, 8)];
    read();
    for (const id of ids) book.remove(id);
    expect([read(), levels()]).toEqual([[[[90, 0, 0], [80, 0, 0]], [[100, 0, 0], [110, 0, 0]]], [[], []]]);
    add(SELL, 110, 8);
    expect(read()).toEqual([[], [[110, 8, 1]]]);
  });

  test.each([["bids", BUY, -1], ["asks", SELL, 1]] as const)(
    "are as many %s as are shown: one that is pushed out counts as empty, and comes back if there is space",
    (_, side, step) => {
      const { book, add, read } = market();
      const price = (level: number) => 1000 + step * 10 * level;
      for (let level = 1; level <= BOOK_DEPTH; level++) add(side, price(level), 1);
      expect(read()[side]).toHaveLength(BOOK_DEPTH);
      const hidden = add(side, price(BOOK_DEPTH + 1), 2);
      expect(read()[side]).toEqual([]);
      const better = add(side, price(0), 3);
      expect(read()[side]).toEqual([[price(0), 3, 1], [price(BOOK_DEPTH), 0, 0]]);
      book.remove(better);
      expect(read()[side]).toEqual([[price(0), 0, 0], [price(BOOK_DEPTH), 1, 1]]);
      book.remove(1);
      expect(read()[side]).toEqual([[price(1), 0, 0], [price(BOOK_DEPTH + 1), 2, 1]]);
      book.remove(hidden);
      expect(read()[side]).toEqual([[price(BOOK_DEPTH + 1), 0, 0]]);
      // All levels are others.
      for (let id = 2; id <= BOOK_DEPTH; id++) book.remove(id);
      for (let level = 1; level <= BOOK_DEPTH; level++) add(side, price(level) + step, 1);
      expect(read()[side]).toHaveLength(2 * BOOK_DEPTH - 1);
    },
  );
});
