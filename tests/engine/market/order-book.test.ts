import { describe, expect, test } from "bun:test";
import { BUY, NO_SLOT, SELL } from "../../../engine/market/order-book.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";
import { PartyIndexedBook } from "../../../engine/market/party-indexed-book.ts";
import { describeOrderBook } from "./order-book.contract.ts";
import { ordersOf, ReferenceBook } from "./reference-book.ts";

describeOrderBook("price-time", () => new PriceTimeBook());
describeOrderBook("party-indexed", () => {
  const book = new PartyIndexedBook();
  book.byParty();
  return book;
});
describeOrderBook("reference", () => new ReferenceBook());

describe("the price-time book", () => {
  test("keeps thousands of levels sorted while most of them are removed", () => {
    const book = new PriceTimeBook();
    for (let id = 0; id < 5000; id++) book.add(id, SELL, id * 7919 % 5003, 1, 0, id);
    for (let id = 0; id < 5000; id++) if (id % 10 !== 0) book.remove(id);
    const prices = ordersOf(book, SELL).map(({ price }) => price);
    expect(prices.length).toBe(500);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  });

  test("finds the first order from a price on, at prices close together and far apart", () => {
    const book = new PriceTimeBook();
    const prices = [-(2 ** 50), -1000, -64, -33, -32, -31, -1, 0, 1, 30, 31, 32, 33, 5000, 2 ** 40, 2 ** 50];
    prices.forEach((price, id) => {
      book.add(id, BUY, price, 1, 0, id);
      book.add(100 + id, SELL, price, 1, 0, id);
    });
    for (const from of [...prices, ...prices.map((price) => price + 1), ...prices.map((price) => price - 1)]) {
      const priceFrom = (side: 0 | 1) => {
        const slot = book.firstFrom(side, from);
        return slot === NO_SLOT ? null : book.priceOf(slot);
      };
      expect(priceFrom(SELL)).toBe(prices.find((price) => price >= from) ?? null);
      expect(priceFrom(BUY)).toBe(prices.findLast((price) => price <= from) ?? null);
    }
  });

  test("throws on ids and prices that are not integers or too large, and changes nothing", () => {
    const book = new PriceTimeBook();
    for (const id of [0.5, NaN, Infinity, 2 ** 53]) expect(() => book.add(id, SELL, 1, 1, 0, 1)).toThrow(RangeError);
    for (const price of [0.5, NaN, -Infinity, 2 ** 50 + 1]) {
      expect(() => book.add(1, SELL, price, 1, 0, 1)).toThrow(RangeError);
    }
    expect(() => book.add(1, SELL, 1, NaN, 0, 1)).toThrow(RangeError);
    expect([book.orderCount, book.bestPrice(SELL)]).toEqual([0, null]);
  });
});
