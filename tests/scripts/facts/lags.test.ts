// Each fact at its lag: a made-up series that depends on itself at one lag alone has its figure at that lag, and nothing one
// step earlier or later. The facts of a simulated run hold at neighbouring lags too, so they can't tell a wrong one.

import { describe, expect, test } from "bun:test";
import { activityFacts } from "../../../sim/facts/activity.ts";
import { impactFacts, impactsIn } from "../../../sim/facts/impact.ts";
import { returnFacts } from "../../../sim/facts/returns.ts";
import { tradeFacts } from "../../../sim/facts/trade-signs.ts";
import { autocorrelation as momentsAutocorrelation } from "../../../sim/facts/moments.ts";
import { varianceRatio } from "../../../sim/facts/series.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { handMadeTape, MINUTE_MS, quotesOf, START, TOMORROW_BASE, tradesOf, valueOf } from "./support.ts";

const MONTH = "NORTH-MO-BASE-2026-04";
const MINUTES = 40 * 60;
const CLEAR = 0.35;
const NOTHING = 0.12;

/** Returns whose `part` is e(t) + e(t - lag): correlated by a half at that lag alone. */
function returnsAt(lag: number, part: "value" | "size"): number[] {
  const random = new SeededRandom(lag);
  const noise = Array.from({ length: MINUTES + lag }, () => part === "size" ? random.exponential() : random.normal());
  return Array.from({ length: MINUTES }, (_, at) => {
    const sum = 50 * (noise[at + lag]! + noise[at]!);
    return part === "value" ? sum : random.next() < 0.5 ? sum : -sum;
  });
}

/** The figures of a mid with these changes from minute to minute. */
function figuresOf(returns: readonly number[], start = 1_000_000) {
  let mid = start;
  const rows = [start, ...returns].map((change, minute) => {
    if (minute > 0) mid += change;
    return [minute * MINUTE_MS, mid - 5, mid + 5] as const;
  });
  const trades = new Map([[MONTH, tradesOf(Array.from({ length: 100 }, (_, at) => ({ afterMs: at })))]]);
  const tape = handMadeTape({ trades, quotes: new Map([[MONTH, quotesOf(rows)]]) }, MINUTES / 60);
  return returnFacts.measure(tape);
}

describe("returns", () => {
  test.each([1, 2, 9, 10, 11, 29, 30, 31])("whose sizes depend on those of %i minutes before", (lag) => {
    const samples = figuresOf(returnsAt(lag, "size"));
    for (const measured of [1, 10, 30]) {
      for (const figure of [`returns.size${measured}`, `returns.log.size${measured}`]) {
        const value = valueOf(samples, figure);
        expect([figure, value, measured === lag ? value > CLEAR : Math.abs(value) < NOTHING]).toEqual([
          figure,
          value,
          true,
        ]);
      }
    }
  });

  test.each([1, 2])("that depend on those of %i minutes before", (lag) => {
    const samples = figuresOf(returnsAt(lag, "value"));
    for (const figure of ["returns.lag1", "returns.log.lag1"]) {
      const value = valueOf(samples, figure);
      expect([figure, lag === 1 ? value > CLEAR : Math.abs(value) < NOTHING]).toEqual([figure, true]);
    }
  });

  test("of a price that comes back after exactly two hours have a variance ratio of nothing at 120 minutes", () => {
    const returns = Array.from({ length: MINUTES }, (_, at) => at % 120 === 30 ? 1_000 : at % 120 === 90 ? -1_000 : 0);
    const samples = figuresOf(returns);
    expect(valueOf(samples, "returns.varianceRatio")).toBeCloseTo(0, 9);
    expect(valueOf(samples, "returns.log.varianceRatio")).toBeCloseTo(0, 9);
    const mids = Float64Array.from([0, ...returns]);
    for (let at = 1; at < mids.length; at++) mids[at]! += mids[at - 1]!;
    for (const neighbour of [119, 121]) expect(varianceRatio(mids, neighbour)).toBeGreaterThan(0.005);
  });

  test("have the figures of the formulas, to the last pair", () => {
    expect(momentsAutocorrelation(Float64Array.of(1, 2, 3, 4), 1)).toBeCloseTo(1 / 3, 12);
    expect(momentsAutocorrelation(Float64Array.of(1, NaN, 3, 4, 2), 2)).toBeCloseTo(
      (-1.5 * 0.5 - 0.5 * 0.5) / 2 / 1.25,
      12,
    );
    // Changes of 1, 1, -1, -1 and so on: over two steps 2, 0, -2, 0, in 100 of 199 windows a square of 4.
    const walk = Float64Array.from({ length: 201 }, (_, at) => [0, 1, 2, 1][at % 4]!);
    expect(varianceRatio(walk, 2)).toBeCloseTo(400 / (199 * 2 * (1 - 2 / 200)) / (200 / 199), 12);
  });

  test("of two sizes alone have an excess kurtosis of -2, in cents or in logarithms", () => {
    const random = new SeededRandom(5);
    const signs = Array.from({ length: MINUTES }, () => random.next() < 0.5 ? 1 : -1);
    expect(valueOf(figuresOf(signs.map((sign) => 100 * sign)), "returns.kurtosis")).toBeCloseTo(-2, 2);
    let mid = 1_000_000;
    const inLogarithms = signs.map((sign) => {
      const change = mid * (Math.exp(0.05 * sign) - 1);
      mid += change;
      return change;
    });
    const samples = figuresOf(inLogarithms);
    expect(valueOf(samples, "returns.log.kurtosis")).toBeCloseTo(-2, 2);
    expect(valueOf(samples, "returns.kurtosis")).toBeGreaterThan(-1.9);
  });
});

