import { expect, test } from "bun:test";
import { autocorrelation, medianOf, spotStatistics } from "../../../scripts/spot/statistics.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";

test("the median is the middle value, or the mean of the two", () => {
  expect(medianOf([3, 1, 2])).toBe(2);
  expect(medianOf([4, 1, 2, 3])).toBe(2.5);
});

test("the autocorrelation of an autoregression is its memory to the power of the lag", () => {
  const random = new SeededRandom(1);
  let value = 0;
  const values = Float64Array.from({ length: 200_000 }, () => value = 0.8 * value + 0.6 * random.normal());
  expect(autocorrelation(values, 1)).toBeCloseTo(0.8, 2);
  expect(autocorrelation(values, 3)).toBeCloseTo(0.512, 1.7);
});

test("shares, runs, ratios and correlations are those computed by hand", () => {
  const prices = new Float64Array(1000).fill(10);
  // Two runs above mean + 3 sd, of one hour and of three; one negative price.
  for (const at of [100, 500, 501, 502]) prices[at] = 1000;
  prices[700] = -10;
  const weekend = Uint8Array.from(prices, (_, at) => at < 500 ? 1 : 0);
  const statistics = spotStatistics({ first: prices, second: prices.map((price) => 2 * price), weekend });
  expect(statistics.mean).toBeCloseTo((4000 + 995 * 10 - 10) / 1000, 9);
  expect(statistics.median).toBe(10);
  expect(statistics.negativeShare).toBe(0.001);
  expect(statistics.highShare).toBe(0.004);
  expect(statistics.highRunHours).toBe(2);
  expect(statistics.weekendRatio).toBeCloseTo((1000 + 499 * 10) / (3000 + 496 * 10 - 10), 9);
  expect(statistics.priceCorrelation).toBeCloseTo(1, 9);
  expect(statistics.asinhReturnCorrelation).toBeCloseTo(1, 9);
});

test("the excess kurtosis of normal prices is 0", () => {
  const random = new SeededRandom(2);
  const first = Float64Array.from({ length: 100_000 }, () => 30 + random.normal());
  const weekend = Uint8Array.from(first, (_, at) => at % 7 > 4 ? 1 : 0);
  expect(Math.abs(spotStatistics({ first, second: first, weekend }).excessKurtosis)).toBeLessThan(0.1);
});
