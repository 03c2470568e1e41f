import { describe, expect, test } from "bun:test";
import { activityFacts } from "../../../sim/facts/activity.ts";
import { bookFacts, profitOf } from "../../../sim/facts/book-order.ts";
import { binsBySize, exponentOf, fittedExponent, impactFacts } from "../../../sim/facts/impact.ts";
import { midsByMinute } from "../../../sim/facts/market-minutes.ts";
import { predictionFacts, sdRatio } from "../../../sim/facts/prediction.ts";
import { profitFacts } from "../../../sim/facts/profit.ts";
import { returnFacts } from "../../../sim/facts/returns.ts";
import { sweepsOf, tradeFacts } from "../../../sim/facts/trade-signs.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import {
  handMadeTape,
  HOUR_MS,
  MINUTE_MS,
  NOON_HOUR,
  positionsOf,
  quotesOf,
  START,
  TOMORROW_BASE,
  tradesOf,
  valueOf,
} from "./support.ts";

const random = new SeededRandom(3);
/** Enough trades for a contract to count. */
const manyTrades = tradesOf(Array.from({ length: 200 }, (_, at) => ({ afterMs: at * MINUTE_MS })));

test("the grid of minutes has the last mid until delivery, and none while a side is empty", () => {
  const { minutes, contracts } = handMadeTape({});
  const second = [2 * MINUTE_MS, 102, 112] as const;
  const quotes = quotesOf([[1, 100, 110], second, [3 * MINUTE_MS - 1, 90, NaN], [4 * MINUTE_MS + 1, 200, 210]]);
  const mids = midsByMinute(quotes, contracts.get(TOMORROW_BASE)!, minutes);
  expect([...mids.subarray(0, 6)]).toEqual([NaN, 105, 107, NaN, NaN, 205]);
  const untilNoon = midsByMinute(quotesOf([[0, 100, 110]]), contracts.get(NOON_HOUR)!, minutes);
  expect([untilNoon[12 * 60 - 1], untilNoon[12 * 60]]).toEqual([105, NaN]);
});

describe("returns", () => {
  test("of a mid that walks at random pass, and of one that bounces fail", () => {
    const figuresOf = (isBouncing: boolean) => {
      let value = 1_000_000;
      const rows = Array.from({ length: 1440 }, (_, minute) => {
        value += Math.round(100 * random.normal());
        const mid = isBouncing ? value + (random.next() < 0.5 ? 200 : -200) : value;
        return [minute * MINUTE_MS, mid - 5, mid + 5] as const;
      });
      const trades = new Map([[TOMORROW_BASE, manyTrades]]);
      return returnFacts.measure(handMadeTape({ trades, quotes: new Map([[TOMORROW_BASE, quotesOf(rows)]]) }, 24));
    };
    expect(Math.abs(valueOf(figuresOf(false), "returns.lag1"))).toBeLessThan(0.1);
    expect(valueOf(figuresOf(true), "returns.lag1")).toBeLessThan(-0.3);
    expect(valueOf(figuresOf(true), "returns.log.lag1")).toBeLessThan(-0.3);
    expect(valueOf(figuresOf(true), "returns.varianceRatio")).toBeLessThan(0.4);
  });

  test("of contracts with fewer than 100 trades do not count", () => {
    const trades = new Map([[TOMORROW_BASE, tradesOf([{ afterMs: 0 }])]]);
    expect(returnFacts.measure(handMadeTape({ trades, quotes: new Map([[TOMORROW_BASE, quotesOf([])]]) }))).toEqual([]);
  });
});

