import { describe, expect, test } from "bun:test";
import { crossedOrders, matchCrossed } from "../../../engine/market/crossed-matching.ts";
import {
  type AvailableCredit,
  matchAggressor,
  MAX_SKIPPED,
  type OnTrade,
  sweep,
} from "../../../engine/market/matching.ts";
import { BUY, NO_SLOT, opposite, SELL, type Side, slotsOf } from "../../../engine/market/order-book.ts";
import { PartyIndexedBook } from "../../../engine/market/party-indexed-book.ts";
import type { RestingOrder } from "./reference-book.ts";

let nextId = 0;

function order(side: Side, price: number, quantity: number, party: number): RestingOrder {
  const id = ++nextId;
  return { id, side, price, quantity, party, priority: id };
}

function addTo(book: PartyIndexedBook, { id, side, price, quantity, party, priority }: RestingOrder): void {
  book.add(id, side, price, quantity, party, priority);
}

function bookOf(...orders: RestingOrder[]): PartyIndexedBook {
  const book = new PartyIndexedBook();
  for (const order of orders) addTo(book, order);
  return book;
}

const UNLIMITED: AvailableCredit = (resting, aggressor) => resting === aggressor ? 0 : Infinity;

function match(book: PartyIndexedBook, aggressor: RestingOrder, credit: AvailableCredit | null = UNLIMITED, lot = 1) {
  const trades: [number, number, number][] = [];
  const { side, price, quantity, party } = aggressor;
  const onTrade: OnTrade = (_id, party, price, traded) => void trades.push([party, price, traded]);
  const remaining = credit === null
    ? sweep(book, side, price, quantity, onTrade)
    : matchAggressor(book, side, price, quantity, party, lot, credit, onTrade);
  return { trades, remaining };
}

describe("matching", () => {
  test("an aggressor trades at resting prices up to its limit, best price first, then oldest first", () => {
    const book = bookOf(order(SELL, 12, 5, 1), order(SELL, 10, 5, 2), order(SELL, 10, 5, 3), order(SELL, 13, 5, 4));
    expect(match(book, order(BUY, 12, 17, 0))).toEqual({ trades: [[2, 10, 5], [3, 10, 5], [1, 12, 5]], remaining: 2 });
    expect(book.orderCount).toBe(1);
  });

  test("without credit an aggressor trades with everyone, itself included, up to its limit", () => {
    const book = bookOf(order(SELL, 10, 5, 0), order(SELL, 10, 5, 1), order(SELL, 12, 5, 2));
    expect(match(book, order(BUY, 11, 12, 0), null)).toEqual({ trades: [[0, 10, 5], [1, 10, 5]], remaining: 2 });
    expect(match(book, order(BUY, 13, 3, 0), null)).toEqual({ trades: [[2, 12, 3]], remaining: 0 });
    expect(match(book, order(BUY, 13, 3, 0), null)).toEqual({ trades: [[2, 12, 2]], remaining: 1 });
    expect(book.orderCount).toBe(0);
  });

  test("trades the largest multiple of the lot that credit allows, then tries the next order", () => {
    const book = bookOf(order(SELL, 9, 500, 1), order(SELL, 10, 500, 2));
    const credit: AvailableCredit = (resting) => resting === 1 ? 249 : Infinity;
    expect(match(book, order(BUY, 10, 400, 0), credit, 100)).toEqual({
      trades: [[1, 9, 200], [2, 10, 200]],
      remaining: 0,
    });
    expect(match(book, order(BUY, 9, 400, 0), () => 99, 100)).toEqual({ trades: [], remaining: 400 });
  });

  test("finds the first tradable order of each party behind many blocked orders", () => {
    for (const strangers of [MAX_SKIPPED - 1, MAX_SKIPPED, MAX_SKIPPED + 1, 5 * MAX_SKIPPED]) {
      const book = bookOf(
        ...Array.from({ length: strangers }, () => order(SELL, 5, 1, 1)),
        order(SELL, 8, 2, 3),
        order(SELL, 7, 2, 2),
        order(SELL, 7, 2, 3),
        order(SELL, 9, 2, 2),
        order(SELL, 11, 2, 2),
      );
      const credit: AvailableCredit = (resting) => resting === 1 ? 0 : Infinity;
      expect(match(book, order(BUY, 10, 10, 0), credit)).toEqual({
        trades: [[2, 7, 2], [3, 7, 2], [3, 8, 2], [2, 9, 2]],
        remaining: 2,
      });
      expect(book.orderCount).toBe(strangers + 1);
    }
  });

  test("trades no more than it has left behind many blocked orders, and leaves the rest of an order in the book", () => {
    const strangers = Array.from({ length: 2 * MAX_SKIPPED }, () => order(SELL, 5, 1, 1));
    const book = bookOf(...strangers, order(SELL, 7, 3, 2), order(SELL, 8, 9, 3));
    const credit: AvailableCredit = (resting) => resting === 1 ? 0 : Infinity;
    expect(match(book, order(BUY, 10, 5, 0), credit)).toEqual({ trades: [[2, 7, 3], [3, 8, 2]], remaining: 0 });
    expect(match(book, order(BUY, 10, 9, 0), credit)).toEqual({ trades: [[3, 8, 7]], remaining: 2 });
  });

  test("goes on with the other parties once one has no order left, whichever it is, and with what credit is left", () => {
    const strangers = Array.from({ length: 2 * MAX_SKIPPED }, () => order(SELL, 5, 1, 1));
    for (const [first, second, third] of [[2, 3, 4], [2, 4, 3], [3, 2, 4], [4, 3, 2]] as const) {
      const prices = { [first]: [6], [second]: [7, 9], [third]: [8, 10] };
      const book = bookOf(
        ...strangers,
        ...[2, 3, 4].flatMap((party) => prices[party]!.map((price) => order(SELL, price, 3, party))),
      );
      let left = 4;
      const credit: AvailableCredit = (resting) => resting === 1 ? 0 : resting === third ? left : Infinity;
      const trades: unknown[] = [];
      const remaining = matchAggressor(book, BUY, 20, 100, 0, 1, credit, (id, party, price, traded) => {
        if (party === third) left -= traded;
        expect(book.slotOf(id) === NO_SLOT).toBe(traded === 3);
        trades.push([party, price, traded]);
      });
      expect(trades).toEqual([[first, 6, 3], [second, 7, 3], [third, 8, 3], [second, 9, 3], [third, 10, 1]]);
      expect([remaining, book.orderCount]).toEqual([87, strangers.length + 1]);
    }
  });

  test.each([BUY, SELL])("side %d finds the prices close enough to 0 for the available credit", (side) => {
    const toward = side === BUY ? 1 : -1;
    const prices = [-21, -20, -3, 0, 4, 20, 21, 50];
    const resting = (price: number, party: number) => order(opposite(side), price * toward, 1, party);
    const strangers = Array.from({ length: 2 * MAX_SKIPPED }, () => resting(-60, 1));
    const book = bookOf(...strangers, ...prices.map((price) => resting(price, 2)));
    const credit: AvailableCredit = (resting, _aggressor, price) =>
      resting === 1 || Math.abs(price) > 20 ? 0 : Infinity;
    expect(match(book, order(side, 40 * toward, 9, 0), credit).trades.map(([, price]) => 0 + price * toward))
      .toEqual([-20, -3, 0, 4, 20]);
  });
});

