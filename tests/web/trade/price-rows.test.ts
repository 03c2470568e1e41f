// The rows of the ladder.

import { expect, test } from "bun:test";
import { pricesOf, rowsOf } from "../../../web/dashboard/trade/price-rows.ts";
import { ORDER, STEPS } from "./support.ts";

const level = (price: number, volume: number) => ({ price, volume, orderCount: 1 });
const BOOK = { bids: [level(4_600, 5), level(4_500, 2)], asks: [level(4_700, 7.5)] };
const EMPTY = { bids: [], asks: [] };
const prices = (given: object) => pricesOf({ ...BOOK, lastPrice: null, steps: STEPS, also: [], ...given });

test("the ladder has the levels, and two ticks around each best price, from the highest down", () => {
  expect(prices({})).toEqual([4_750, 4_725, 4_700, 4_675, 4_650, 4_625, 4_600, 4_575, 4_550, 4_500]);
});

test("it has eight levels of each side, and always the prices of own orders", () => {
  const bids = Array.from({ length: 10 }, (_, at) => level(4_600 - at * 100, 1));
  const shown = prices({ bids, asks: [], also: [1_000] });
  expect(shown.filter((price) => price < 4_550)).toEqual([4_500, 4_400, 4_300, 4_200, 4_100, 4_000, 3_900, 1_000]);
});

test("an empty book has ticks around the last price, or nothing but own prices", () => {
  expect(prices({ ...EMPTY, lastPrice: 100 })).toEqual([150, 125, 100, 75, 50]);
  expect(prices({ ...EMPTY, also: [300] })).toEqual([300]);
  expect(prices(EMPTY)).toEqual([]);
});

test("no price is beyond the limits of the contract", () => {
  const steps = { ...STEPS, minimumPrice: 75, maximumPrice: 125 };
  expect(prices({ ...EMPTY, lastPrice: 100, steps, also: [50, 500] })).toEqual([125, 100, 75]);
});

test("a row has what is bid and asked there, its own orders, and whether prices are left out above it", () => {
  const sell = { ...ORDER, id: "ORD-2", side: "SELL" as const, price: 4_700 };
  const rows = rowsOf([4_700, 4_625, 4_600, 4_575], BOOK, [ORDER, sell], 25);
  expect(rows).toEqual([
    { price: 4_700, bid: null, ask: 7.5, best: "ask", hasGap: false, ownBids: [], ownAsks: [sell] },
    { price: 4_625, bid: null, ask: null, best: null, hasGap: true, ownBids: [], ownAsks: [] },
    { price: 4_600, bid: 5, ask: null, best: "bid", hasGap: false, ownBids: [ORDER], ownAsks: [] },
    { price: 4_575, bid: null, ask: null, best: null, hasGap: false, ownBids: [], ownAsks: [] },
  ]);
});