describe("activity", () => {
  test("compares the first minute of half-hours with the last", () => {
    const minutes = Array.from({ length: 48 * 60 }, (_, minute) => minute);
    const messageTimes = Float64Array.from(
      minutes.flatMap((minute) =>
        Array.from({ length: minute % 30 === 0 ? 6 : 2 }, () => START + minute * MINUTE_MS + 7)
      ),
    );
    const samples = activityFacts.measure(handMadeTape({ messageTimes }));
    const figures = ["halfHour", "halfHourAfterStart", "halfHourMedian"];
    expect(figures.map((figure) => valueOf(samples, `activity.${figure}`))).toEqual([3, 3, 3]);
  });

  test("compares the busiest with the quietest local hour", () => {
    const hours = Array.from({ length: 48 }, (_, hour) => hour);
    const rows = hours.flatMap((hour) =>
      Array.from({ length: hour % 24 === 9 ? 12 : 3 }, () => (
        { afterMs: hour * HOUR_MS + 5, quantity: hour % 24 === 9 ? 5 : 2 }
      ))
    );
    const samples = activityFacts.measure(handMadeTape({ trades: new Map([[TOMORROW_BASE, tradesOf(rows)]]) }));
    expect([valueOf(samples, "activity.hours"), valueOf(samples, "activity.volume")]).toEqual([4, 10]);
  });
});

describe("trades", () => {
  test("rows of one aggressor at one time are one sweep", () => {
    const trades = tradesOf([
      { afterMs: 1, quantity: 2, buyer: "a", seller: "b" },
      { afterMs: 1, quantity: 3, buyer: "a", seller: "c" },
      { afterMs: 1, quantity: 1, buyer: "d", seller: "c" },
      { afterMs: 2, quantity: 1, buyer: "d", seller: "c", sign: -1 },
      { afterMs: 2, quantity: 1, buyer: "e", seller: "c", sign: -1 },
      { afterMs: 2, quantity: 7, buyer: "c", seller: "e" },
    ]);
    expect(sweepsOf(trades).map(({ sign, quantity }) => [sign, quantity])).toEqual([[1, 5], [1, 1], [-1, 2], [1, 7]]);
  });

  test("signs that persist are correlated, and sizes of Pareto have a heavy tail", () => {
    let sign: 1 | -1 = 1;
    const rows = Array.from({ length: 20_000 }, (_, at) => {
      if (random.next() < 0.1) sign = sign === 1 ? -1 : 1;
      return { afterMs: at, sign, quantity: (1 - random.next()) ** (-1 / 1.5) };
    });
    const samples = tradeFacts.measure(handMadeTape({ trades: new Map([[TOMORROW_BASE, tradesOf(rows)]]) }));
    expect(valueOf(samples, "signs.lag1")).toBeCloseTo(0.8, 1.5);
    expect(valueOf(samples, "signs.lag10")).toBeCloseTo(0.8 ** 10, 1);
    expect(valueOf(samples, "signs.merged.lag1")).toBe(valueOf(samples, "signs.lag1"));
    expect(valueOf(samples, "sizes.kurtosis")).toBeGreaterThan(2);
  });
});

describe("impact", () => {
  test("of a square-root law that fades by a third has these figures", () => {
    const trades = Array.from({ length: 120 }, (_, at) => ({
      afterMs: at * 20 * MINUTE_MS + 10 * MINUTE_MS,
      quantity: 1 + at % 20,
      sign: at % 3 === 0 ? -1 as const : 1 as const,
    }));
    const rows = trades.flatMap(({ afterMs, quantity, sign }) => {
      const moved = 600 * sign * Math.sqrt(quantity);
      const row = (after: number, change: number) =>
        [afterMs + after, 100_000 + change - 300, 100_000 + change + 300] as const;
      return [row(-5 * MINUTE_MS, 0), row(0, moved), row(5 * MINUTE_MS, moved * 2 / 3)];
    });
    const tape = handMadeTape({
      trades: new Map([["NORTH-MO-BASE-2026-04", tradesOf(trades)]]),
      quotes: new Map([["NORTH-MO-BASE-2026-04", quotesOf(rows)]]),
    });
    const samples = impactFacts.measure(tape);
    const impact = (figure: string) => valueOf(samples, `impact.${figure}`);
    expect(impact("slope")).toBeGreaterThan(0);
    for (const figure of ["exponent", "fit", "minuteExponent"]) expect(impact(figure)).toBeCloseTo(0.5, 1.5);
    expect(impact("minute")).toBeCloseTo(1, 9);
    for (const figure of ["fade", "tenMinutes"]) expect(impact(figure)).toBeCloseTo(2 / 3, 9);
  });

  test("bins have about equal counts, and equal sizes are in one bin", () => {
    const impacts = [1, 1, 1, 2, 2, 3, 4, 5].map((size) => ({ size, immediate: size, minute: 0, tenMinutes: 0 }));
    expect(binsBySize(impacts, 4).map(({ count, size }) => [count, size])).toEqual([[3, 1], [2, 2], [1, 3], [2, 4.5]]);
    expect(exponentOf(binsBySize(impacts, 4), ({ immediate }) => immediate)).toBeCloseTo(1, 9);
    expect(fittedExponent(binsBySize(impacts, 4))).toBeCloseTo(1, 9);
    // It needs three of them.
    const exponents = [3, 2].map((count) =>
      exponentOf(binsBySize(impacts, 4).slice(0, count), ({ immediate }) => immediate)
    );
    expect(exponents).toEqual([expect.closeTo(1, 9), NaN]);
  });
});

