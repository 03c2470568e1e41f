import { expect, test } from "bun:test";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { Giveaway } from "../../../sim/strategies/gvwy.ts";
import { quoted } from "./support.ts";

test("a giveaway quotes its limit for the whole allowed quantity, with any book", () => {
  const book = { bestBid: 120, bestAsk: 130 };
  expect(quoted(new Giveaway(BUY), book, { limitPrice: 175, buyQuantity: 3 })).toEqual({ bid: [175, 3], ask: null });
  expect(quoted(new Giveaway(SELL), book, { limitPrice: 75, sellQuantity: 2 })).toEqual({ bid: null, ask: [75, 2] });
});

test("a limit between two ticks is rounded in the trader's favour", () => {
  expect(quoted(new Giveaway(BUY), { tick: 25 }, { limitPrice: 190 }).bid).toEqual([175, 1]);
  expect(quoted(new Giveaway(SELL), { tick: 25 }, { limitPrice: 190 }).ask).toEqual([200, 1]);
});

test("a limit below the allowed prices gives no bid; one above them bids the highest price", () => {
  expect(quoted(new Giveaway(BUY), {}, { limitPrice: -1 }).bid).toBeNull();
  expect(quoted(new Giveaway(BUY), {}, { limitPrice: 1000 }).bid).toEqual([400, 1]);
  expect(quoted(new Giveaway(SELL), {}, { limitPrice: 401 }).ask).toBeNull();
});
