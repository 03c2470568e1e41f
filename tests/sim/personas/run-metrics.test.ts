import { describe, expect, test } from "bun:test";
import { smithsAlpha } from "../../support/laboratory/measures.ts";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { Assignments, MAX_LIFE_MS, ROUND_MS } from "../../../sim/personas/assignments.ts";
import { markOf, RunMetrics } from "../../../sim/personas/run-metrics.ts";
import { contract, START } from "./support.ts";

const TRADE = { quantity: 1_000, buyer: null, seller: null };

describe("Smith's alpha of a run", () => {
  test("equals that of the laboratory if the fundamental is constant", () => {
    const prices = [190, 210, 200, 260, 155];
    const metrics = new RunMetrics(new Assignments());
    for (const price of prices) metrics.onTrade({ ...TRADE, price, fundamental: 200 });
    expect(metrics.figures(START).smithsAlpha.value ?? NaN).toBeCloseTo(smithsAlpha(prices, 200) ?? NaN, 9);
    expect([metrics.trades, metrics.volume]).toEqual([5, 5_000]);
  });

  test("measures each trade against the fundamental at the time of the trade", () => {
    const metrics = new RunMetrics(new Assignments());
    metrics.onTrade({ ...TRADE, price: 110, fundamental: 100 });
    metrics.onTrade({ ...TRADE, price: 290, fundamental: 300 });
    expect(metrics.figures(START).smithsAlpha.value).toBe(5);
  });

  test("is null with a reason without trades or without a positive mean fundamental", () => {
    const metrics = new RunMetrics(new Assignments());
    expect(metrics.figures(START).smithsAlpha).toEqual({ value: null, reason: "nothing was traded" });
    metrics.onTrade({ ...TRADE, price: 10, fundamental: 0 });
    const reason = "the fundamental is not positive on the mean";
    expect(metrics.figures(START).smithsAlpha).toEqual({ value: null, reason });
  });
});

describe("the books of a run", () => {
  test("are measured by the share that is two-sided, and by the mean spread of those; without any it says why not", () => {
    const metrics = new RunMetrics(new Assignments());
    const reason = "no open book was looked at: there is a look at each every five minutes";
    const unknown = { value: null, reason };
    expect(metrics.figures(START)).toMatchObject({ twoSidedBooks: unknown, meanSpread: unknown });
    metrics.onBook(START, { bestBid: 198, bestAsk: 202, lastPrice: null }, 200);
    metrics.onBook(START, { bestBid: 180, bestAsk: 220, lastPrice: null }, 200);
    metrics.onBook(START + 1, { bestBid: 190, bestAsk: null, lastPrice: 195 }, 200);
    metrics.onBook(START + 2, { bestBid: null, bestAsk: null, lastPrice: null }, 200);
    expect(metrics.figures(START)).toMatchObject({ twoSidedBooks: { value: 50 }, meanSpread: { value: 11 } });
    expect(metrics.bookSamples).toEqual({ count: 4, until: START + 2 });
  });

  test("have spreads also at prices below 0, and of a cent at least if the fundamental is 0", () => {
    const meanSpread = (fundamental: number) => {
      const metrics = new RunMetrics(new Assignments());
      metrics.onBook(START, { bestBid: fundamental - 2, bestAsk: fundamental + 2, lastPrice: null }, fundamental);
      return metrics.figures(START).meanSpread.value;
    };
    expect([-200, 0].map(meanSpread)).toEqual([2, 400]);
  });
});

test("the allocative efficiency of a run is that of its assignments, of the rounds that are over", () => {
  const assignments = new Assignments();
  const metrics = new RunMetrics(assignments);
  const buyer = assignments.issue(contract(0), START, BUY, 100, 1_000);
  const seller = assignments.issue(contract(0), START, SELL, 60, 4_000);
  assignments.issue(contract(0), START, BUY, 80, 1_000);
  metrics.onTrade({ price: 70, quantity: 1_000, fundamental: 75, buyer, seller });
  const end = START + ROUND_MS + MAX_LIFE_MS;
  expect(metrics.figures(end - 1).allocativeEfficiency).toMatchObject({ value: null });
  expect(metrics.figures(end).allocativeEfficiency.value).toBeCloseTo(100 * 40 / (40 + 20), 9);
});

describe("the price at which positions are valued", () => {
  test.each([
    ["the middle of a two-sided book", { bestBid: 100, bestAsk: 104, lastPrice: 99 }, 102],
    ["the middle, rounded to a whole cent", { bestBid: 100, bestAsk: 103, lastPrice: 99 }, 102],
    ["the last trade price otherwise", { bestBid: 100, bestAsk: null, lastPrice: 99 }, 99],
    ["the forecast without a two-sided book or a trade", { bestBid: null, bestAsk: 104, lastPrice: null }, 81],
  ])("is %s", (_, book, price) => expect(markOf(book, 80.6).price).toBe(price));

  test("is the forecast once delivery has started", () => {
    const mark = markOf({ bestBid: 100, bestAsk: 104, lastPrice: 99 }, 80.6, true);
    expect(mark).toEqual({ price: 81, source: "delivery" });
  });
});
