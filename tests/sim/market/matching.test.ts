import { describe, expect, test } from "bun:test";
import { crossedOrders, matchAggressor, type Room } from "../../../sim/market/matching.ts";
import { BUY, SELL, type Side } from "../../../sim/market/order-book.ts";
import { PriceTimeBook } from "../../../sim/market/price-time-book.ts";
import type { RestingOrder } from "./reference-book.ts";

let nextId = 0;

function order(side: Side, price: number, quantity: number, party: number): RestingOrder {
  const id = ++nextId;
  return { id, side, price, quantity, party, priority: id };
}

function addTo(book: PriceTimeBook, { id, side, price, quantity, party, priority }: RestingOrder): void {
  book.add(id, side, price, quantity, party, priority);
}

function bookOf(...orders: RestingOrder[]): PriceTimeBook {
  const book = new PriceTimeBook();
  for (const order of orders) addTo(book, order);
  return book;
}

const UNLIMITED: Room = (resting, aggressor) => resting === aggressor ? 0 : Infinity;

function match(book: PriceTimeBook, aggressor: RestingOrder, room: Room | null = UNLIMITED, lot = 1) {
  const trades: [number, number, number][] = [];
  const { side, price, quantity, party, priority } = aggressor;
  const remaining = matchAggressor(
    book,
    side,
    price,
    quantity,
    party,
    priority,
    lot,
    room,
    (_id, party, price, traded) => {
      trades.push([party, price, traded]);
    },
  );
  return { trades, remaining };
}

describe("matching", () => {
  test("an aggressor trades at the resting prices, best first, equal prices by time, until its limit", () => {
    const book = bookOf(order(SELL, 12, 5, 1), order(SELL, 10, 5, 2), order(SELL, 10, 5, 3), order(SELL, 13, 5, 4));
    expect(match(book, order(BUY, 12, 17, 0))).toEqual({ trades: [[2, 10, 5], [3, 10, 5], [1, 12, 5]], remaining: 2 });
    expect(book.orderCount).toBe(1);
  });

  test("without a say everyone trades with everyone, themselves included, best first until the limit", () => {
    const book = bookOf(order(SELL, 10, 5, 0), order(SELL, 10, 5, 1), order(SELL, 12, 5, 2));
    expect(match(book, order(BUY, 11, 12, 0), null)).toEqual({ trades: [[0, 10, 5], [1, 10, 5]], remaining: 2 });
    expect(match(book, order(BUY, 13, 3, 0), null)).toEqual({ trades: [[2, 12, 3]], remaining: 0 });
    expect(match(book, order(BUY, 13, 3, 0), null)).toEqual({ trades: [[2, 12, 2]], remaining: 1 });
    expect(book.orderCount).toBe(0);
  });

  test("a seller takes the highest bid first, at negative prices too", () => {
    const book = bookOf(order(BUY, -30, 5, 1), order(BUY, -10, 5, 2));
    expect(match(book, order(SELL, -20, 9, 0))).toEqual({ trades: [[2, -10, 5]], remaining: 4 });
  });

  test("who may not trade is passed over for the next in priority, and stays where it is", () => {
    const blocked = order(SELL, 9, 5, 1);
    const book = bookOf(blocked, order(SELL, 10, 5, 2));
    const room: Room = (resting) => resting === 1 ? 0 : Infinity;
    expect(match(book, order(BUY, 10, 5, 0), room)).toEqual({ trades: [[2, 10, 5]], remaining: 0 });
    expect(book.quantityOf(book.slotOf(blocked.id))).toBe(5);
  });

  test("an entity does not trade with itself, which may leave the book crossed", () => {
    const book = bookOf(order(SELL, 9, 5, 0));
    const aggressor = order(BUY, 10, 5, 0);
    expect(match(book, aggressor)).toEqual({ trades: [], remaining: 5 });
    addTo(book, aggressor);
    expect([book.bestPrice(BUY), book.bestPrice(SELL)]).toEqual([10, 9]);
  });

  test("where there is room for a part, the largest multiple of the lot is traded, then the next order is tried", () => {
    const book = bookOf(order(SELL, 9, 500, 1), order(SELL, 10, 500, 2));
    const room: Room = (resting) => resting === 1 ? 249 : Infinity;
    expect(match(book, order(BUY, 10, 400, 0), room, 100)).toEqual({
      trades: [[1, 9, 200], [2, 10, 200]],
      remaining: 0,
    });
    expect(match(book, order(BUY, 9, 400, 0), () => 99, 100)).toEqual({ trades: [], remaining: 400 });
  });

  test("room is asked again after each trade", () => {
    const book = bookOf(order(SELL, 9, 3, 1), order(SELL, 10, 3, 1));
    let left = 4;
    const trades: number[] = [];
    matchAggressor(book, BUY, 10, 6, 0, ++nextId, 1, () => left, (_id, _party, _price, quantity) => {
      left -= quantity;
      trades.push(quantity);
    });
    expect(trades).toEqual([3, 1]);
  });

  test("an order that rests trades with older ones only", () => {
    const older = order(SELL, 9, 5, 1);
    const resting = order(BUY, 10, 9, 0);
    const younger = order(SELL, 8, 5, 2);
    const book = bookOf(older, resting, younger);
    expect(match(book, resting)).toEqual({ trades: [[1, 9, 5]], remaining: 4 });
    expect(book.quantityOf(book.slotOf(younger.id))).toBe(5);
  });

  test("the orders that meet the other side's best are those of a crossed book, oldest first", () => {
    const ask = order(SELL, 9, 1, 0);
    const bid = order(BUY, 10, 1, 0);
    const far = order(BUY, 8, 1, 0);
    const late = order(SELL, 10, 1, 0);
    const book = bookOf(late, far, bid, ask, order(SELL, 11, 1, 0));
    expect(crossedOrders(book)).toEqual([ask.id, bid.id, late.id]);
    expect(crossedOrders(bookOf(order(BUY, 8, 1, 0), order(SELL, 9, 1, 1)))).toEqual([]);
    expect(crossedOrders(bookOf(order(BUY, 8, 1, 0)))).toEqual([]);
  });
});
