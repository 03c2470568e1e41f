import { expect, test } from "bun:test";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { Shaver } from "../../../sim/strategies/shvr.ts";
import { quoted } from "./support.ts";

test("a shaver improves on the best quote of its side by one tick", () => {
  expect(quoted(new Shaver(BUY), { bestBid: 150, bestAsk: 180 }).bid).toEqual([151, 1]);
  expect(quoted(new Shaver(SELL), { bestBid: 150, bestAsk: 250, tick: 25 }).ask).toEqual([225, 1]);
});

test("on an empty side it starts at the extreme price", () => {
  expect(quoted(new Shaver(BUY), { bestAsk: 180, lowestPrice: -500 }).bid).toEqual([-500, 1]);
  expect(quoted(new Shaver(SELL), { bestBid: 150 }).ask).toEqual([400, 1]);
});

test("it stops at its limit", () => {
  expect(quoted(new Shaver(BUY), { bestBid: 200 }).bid).toEqual([200, 1]);
  expect(quoted(new Shaver(BUY), { bestBid: 230 }).bid).toEqual([200, 1]);
  expect(quoted(new Shaver(SELL), { bestAsk: 170 }).ask).toEqual([200, 1]);
});

test("it doesn't improve on its own quote", () => {
  expect(quoted(new Shaver(BUY), { bestBid: 150 }, { workingBid: 150 }).bid).toEqual([150, 1]);
  expect(quoted(new Shaver(BUY), { bestBid: 150 }, { workingBid: 140 }).bid).toEqual([151, 1]);
  expect(quoted(new Shaver(SELL), { bestAsk: 250 }, { workingAsk: 250 }).ask).toEqual([250, 1]);
  expect(quoted(new Shaver(SELL), { bestAsk: 250 }, { workingBid: 250 }).ask).toEqual([249, 1]);
});
