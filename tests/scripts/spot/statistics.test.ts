import { expect, test } from "bun:test";
import { autocorrelation, medianOf } from "../../../sim/facts/moments.ts";
import { spotStatistics } from "../../../scripts/spot/statistics.ts";
import { tailExponent } from "../../../sim/facts/moments.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";

test("the median is the middle value, or the mean of the two", () => {
  expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3])]).toEqual([2, 2.5]);
});

test("the autocorrelation of an autoregression is its memory to the power of the lag", () => {
  const random = new SeededRandom(1);
  let value = 0;
  const values = Float64Array.from({ length: 100_000 }, () => value = 0.8 * value + 0.6 * random.normal());
  expect(autocorrelation(values, 1)).toBeCloseTo(0.8, 2);
  expect(autocorrelation(values, 3)).toBeCloseTo(0.512, 1.7);
});

test("shares, runs, ratios and correlations are those computed by hand", () => {
  const prices = new Float64Array(1000).fill(10);
  // Two runs above mean + 3 sd, of one hour and of three; one negative price.
  for (const at of [100, 500, 501, 502]) prices[at] = 1000;
  prices[700] = -10;
  const weekend = Uint8Array.from(prices, (_, at) => at < 500 ? 1 : 0);
  const hours = Uint8Array.from(prices, (_, at) => at % 24);
  const statistics = spotStatistics({ first: prices, second: prices.map((price) => 2 * price), weekend, hours });
  expect(statistics.mean).toBeCloseTo((4000 + 995 * 10 - 10) / 1000, 9);
  expect(statistics).toMatchObject({ median: 10, negativeShare: 0.001, highShare: 0.004, highRunHours: 2 });
  expect(statistics.weekendRatio).toBeCloseTo((1000 + 499 * 10) / (3000 + 496 * 10 - 10), 9);
  expect(statistics.priceCorrelation).toBeCloseTo(1, 9);
  expect(statistics.asinhReturnCorrelation).toBeCloseTo(1, 9);
});

test("the excess kurtosis of normal prices is 0", () => {
  const random = new SeededRandom(2);
  const first = Float64Array.from({ length: 100_000 }, () => 30 + random.normal());
  const weekend = Uint8Array.from(first, (_, at) => at % 7 > 4 ? 1 : 0);
  const hours = weekend;
  expect(Math.abs(spotStatistics({ first, second: first, weekend, hours }).excessKurtosis)).toBeLessThan(0.1);
});

test("the daily shape is that of the mean weekday and of the mean day", () => {
  // Two days of $10, with a weekday's evening at $58 and a weekend's morning at $34.
  const first = new Float64Array(48).fill(10);
  first[19] = 58;
  first[24 + 5] = 34;
  const weekend = Uint8Array.from(first, (_, at) => at < 24 ? 0 : 1);
  const hours = Uint8Array.from(first, (_, at) => at % 24);
  const statistics = spotStatistics({ first, second: first.map((price, at) => price + at % 2), weekend, hours });
  const [peak, weekday, all] = [10 + 48 / 16, 12, 11.5];
  expect(statistics.weekdayPeakRatio).toBeCloseTo(peak / weekday, 9);
  expect(statistics.peakRatio).toBeCloseTo(peak / all, 9);
  expect(statistics.daytimeRatio).toBeCloseTo((10 + 48 / 32) / all, 9);
  expect(statistics.eveningRatio).toBeCloseTo(34 / all, 9);
  expect(statistics.weekdayEveningRatio).toBeCloseTo(58 / weekday, 9);
  expect(statistics.spreadSd).toBeCloseTo(0.5, 9);
});

test("the tail exponent of Pareto prices is theirs, and independent changes have sizes without memory", () => {
  const random = new SeededRandom(3);
  const first = Float64Array.from({ length: 150_000 }, () => 10 * (1 - random.next()) ** (-1 / 1.5));
  expect(Math.abs(tailExponent(first, 0.005) - 1.5)).toBeLessThan(0.1);
  const walk = Float64Array.from(first, (_, at) => at === 0 ? 0 : random.normal());
  for (let at = 1; at < walk.length; at++) walk[at]! += walk[at - 1]!;
  const weekend = new Uint8Array(walk.length);
  const statistics = spotStatistics({ first: walk, second: walk, weekend, hours: weekend });
  expect(Math.abs(statistics.changeSizeLag1)).toBeLessThan(0.01);
  expect(Math.abs(statistics.changeSizeLag24)).toBeLessThan(0.01);
});