describe("crossed resting orders", () => {
  test("are those that cross the best price of the other side", () => {
    const ask = order(SELL, 9, 1, 0);
    const bid = order(BUY, 10, 1, 0);
    const far = order(BUY, 8, 1, 0);
    const late = order(SELL, 10, 1, 0);
    const book = bookOf(ask, bid, far, late, order(SELL, 11, 1, 0));
    expect(crossedOrders(book, null).map(({ id }) => id)).toEqual([ask.id, bid.id, late.id]);
    expect(crossedOrders(bookOf(order(BUY, 8, 1, 0), order(SELL, 9, 1, 1)), null)).toEqual([]);
    expect(crossedOrders(bookOf(order(BUY, 8, 1, 0)), null)).toEqual([]);
  });

  test("are those of the given parties if there are any", () => {
    const orders = [order(SELL, 5, 1, 1), order(SELL, 6, 1, 2), order(BUY, 8, 1, 0), order(BUY, 7, 1, 3)];
    const ids = crossedOrders(bookOf(...orders), new Set([0, 2])).map(({ id }) => id);
    expect(ids).toEqual([orders[1]!.id, orders[2]!.id]);
  });
});

describe("crossed resting orders that are matched", () => {
  /** What each order that is matched finds: the ids of the older ones that are left, with their quantities. */
  function matched(
    orders: readonly RestingOrder[],
    parties: ReadonlySet<number> | null,
    credit: AvailableCredit = UNLIMITED,
    left: Readonly<Record<number, number>> = {},
  ) {
    const found: [place: number, older: [place: number, quantity: number][]][] = [];
    const placeOf = (id: number) => orders.findIndex((each) => each.id === id);
    matchCrossed(bookOf(...orders.toSorted((a, b) => a.price - b.price)), parties, 2, credit, (id, older) => {
      const slots = [...slotsOf(older, BUY), ...slotsOf(older, SELL)];
      found.push([
        placeOf(id),
        slots.map((slot) => [placeOf(older.idOf(slot)), older.quantityOf(slot)] as const)
          .toSorted(([a], [b]) => a - b) as [number, number][],
      ]);
      return left[placeOf(id)] ?? orders[placeOf(id)]!.quantity;
    });
    return found;
  }

  const orders = [order(SELL, 9, 5, 1), order(BUY, 10, 6, 0), order(SELL, 8, 7, 2), order(BUY, 9, 8, 3)];

  test("come oldest first, each against what is left of the older ones", () => {
    expect(matched(orders, null)).toEqual([
      [0, []],
      [1, [[0, 5]]],
      [2, [[0, 5], [1, 6]]],
      [3, [[0, 5], [1, 6], [2, 7]]],
    ]);
    expect(matched(orders, null, UNLIMITED, { 1: 0, 2: 3 })).toEqual([
      [0, []],
      [1, [[0, 5]]],
      [2, [[0, 5]]],
      [3, [[0, 5], [2, 3]]],
    ]);
  });

  test("are those of the given parties, if two of them may trade a lot at the best price", () => {
    expect(matched(orders, new Set([0, 2]))).toEqual([[1, []], [2, [[1, 6]]]]);
    const only = (kilowatts: number): AvailableCredit => (one, other, price) =>
      price === 0 && one === 0 && other === 2 ? kilowatts : 0;
    expect(matched(orders, new Set([2, 0]), only(2)).length).toBe(2);
    expect(matched(orders, new Set([2, 0]), only(1))).toEqual([]);
    expect(matched(orders, new Set([1, 2]), only(2))).toEqual([]);
    expect(matched(orders.slice(0, 1), null)).toEqual([]);
  });
});