describe("trade signs", () => {
  /** Signs that three times out of four are those of `lag` trades before, each in a sweep of `rows` rows. */
  const samplesAt = (lag: number, rows: number) => {
    const random = new SeededRandom(lag);
    const signs: (1 | -1)[] = [];
    for (let at = 0; at < 6_000; at++) {
      const before = signs[at - lag];
      signs.push(before !== undefined && random.next() < 0.75 ? before : random.next() < 0.5 ? 1 : -1);
    }
    const trades = signs.flatMap((sign, at) => Array.from({ length: rows }, () => ({ afterMs: at * 10, sign })));
    return tradeFacts.measure(handMadeTape({ trades: new Map([[TOMORROW_BASE, tradesOf(trades)]]) }));
  };

  test.each([1, 2, 9, 10, 11])("that depend on those of %i trades before, with and without sweeps", (lag) => {
    for (const prefix of ["signs", "signs.merged"]) {
      const samples = samplesAt(lag, prefix === "signs" ? 1 : 3);
      for (const measured of [1, 10]) {
        const figure = `${prefix}.lag${measured}`;
        const value = valueOf(samples, figure);
        // A lag of 2 is one of 10, weakly: five times a share of three quarters.
        const expected = lag === 2 && measured === 10
          ? 0.75 ** 5
          : lag === measured
          ? 0.75
          : lag === 1
          ? 0.75 ** 10
          : 0;
        expect([figure, Math.abs(value - expected) < 0.06]).toEqual([figure, true]);
      }
    }
  });

  test("of rows count the rows of a sweep as trades of their own", () => {
    expect(valueOf(samplesAt(10, 2), "signs.lag1")).toBeWithin(0.4, 0.6);
    expect(valueOf(samplesAt(10, 2), "signs.lag10")).toBeWithin(-0.2, 0.2);
  });
});

describe("the impact of a trade", () => {
  const AT = 30 * MINUTE_MS;
  /** A spread of 10 around mids that change at these times after the trade. */
  const impactWith = (changes: readonly (readonly [afterMs: number, mid: number])[], sign: 1 | -1 = 1) => {
    const rows = [[0, 900, 1_100] as const, [AT - 1, 995, 1_005] as const].concat(
      changes.map(([after, mid]) => [AT + after, mid - 5, mid + 5] as const) as never,
    );
    const tape = handMadeTape({
      trades: new Map([[MONTH, tradesOf([{ afterMs: AT, sign, quantity: 3 }])]]),
      quotes: new Map([[MONTH, quotesOf(rows)]]),
    });
    const [{ size, immediate, minute, tenMinutes } = expect.unreachable()] = impactsIn(tape, MONTH);
    return [size, immediate, minute, tenMinutes];
  };

  test("is measured at the trade's time, a minute and ten minutes later, and not a millisecond after that", () => {
    const [minute, ten] = [MINUTE_MS, 10 * MINUTE_MS];
    const at = [[0, 1_020], [minute, 1_030], [ten, 1_010]] as const;
    const after = [[1, 1_500], [minute + 1, 1_500], [ten + 1, 1_500]] as const;
    const back = [[2, 1_020], [minute - 1, 1_500]] as const;
    const changes = [...at, ...after, ...back].toSorted(([one], [other]) => one - other);
    expect(impactWith(changes)).toEqual([1, 2, 3, 1]);
    expect(impactWith(changes, -1)).toEqual([1, -2, -3, -1]);
  });

  test("fades by the share of the greater of both, and needs ten minutes before the end", () => {
    const trades = Array.from({ length: 100 }, (_, at) => ({ afterMs: at * 20 * MINUTE_MS + MINUTE_MS, quantity: 1 }));
    const rows = trades.flatMap(({ afterMs }) => [
      [afterMs - 1, 995, 1_005] as const,
      [afterMs, 1_005, 1_015] as const,
      [afterMs + MINUTE_MS, 1_015, 1_025] as const,
      [afterMs + 10 * MINUTE_MS, 1_000, 1_010] as const,
    ]);
    const samples = impactFacts.measure(
      handMadeTape({ trades: new Map([[MONTH, tradesOf(trades)]]), quotes: new Map([[MONTH, quotesOf(rows)]]) }),
    );
    const figures = ["immediate", "minute", "tenMinutes", "fade"].map((figure) => valueOf(samples, `impact.${figure}`));
    expect(figures.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([1, 2, 0.5, 0.25]);
    const late = handMadeTape({
      trades: new Map([[MONTH, tradesOf([{ afterMs: 50 * MINUTE_MS }, { afterMs: 50 * MINUTE_MS + 1 }])]]),
      quotes: new Map([[MONTH, quotesOf([[0, 995, 1_005]])]]),
    }, 1);
    expect(impactsIn(late, MONTH)).toHaveLength(1);
  });
});

test("half-hours are compared by their first and their last minute alone", () => {
  const counts = new Map([[0, 6], [1, 50], [28, 70], [29, 3]]);
  const messageTimes = Float64Array.from(
    Array.from({ length: 24 * 60 }, (_, minute) => minute).flatMap((minute) =>
      Array.from({ length: counts.get(minute % 30) ?? 20 }, () => START + minute * MINUTE_MS)
    ),
  );
  const samples = activityFacts.measure(handMadeTape({ messageTimes }, 24));
  expect(valueOf(samples, "activity.halfHour")).toBe(2);
  expect(valueOf(samples, "activity.halfHourMedian")).toBe(2);
});
