import { describe, expect, test } from "bun:test";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { LobsterBook } from "../../../engine/replay/lobster-book.ts";

/** Bids: 9 anonymous at 99, then the orders 1 (5) and 2 (7) there; 3 (4) at 98. Asks: 8 anonymous at 101. */
function filled(): LobsterBook {
  const book = new LobsterBook();
  book.adopt(BUY, { price: 99, size: 9 });
  book.rest(1, BUY, 99, 5);
  book.rest(2, BUY, 99, 7);
  book.rest(3, BUY, 98, 4);
  book.adopt(SELL, { price: 101, size: 8 });
  return book;
}

const bidsOf = (book: LobsterBook) => book.levels(BUY, 10).map(({ price, size }) => [price, size]);
const asksOf = (book: LobsterBook) => book.levels(SELL, 10).map(({ price, size }) => [price, size]);
const hasOf = (book: LobsterBook) => [1, 2, 3].filter((id) => book.has(id));

describe("a book of recorded orders", () => {
  test("has the best levels of each side, and only the orders that were recorded", () => {
    const book = filled();
    expect([bidsOf(book), asksOf(book)]).toEqual([[[99, 21], [98, 4]], [[101, 8]]]);
    expect([book.levels(BUY, 1), hasOf(book), book.has(4)]).toEqual([[{ price: 99, size: 21 }], [1, 2, 3], false]);
  });

  test.each<[string, (book: LobsterBook) => void, number[][], number[]]>([
    ["some of an order", (book) => book.reduce(1, BUY, 99, 2), [[99, 19], [98, 4]], [1, 2, 3]],
    ["all of an order", (book) => book.reduce(1, BUY, 99, 5), [[99, 16], [98, 4]], [2, 3]],
    ["more than an order has", (book) => book.reduce(3, BUY, 98, 6), [[99, 21]], [1, 2]],
    ["some of an unknown order", (book) => book.reduce(77, BUY, 99, 2), [[99, 19], [98, 4]], [1, 2, 3]],
    ["more than all unknown ones", (book) => book.reduce(77, BUY, 99, 20), [[99, 12], [98, 4]], [1, 2, 3]],
    ["an unknown order of a known level", (book) => book.reduce(77, BUY, 98, 2), [[99, 21], [98, 4]], [1, 2, 3]],
    ["an unknown order of the other side", (book) => book.reduce(77, SELL, 99, 2), [[99, 21], [98, 4]], [1, 2, 3]],
    ["a whole order", (book) => book.cancel(2, BUY, 99, 1), [[99, 14], [98, 4]], [1, 3]],
    ["a whole unknown order", (book) => book.cancel(77, BUY, 99, 3), [[99, 18], [98, 4]], [1, 2, 3]],
  ])("gives up %s", (_, act, bids, left) => {
    const book = filled();
    act(book);
    expect([bidsOf(book), hasOf(book), asksOf(book)]).toEqual([bids, left, [[101, 8]]]);
  });

  test("takes from the newest unknown order of a level, if the one before is gone", () => {
    const book = filled();
    book.reduce(77, SELL, 101, 8);
    expect(asksOf(book)).toEqual([]);
    book.reduce(77, SELL, 101, 1);
    book.adopt(SELL, { price: 101, size: 3 });
    book.reduce(77, SELL, 101, 1);
    expect(asksOf(book)).toEqual([[101, 2]]);
  });

  test.each<[string, readonly [number, 0 | 1, number, number], string, number[][], number[]]>([
    ["an unknown order at the head", [77, BUY, 99, 4], "anonymous", [[99, 17], [98, 4]], [1, 2, 3]],
    ["a known order behind it", [2, BUY, 99, 3], "elsewhere", [[99, 18], [98, 4]], [1, 2, 3]],
    ["more than that order has", [2, BUY, 99, 8], "elsewhere", [[99, 13], [98, 4]], [1, 3]],
    ["a known order of a worse level", [3, BUY, 98, 4], "elsewhere", [[99, 21]], [1, 2]],
    ["an unknown order of a worse level", [77, BUY, 98, 2], "anonymous", [[99, 19], [98, 4]], [1, 2, 3]],
    ["an order at a price that nothing reaches", [77, BUY, 100, 2], "elsewhere", [[99, 21], [98, 4]], [1, 2, 3]],
    ["a known order at another price", [1, BUY, 98, 2], "anonymous", [[99, 19], [98, 4]], [1, 2, 3]],
    ["everything", [77, BUY, 98, 100], "anonymous", [], []],
  ])("trades %s", (_, [id, side, price, size], pick, bids, left) => {
    const book = filled();
    expect([book.execute(id, side, price, size), bidsOf(book), hasOf(book)]).toEqual([pick as never, bids, left]);
    expect(asksOf(book)).toEqual([[101, 8]]);
  });

  test("trades a known order at the head, and finds none in an empty book", () => {
    const book = filled();
    book.cancel(77, BUY, 99, 9);
    expect([book.execute(1, BUY, 99, 2), bidsOf(book)]).toEqual(["head", [[99, 10], [98, 4]]]);
    expect([book.execute(77, BUY, 99, 1), bidsOf(book)]).toEqual(["elsewhere", [[99, 9], [98, 4]]]);
    expect(new LobsterBook().execute(1, SELL, 5, 1)).toBe("elsewhere");
    // The named order rests at the price, on the other side.
    book.rest(4, SELL, 99, 3);
    expect([book.execute(4, BUY, 99, 2), bidsOf(book), asksOf(book)]).toEqual([
      "elsewhere",
      [[99, 7], [98, 4]],
      [[99, 3], [101, 8]],
    ]);
    book.cancel(4, SELL, 99, 3);
    expect([book.execute(77, SELL, 101, 1), asksOf(book)]).toEqual(["anonymous", [[101, 7]]]);
  });

  test.each([
    [97, [[99, 21], [98, 4]]],
    [98, [[99, 21], [98, 4]]],
    [99, [[99, 21]]],
    [100, []],
  ])("drops the levels that are worse than %d, and no others", (outermost, bids) => {
    const book = filled();
    book.dropBeyond(BUY, outermost);
    expect([bidsOf(book), asksOf(book)]).toEqual([bids, [[101, 8]]]);
    new LobsterBook().dropBeyond(SELL, 1);
    book.dropBeyond(SELL, 101);
    expect(asksOf(book)).toEqual([[101, 8]]);
    book.dropBeyond(SELL, 100);
    expect(asksOf(book)).toEqual([]);
  });
});