describe("books", () => {
  const { contracts } = handMadeTape({});
  const day = (node: string) =>
    [...contracts.keys()].filter((id) =>
      id.startsWith(`${node}-DA-HOUR-2026-03-03`) || id === `${node}-DA-BASE-2026-03-03`
    );
  const booksOf = (bid: number, ask: number) =>
    ["NORTH", "WEST"].flatMap((node) => day(node).map((id) => [id, quotesOf([[0, bid, ask]])] as const));

  test("that have two sides and fit together pass", () => {
    const samples = bookFacts.measure(handMadeTape({ quotes: new Map(booksOf(90, 110)) }, 24));
    const figures = ["crossed", "noArbitrage", "hoursTwoSided", "hourTwoSided"];
    expect(figures.map((figure) => valueOf(samples, `books.${figure}`))).toEqual([0, 1, 1, 1]);
    const even = bookFacts.measure(handMadeTape({ quotes: new Map(booksOf(100, 100)) }, 24));
    expect(valueOf(even, "books.noArbitrage")).toBe(1);
  });

  test("with a base above its hours for half of the day show a profit at one of two nodes", () => {
    const quotes = new Map(booksOf(90, 110));
    quotes.set(TOMORROW_BASE, quotesOf([[0, 90, 110], [12 * HOUR_MS - 1, 130, 150], [23 * HOUR_MS + 1, 90, 110]]));
    const samples = bookFacts.measure(handMadeTape({ quotes }, 24));
    expect(valueOf(samples, "books.noArbitrage")).toBeWithin(0.74, 0.77);
  });

  test("count a look without a side of one hour as not two-sided", () => {
    const quotes = new Map(booksOf(90, 110));
    quotes.set("WEST-DA-HOUR-2026-03-03-H07", quotesOf([[0, NaN, 110]]));
    const samples = bookFacts.measure(handMadeTape({ quotes }, 24));
    expect(valueOf(samples, "books.hoursTwoSided")).toBe(0);
    expect(valueOf(samples, "books.hourTwoSided")).toBeCloseTo(47 / 48, 9);
  });

  test("that are locked count by their time until delivery", () => {
    const quotes = new Map([[NOON_HOUR, quotesOf([[0, 90, 110], [3 * HOUR_MS, 100, 100], [6 * HOUR_MS, 90, NaN]])]]);
    expect(valueOf(bookFacts.measure(handMadeTape({ quotes }, 24)), "books.crossed")).toBe(0.5);
    quotes.set(NOON_HOUR, quotesOf([[0, 90, 110], [9 * HOUR_MS, 100, 100], [15 * HOUR_MS, 90, NaN]]));
    expect(valueOf(bookFacts.measure(handMadeTape({ quotes }, 24)), "books.crossed")).toBe(0.25);
  });

  test("a profit is the better of both directions", () => {
    for (const book of [{ bid: 120, ask: 130 }, { bid: 70, ask: 80 }]) {
      expect(profitOf(book, [{ bid: 90, ask: 100 }, { bid: 100, ask: 110 }])).toBe(15);
    }
    expect(profitOf({ bid: 90, ask: 110 }, [{ bid: 90, ask: NaN }])).toBeNaN();
  });
});

