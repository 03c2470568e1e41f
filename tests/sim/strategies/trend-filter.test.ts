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

  test("is small if the price hardly moves at all", () => {
    const filter = new TrendFilter(OPTIONS);
    for (let minute = 0; minute <= 600; minute++) filter.add(minute * MINUTE, 10_000 + minute / 10_000);
    expect(Math.abs(filter.trend)).toBeLessThan(0.2);
  });
});
