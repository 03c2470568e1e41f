// What the book tells of an order's distance and place, and what it leaves unknown.

import { describe, expect, test } from "bun:test";
import type { Level } from "../../web/contract/market.ts";
import { placeOf, reachOf } from "../../web/dashboard/pages/order/place.ts";

const level = (price: number, volume: number, orderCount = 1): Level => ({ price, volume, orderCount });
const BUY = { side: "BUY", price: 4_600, remainingQuantity: 3, status: "working" } as const;
const SELL = { ...BUY, side: "SELL" } as const;
const book = (bids: readonly Level[], asks: readonly Level[]) => ({ bids, asks });
/** Ten levels, away from a price. */
const ten = (from: number, step: number) => Array.from({ length: 10 }, (_, at) => level(from + at * step, 2));

describe("what an order's price reaches", () => {
  test("is at a distance from the best price of the other side, whichever side that is", () => {
    const asks = [level(4_625, 1.1), level(4_650, 1.2), level(4_700, 5)];
    expect(reachOf(BUY, book([], asks)))
      .toEqual({ best: asks[0]!, distance: 25, reached: 0, mayReachMore: false, next: asks[0]!, enoughAt: 4_700 });
    const bids = [level(4_590, 3), level(4_500, 9)];
    expect(reachOf(SELL, book(bids, asks)))
      .toEqual({ best: bids[0]!, distance: 10, reached: 0, mayReachMore: false, next: bids[0]!, enoughAt: 4_590 });
  });

  test("has the MW up to its own price, and the first price beyond", () => {
    const asks = [level(4_590, 0.1), level(4_600, 0.2), level(4_601, 1)];
    expect(reachOf(BUY, book([], asks)))
      .toMatchObject({ distance: -10, reached: 0.3, mayReachMore: false, next: asks[2]!, enoughAt: null });
    expect(reachOf(SELL, book([level(4_600, 7)], []))).toMatchObject({ distance: 0, reached: 7, next: null });
  });

  test("is nothing without orders, and at least what ten levels show", () => {
    expect(reachOf(BUY, book([], [])))
      .toEqual({ best: null, distance: null, reached: 0, mayReachMore: false, next: null, enoughAt: null });
    expect(reachOf(BUY, book([], ten(4_000, 1)))).toMatchObject({ reached: 20, mayReachMore: true, next: null });
    expect(reachOf(BUY, book([], ten(4_591, 1)))).toMatchObject({ reached: 20, mayReachMore: true });
    expect(reachOf(BUY, book([], ten(4_592, 1)))).toMatchObject({ reached: 18, mayReachMore: false });
  });
});

describe("what goes before an order", () => {
  test("is all at better prices, and perhaps what others have at its own", () => {
    const bids = [level(4_620, 5, 2), level(4_610, 0.3), level(4_600, 7.5, 3), level(4_500, 50)];
    expect(placeOf(BUY, book(bids, [])))
      .toEqual({ better: 5.3, betterOrders: 3, isBeyond: false, same: 4.5, sameOrders: 2, sameCertain: 0 });
    expect(placeOf(SELL, book([], [level(4_599, 1), level(4_600, 3)])))
      .toEqual({ better: 1, betterOrders: 1, isBeyond: false, same: 0, sameOrders: 0, sameCertain: 0 });
  });

  test("of a held one is all that is in the book at its price, too", () => {
    const held = { ...BUY, status: "held" } as const;
    expect(placeOf(held, book([level(4_620, 5), level(4_600, 7, 3)], [])))
      .toEqual({ better: 5, betterOrders: 1, isBeyond: false, same: 7, sameOrders: 3, sameCertain: 7 });
    expect(placeOf(held, book([level(4_620, 5)], []))).toMatchObject({ same: 0, sameOrders: 0, sameCertain: 0 });
  });

  test("is unknown beyond ten levels, or if book and order are of different moments", () => {
    expect(placeOf(BUY, book(ten(4_700, -1), [])))
      .toEqual({ better: 20, betterOrders: 10, isBeyond: true, same: null, sameOrders: 0, sameCertain: 0 });
    expect(placeOf(BUY, book(ten(4_609, -1), []))).toMatchObject({ better: 18, isBeyond: false, same: null });
    expect(placeOf(BUY, book([level(4_620, 5)], []))).toMatchObject({ better: 5, isBeyond: false, same: null });
    expect(placeOf(BUY, book([level(4_600, 2)], []))).toMatchObject({ same: null });
  });
});
