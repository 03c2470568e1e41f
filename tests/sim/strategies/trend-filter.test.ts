import { describe, expect, test } from "bun:test";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { TrendFilter } from "../../../sim/strategies/trend-filter.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OPTIONS = { shortMs: HOUR / 2, longMs: 4 * HOUR, leastVolatility: 1 };

/** Trends at every hour of a random walk with a drift for each hour, in its standard deviations of a minute. */
function trendsOf(seed: number, hours: number, drift = 0): number[] {
  const random = new SeededRandom(seed);
  const filter = new TrendFilter(OPTIONS);
  const trends: number[] = [];
  let price = 10_000;
  for (let minute = 0; minute <= hours * 60; minute++) {
    filter.add(minute * MINUTE, price);
    if (minute % 60 === 0) trends.push(filter.trend);
    price += 10 * random.normal() + drift / 60;
  }
  return trends;
}

describe("the trend of a price", () => {
  test("is 0 until the long average has run for its time constant", () => {
    const trends = trendsOf(1, 8);
    expect(trends.slice(0, 4)).toEqual([0, 0, 0, 0]);
    expect(trends.slice(4).every((trend) => trend !== 0)).toBe(true);
  });

  test("has a standard deviation of about 1 and a mean of about 0 on a random walk", () => {
    const trends = [1, 2, 3, 4, 5].flatMap((seed) => trendsOf(seed, 500).slice(24));
    const mean = trends.reduce((sum, trend) => sum + trend, 0) / trends.length;
    const deviation = Math.sqrt(trends.reduce((sum, trend) => sum + (trend - mean) ** 2, 0) / trends.length);
    expect(mean).toBeWithin(-0.25, 0.25);
    expect(deviation).toBeWithin(0.85, 1.15);
  });

  test("is large on a price that rises or falls steadily", () => {
    expect(trendsOf(1, 24, 300).at(-1)).toBeGreaterThan(3);
    expect(trendsOf(1, 24, -300).at(-1)).toBeLessThan(-3);
  });

  test("is the same for any times at which an unchanged price is seen", () => {
    const often = new TrendFilter(OPTIONS);
    const seldom = new TrendFilter(OPTIONS);
    for (let minute = 0; minute <= 600; minute++) often.add(minute * MINUTE, minute < 300 ? 100 : 150);
    for (const minute of [0, 300, 600]) seldom.add(minute * MINUTE, minute < 300 ? 100 : 150);
    expect(Math.sign(often.trend)).toBe(1);
    expect(Math.sign(seldom.trend)).toBe(1);
  });

  test("is the difference of both averages over its deviation, with changes of which the older count for less", () => {
    const { shortMs, longMs } = OPTIONS;
    const start = 1_000 * HOUR;
    // Wild for three hours, then calmer; each time is a sample.
    const seen = Array.from({ length: 60 }, (_, at) => ({
      time: start + at * (at % 3 === 0 ? 6 : 5) * MINUTE + at * at * 1_000,
      price: 1_000 + (at < 30 ? 40 : 3) * (at % 4) + 2 * at,
    })).toSorted((one, other) => one.time - other.time).filter(({ time }, at, all) =>
      at === 0 || time - all[at - 1]!.time >= 5 * MINUTE
    );
    const now = seen.at(-1)!.time;
    expect(now - start).toBeGreaterThan(longMs);
    /** How much of the weight is after a time, if it falls with this time constant. */
    const since = (time: number, constant: number) => Math.exp(-(now - time) / constant);
    const average = (constant: number) =>
      seen.slice(1).reduce(
        (sum, { time }, at) => sum + seen[at]!.price * (since(time, constant) - since(seen[at]!.time, constant)),
        seen[0]!.price * since(start, constant),
      );
    const changes = seen.slice(1).map(({ time, price }, at) => {
      const before = seen[at]!;
      const weight = since(time, 2 * longMs) - since(before.time, 2 * longMs);
      return { weight, square: (price - before.price) ** 2 / (time - before.time) };
    });
    const weights = changes.reduce((sum, { weight }) => sum + weight, 0);
    const volatility = Math.sqrt(changes.reduce((sum, { weight, square }) => sum + weight * square, 0) / weights);
    const deviation = volatility * (longMs - shortMs) / Math.sqrt(2 * (longMs + shortMs));
    const filter = new TrendFilter(OPTIONS);
    for (const { time, price } of seen) filter.add(time, price);
    expect(filter.trend).toBeCloseTo((average(shortMs) - average(longMs)) / deviation, 9);
  });

  test("measures volatility between prices five minutes apart: what comes and goes within counts for nothing", () => {
    const trends = [1, 2].map((leastVolatility) => {
      const filter = new TrendFilter({ ...OPTIONS, leastVolatility });
      for (let five = 0; five <= 60; five++) {
        filter.add(5 * five * MINUTE, 100);
        filter.add((5 * five + 4.5) * MINUTE, 900);
      }
      return filter.trend;
    });
    // Nothing is left but the least volatility.
    expect(trends[0]).not.toBe(0);
    expect(trends[0]).toBeCloseTo(2 * trends[1]!, 9);
    const short = new TrendFilter({ shortMs: MINUTE, longMs: 2 * MINUTE, leastVolatility: 1 });
    for (const minute of [0, 3]) short.add(minute * MINUTE, 100 + minute);
    expect(short.trend).toBe(0);
  });

  test("is small if the price hardly moves at all", () => {
    const filter = new TrendFilter(OPTIONS);
    for (let minute = 0; minute <= 600; minute++) filter.add(minute * MINUTE, 10_000 + minute / 10_000);
    expect(Math.abs(filter.trend)).toBeLessThan(0.2);
  });
});
