// The contract of every order book.

import { describe, expect, test } from "bun:test";
import { BUY, NO_SLOT, type OrderBook, SELL, type Side, slotsOf } from "../../../engine/market/order-book.ts";
import { ordersOf } from "./reference-book.ts";

const QUANTITY = 1000;

function ids(book: OrderBook, side: Side): number[] {
  return ordersOf(book, side).map(({ id }) => id);
}

function quantityOf(book: OrderBook, id: number): number | null {
  const slot = book.slotOf(id);
  return slot === NO_SLOT ? null : book.quantityOf(slot);
}

export function describeOrderBook(name: string, makeBook: () => OrderBook): void {
  /** A book with orders of these ids and prices on one side. */
  const bookWith = (side: Side, orders: readonly (readonly [id: number, price: number])[], book = makeBook()) => {
    for (const [id, price] of orders) book.add(id, side, price, QUANTITY, 0, id);
    return book;
  };

  describe(`the ${name} book`, () => {
    test("bids go from the highest price, asks from the lowest, and equal prices by time", () => {
      const book = bookWith(BUY, [[1, 10], [2, 30], [3, -20], [4, 30]]);
      bookWith(SELL, [[5, 10], [6, 30], [7, -20], [8, 10]], book);
      expect([ids(book, BUY), ids(book, SELL)]).toEqual([[2, 4, 1, 3], [7, 5, 8, 6]]);
      expect([book.bestPrice(BUY), book.bestPrice(SELL)]).toEqual([30, -20]);
    });

    test("an order keeps its terms", () => {
      const book = makeBook();
      book.add(7, SELL, -3, 250, 5, 12);
      const slot = book.slotOf(7);
      expect([book.idOf(slot), book.sideOf(slot), book.priceOf(slot)]).toEqual([7, SELL, -3]);
      expect([book.quantityOf(slot), book.partyOf(slot), book.priorityOf(slot)]).toEqual([250, 5, 12]);
      expect([book.first(SELL), book.next(slot), book.first(BUY)]).toEqual([slot, NO_SLOT, NO_SLOT]);
    });

    test("an empty book has no best price, no depth and no orders", () => {
      const book = makeBook();
      for (const side of [BUY, SELL] as const) {
        expect([book.bestPrice(side), book.depth(side, 5), book.first(side)]).toEqual([null, [], NO_SLOT]);
      }
      expect([book.orderCount, book.slotOf(1)]).toEqual([0, NO_SLOT]);
    });

    test("a price of 0 is not -0 on either side", () => {
      const book = bookWith(SELL, [[2, 0]], bookWith(BUY, [[1, 0]]));
      for (const side of [BUY, SELL] as const) {
        const prices = [book.bestPrice(side), book.depth(side, 1)[0]?.price, book.priceOf(book.first(side))];
        expect(prices).toEqual([0, 0, 0]);
      }
    });

    test("depth sums the orders of each level, up to the given number of levels", () => {
      const book = makeBook();
      for (const [id, price] of [[1, 10], [2, 11], [3, 10], [4, 9]] as const) {
        book.add(id, SELL, price, id * 1000, 0, id);
      }
      expect(book.depth(SELL, 2)).toEqual([
        { price: 9, volume: 4000, orderCount: 1 },
        { price: 10, volume: 4000, orderCount: 2 },
      ]);
      expect(book.depth(BUY, 5)).toEqual([]);
    });

    test("a reduced order keeps its place; one reduced to 0 leaves, and its level with it", () => {
      const book = makeBook();
      book.add(1, BUY, 10, 3000, 0, 1);
      book.add(2, BUY, 10, 1000, 0, 2);
      book.reduce(1, 2000);
      expect(ids(book, BUY)).toEqual([1, 2]);
      expect(book.depth(BUY, 1)).toEqual([{ price: 10, volume: 2000, orderCount: 2 }]);
      book.reduceAt(book.slotOf(1), 1000);
      expect(ids(book, BUY)).toEqual([2]);
      book.reduce(2, 1000);
      expect([book.bestPrice(BUY), book.orderCount]).toEqual([null, 0]);
    });

    test("removing the first, middle or last order of a level keeps the order of the others", () => {
      const book = bookWith(SELL, [[1, 5], [2, 5], [3, 5], [4, 5], [5, 5]]);
      for (const id of [3, 1, 5]) book.remove(id);
      expect(ids(book, SELL)).toEqual([2, 4]);
      bookWith(SELL, [[6, 5]], book);
      expect(ids(book, SELL)).toEqual([2, 4, 6]);
      expect(book.depth(SELL, 9)).toEqual([{ price: 5, volume: 3 * QUANTITY, orderCount: 3 }]);
    });

    test("removing an unknown order returns false and changes nothing", () => {
      const book = bookWith(SELL, [[1, 5]]);
      expect([book.remove(2), book.remove(1), book.remove(1), book.orderCount]).toEqual([false, true, false, 0]);
    });

    test("a used id, a quantity of 0, and a reduction by more than is left throw and change nothing", () => {
      const book = bookWith(SELL, [[1, 5]]);
      expect(() => book.add(1, BUY, 4, QUANTITY, 0, 2)).toThrow();
      expect(() => book.add(2, BUY, 4, 0, 0, 2)).toThrow();
      expect(() => book.reduce(1, QUANTITY + 1)).toThrow();
      expect(() => book.reduce(1, 0)).toThrow();
      expect(() => book.reduce(9, 1)).toThrow();
      expect([quantityOf(book, 1), book.orderCount, book.bestPrice(BUY)]).toEqual([QUANTITY, 1, null]);
    });

    test("an id may be used again after its order has left", () => {
      const book = bookWith(SELL, [[1, 5]]);
      book.remove(1);
      book.add(1, BUY, 7, 10, 0, 1);
      expect([book.bestPrice(SELL), book.bestPrice(BUY), quantityOf(book, 1)]).toEqual([null, 7, 10]);
    });

    test("ids may be any safe integers, also if they differ only in their high bits", () => {
      const each = [0, -1, 1, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 32 + 1, 2 ** 33 + 1, 2 ** 53 - 1, 1 - 2 ** 53];
      const book = bookWith(SELL, each.map((id) => [id, 5]));
      expect(ids(book, SELL)).toEqual(each);
      for (const id of each.slice(3)) expect(book.remove(id)).toBe(true);
      expect(ids(book, SELL)).toEqual([0, -1, 1]);
    });

    test("prices may be any integers, however far apart", () => {
      const prices = [0, 2 ** 50, -(2 ** 50), 5, -5, 2 ** 31, -(2 ** 31) - 1, 2 ** 40, 31, 32, -32, -33, 10 ** 10];
      const byPrice = prices.toSorted((a, b) => a - b);
      const book = bookWith(BUY, prices.map((price, id) => [id, price]));
      bookWith(SELL, prices.map((price, id) => [100 + id, price]), book);
      expect(book.depth(SELL, 99).map(({ price }) => price)).toEqual(byPrice);
      expect(book.depth(BUY, 99).map(({ price }) => price)).toEqual(byPrice.toReversed());
      prices.forEach((price, id) => {
        expect(book.bestPrice(SELL)).toBe(Math.min(...prices.slice(id)));
        expect(book.priceOf(book.slotOf(100 + id))).toBe(price);
        book.remove(100 + id);
      });
      expect(book.bestPrice(SELL)).toBeNull();
    });

    test("the order just yielded by an iteration may be removed", () => {
      const book = makeBook();
      for (let id = 1; id <= 6; id++) book.add(id, SELL, id >> 1, QUANTITY, 0, id);
      const seen: number[] = [];
      for (const slot of slotsOf(book, SELL)) {
        const id = book.idOf(slot);
        seen.push(id);
        if (id % 3 !== 0) book.remove(id);
      }
      expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
      expect(ids(book, SELL)).toEqual([3, 6]);
    });
  });
}
