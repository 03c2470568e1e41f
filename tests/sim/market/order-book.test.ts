import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { matchAggressor } from "../../../sim/market/matching.ts";
import { type BookOrder, BUY, type OrderBook, PriceTimeBook, SELL, type Side } from "../../../sim/market/order-book.ts";
import { ReferenceBook } from "./reference-book.ts";

function order(id: number, side: Side, price: number, quantity = 1000, party = 0): BookOrder {
  return { id, side, price, quantity, party, priority: id };
}

function ids(book: OrderBook, side: Side): number[] {
  return [...book.orders(side)].map(({ id }) => id);
}

/** Each test is run against the book and against the reference. */
for (
  const [name, makeBook] of [["price-time", () => new PriceTimeBook()], [
    "reference",
    () => new ReferenceBook(),
  ]] as const
) {
  describe(`the ${name} book`, () => {
    test("bids stand from the highest price, asks from the lowest, and equal prices by time", () => {
      const book = makeBook();
      for (const [id, price] of [[1, 10], [2, 30], [3, -20], [4, 30]] as const) book.add(order(id, BUY, price));
      for (const [id, price] of [[5, 10], [6, 30], [7, -20], [8, 10]] as const) book.add(order(id, SELL, price));
      expect(ids(book, BUY)).toEqual([2, 4, 1, 3]);
      expect(ids(book, SELL)).toEqual([7, 5, 8, 6]);
      expect([book.bestPrice(BUY), book.bestPrice(SELL)]).toEqual([30, -20]);
    });

    test("depth sums the orders of a level and stops at the levels asked for", () => {
      const book = makeBook();
      for (const [id, price] of [[1, 10], [2, 11], [3, 10], [4, 9]] as const) {
        book.add(order(id, SELL, price, id * 1000));
      }
      expect(book.depth(SELL, 2)).toEqual([
        { price: 9, volume: 4000, orderCount: 1 },
        { price: 10, volume: 4000, orderCount: 2 },
      ]);
      expect(book.depth(BUY, 5)).toEqual([]);
    });

    test("an order that is reduced keeps its place, and one reduced to nothing leaves with its level", () => {
      const book = makeBook();
      book.add(order(1, BUY, 10, 3000));
      book.add(order(2, BUY, 10, 1000));
      book.reduce(1, 2000);
      expect(ids(book, BUY)).toEqual([1, 2]);
      expect(book.depth(BUY, 1)).toEqual([{ price: 10, volume: 2000, orderCount: 2 }]);
      book.reduce(1, 1000);
      book.reduce(2, 1000);
      expect(book.bestPrice(BUY)).toBeNull();
      expect(book.orderCount).toBe(0);
    });

    test("removing an order that is not there changes nothing and says so", () => {
      const book = makeBook();
      book.add(order(1, SELL, 5));
      expect(book.remove(2)).toBe(false);
      expect(book.remove(1)).toBe(true);
      expect(book.remove(1)).toBe(false);
    });

    test("an id that is taken, and more than an order has, are refused", () => {
      const book = makeBook();
      book.add(order(1, SELL, 5, 1000));
      expect(() => book.add(order(1, BUY, 5))).toThrow();
      expect(() => book.reduce(1, 1001)).toThrow();
      expect(() => book.reduce(1, 0)).toThrow();
      expect(() => book.reduce(9, 1)).toThrow();
      expect(book.get(1)?.quantity).toBe(1000);
    });

    test("an order given by a walk may be removed, and the walk goes on", () => {
      const book = makeBook();
      for (let id = 1; id <= 6; id++) book.add(order(id, SELL, id >> 1));
      const seen: number[] = [];
      for (const { id } of book.orders(SELL)) {
        seen.push(id);
        if (id % 3 !== 0) book.remove(id);
      }
      expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
      expect(ids(book, SELL)).toEqual([3, 6]);
    });
  });
}

describe("the price-time book against the reference", () => {
  const side = fc.constantFrom<Side>(BUY, SELL);
  const price = fc.integer({ min: -15, max: 15 });
  const quantity = fc.integer({ min: 1, max: 8 });
  const command = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant("submit" as const), side, price, quantity, party: fc.nat(3) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("add" as const), side, price, quantity, party: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("remove" as const), id: fc.nat(80) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("reduce" as const), id: fc.nat(80), quantity }) },
  );
  type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

  /** Carries a command out on one book and tells all that came of it. Party 0 may not trade with 1, nor anyone with itself. */
  function carryOut(book: OrderBook, command: Command, id: number): unknown {
    if (command.kind === "remove") return book.remove(command.id);
    if (command.kind === "reduce") {
      const resting = book.get(command.id);
      if (resting !== undefined) book.reduce(command.id, Math.min(command.quantity, resting.quantity));
      return null;
    }
    const { kind, ...terms } = command;
    const arriving: BookOrder = { ...terms, id, priority: id };
    if (kind === "add") return book.add(arriving);
    const trades: unknown[] = [];
    const room = (a: number, b: number) => a === b || a + b === 1 ? 0 : 4;
    const remaining = matchAggressor(book, arriving, 1, room, (resting, traded) => {
      trades.push([resting.id, resting.price, traded]);
    });
    if (remaining > 0) book.add({ ...arriving, quantity: remaining });
    return { trades, remaining };
  }

  test("any commands give the same results and the same book, after each of them", () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 80 }), (commands) => {
        const book = new PriceTimeBook();
        const reference = new ReferenceBook();
        commands.forEach((command, id) => {
          expect(carryOut(book, command, id)).toEqual(carryOut(reference, command, id));
          expect(book.orderCount).toBe(reference.orderCount);
          for (const side of [BUY, SELL] as const) {
            expect(book.bestPrice(side)).toBe(reference.bestPrice(side));
            expect(book.depth(side, 3)).toEqual(reference.depth(side, 3));
            expect(book.depth(side, 100).every(({ orderCount, volume }) => orderCount > 0 && volume > 0)).toBe(true);
            expect([...book.orders(side)]).toEqual([...reference.orders(side)]);
          }
        });
      }),
      { numRuns: 150 },
    );
  });

  test("thousands of levels stay sorted while most of them go", () => {
    const book = new PriceTimeBook();
    for (let id = 0; id < 5000; id++) book.add(order(id, SELL, id * 7919 % 5003));
    for (let id = 0; id < 5000; id++) if (id % 10 !== 0) book.remove(id);
    const prices = [...book.orders(SELL)].map(({ price }) => price);
    expect(prices.length).toBe(500);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  });
});