describe("prediction", () => {
  test("compares the sd of changes over the steps that both have", () => {
    expect(sdRatio(Float64Array.of(0, 2, 0, 2, NaN), Float64Array.of(0, 1, 0, 1, 50))).toBeCloseTo(2, 9);
  });

  test("the mid's error is compared with that of the median persona, at the same times", () => {
    const times = Float64Array.from({ length: 10 }, (_, hour) => START + hour * HOUR_MS);
    const forecast = (price: number) => ({ times, prices: times.map(() => price) });
    const spotTimes = Float64Array.from({ length: 24 * 12 }, (_, step) => START + step * 5 * MINUTE_MS);
    const inDelivery = (time: number) => time >= START + 12 * HOUR_MS && time < START + 13 * HOUR_MS;
    const tape = handMadeTape({
      trades: new Map([[NOON_HOUR, manyTrades]]),
      quotes: new Map([[NOON_HOUR, quotesOf([[0, 4900, 5000]])]]),
      spot: new Map([["NORTH", { times: spotTimes, prices: spotTimes.map((time) => inDelivery(time) ? 5000 : 0) }]]),
      forecasts: new Map([[
        NOON_HOUR,
        new Map([["best", forecast(5010)], ["a-1", forecast(5025)], ["b-1", forecast(4900)], ["c-1", forecast(5500)]]),
      ]]),
    }, 24);
    const samples = predictionFacts.measure(tape);
    for (const figure of ["absolute", "squared", "byContract"]) {
      expect(valueOf(samples, `prediction.${figure}`)).toBeCloseTo(50 / 100, 9);
    }
    expect(valueOf(samples, "prediction.best")).toBeCloseTo(50 / 10, 9);
  });
});

test("trading results are cash and positions at their marks", () => {
  const trades = new Map([[
    NOON_HOUR,
    tradesOf([
      { afterMs: 1, price: 3000, quantity: 2.5, buyer: "avellaneda-stoikov-12", seller: "arbitrageur-1" },
      { afterMs: 2, price: 3300, quantity: 1, buyer: "zip-1", seller: "avellaneda-stoikov-1" },
    ]),
  ]]);
  const quotes = new Map([[NOON_HOUR, quotesOf([[0, 3100, 3300]])]]);
  const samples = profitFacts.measure(handMadeTape({ trades, quotes }, 6));
  // Bought 2.5 MW at 30 and sold 1 at 33 dollars; the mark is 32.
  expect(valueOf(samples, "profit.makersDollars")).toBe(2.5 * 2 + 1);
  expect(valueOf(samples, "profit.informedDollars")).toBe(-5);
});

test("the sums of cash and positions over all personas are exact", () => {
  const sumsOf = (rows: Parameters<typeof positionsOf>[0]) => {
    const samples = profitFacts.measure(handMadeTape({ positions: positionsOf(rows) }));
    return [valueOf(samples, "profit.sum"), valueOf(samples, "profit.positions")];
  };
  // Twice the cash of a persona with two positions is its cash once.
  const balanced = [["a", "A", 0.1, 0.3], ["a", "B", 1, 0.3], ["b", "A", -0.1, -0.1], ["c", "B", -1, -0.2]] as const;
  expect(sumsOf(balanced)).toEqual([0, 0]);
  expect(sumsOf([...balanced, ["d", "", NaN, 0.00001]])).toEqual([0.00001, 0]);
  expect(sumsOf([...balanced, ["d", "B", 0.001, 0]])).toEqual([0, 0.001]);
  expect(sumsOf([...balanced, ["d", "B", -0.001, -2]])).toEqual([2, 0.001]);
  expect(sumsOf([])).toEqual([NaN, NaN]);
});
