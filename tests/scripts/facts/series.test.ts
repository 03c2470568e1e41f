import { describe, expect, test } from "bun:test";
import {
  autocorrelation,
  changesOf,
  excessKurtosis,
  logarithmsOf,
  slopeOf,
  varianceRatio,
} from "../../../sim/facts/series.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";

const LENGTH = 200_000;
const random = new SeededRandom(1);

function series(next: () => number): Float64Array {
  return Float64Array.from({ length: LENGTH }, next);
}

function walk(step: () => number): Float64Array {
  let value = 0;
  return series(() => value += step());
}

describe("of a random walk", () => {
  const prices = walk(() => random.normal());

  test("changes are not correlated, and the variance ratio is 1", () => {
    expect(Math.abs(autocorrelation(changesOf(prices), 1))).toBeLessThan(0.01);
    expect(varianceRatio(prices, 120)).toBeWithin(0.9, 1.1);
  });

  test("the mean variance ratio of short series is 1, which is the correction's purpose", () => {
    const ratios = Array.from(
      { length: 400 },
      (_, at) => varianceRatio(prices.subarray(at * 500, at * 500 + 490), 120),
    );
    expect(ratios.reduce((sum, ratio) => sum + ratio) / ratios.length).toBeWithin(0.93, 1.07);
  });
});

test("a price that bounces between bid and ask has the negative autocorrelation of Roll's model", () => {
  const value = walk(() => random.normal());
  const prices = value.map((each) => each + (random.next() < 0.5 ? -1 : 1));
  // Half spread 1 and standard deviation 1: -1 / (1 + 2).
  expect(autocorrelation(changesOf(prices), 1)).toBeCloseTo(-1 / 3, 1.7);
  expect(varianceRatio(prices, 120)).toBeCloseTo((1 + 2 / 120) / 3, 1);
});

test("a price that returns to its mean has a variance ratio near 0", () => {
  let value = 0;
  const prices = series(() => value = 0.9 * value + random.normal());
  expect(varianceRatio(prices, 120)).toBeLessThan(0.2);
  expect(autocorrelation(prices, 3)).toBeCloseTo(0.9 ** 3, 1.5);
});

test("returns of clustered size are not correlated, but their sizes are", () => {
  let log = 0;
  const returns = series(() => {
    log = 0.98 * log + 0.15 * random.normal();
    return Math.exp(log) * random.normal();
  });
  const sizes = returns.map(Math.abs);
  const [one, ten, thirty] = [1, 10, 30].map((lag) => autocorrelation(sizes, lag));
  expect(Math.abs(autocorrelation(returns, 1))).toBeLessThan(0.03);
  expect(one).toBeGreaterThan(ten!);
  expect(ten).toBeGreaterThan(thirty!);
  expect(thirty).toBeGreaterThan(0.04);
});

test("the excess kurtosis is 0 of normal values, 6 of exponential ones, and high of Pareto ones", () => {
  expect(Math.abs(excessKurtosis(series(() => random.normal())))).toBeLessThan(0.1);
  expect(excessKurtosis(series(() => -Math.log(1 - random.next())))).toBeWithin(5, 7.5);
  expect(excessKurtosis(series(() => (1 - random.next()) ** (-1 / 1.5)))).toBeGreaterThan(100);
});

describe("gaps", () => {
  test("leave out the pairs that they belong to", () => {
    let value = 0;
    const whole = series(() => value = 0.8 * value + random.normal());
    const gappy = whole.map((each) => random.next() < 0.3 ? NaN : each);
    expect(autocorrelation(gappy, 1)).toBeCloseTo(0.8, 1.5);
    expect([...changesOf(Float64Array.of(1, NaN, 4, 6))]).toEqual([NaN, NaN, 2]);
  });

  test("do not change the variance ratio of a random walk", () => {
    const prices = walk(() => random.normal()).map((each) => random.next() < 0.2 ? NaN : each);
    expect(varianceRatio(prices, 120)).toBeWithin(0.85, 1.15);
  });
});

test("nothing is said of a series that is too short or never changes", () => {
  expect(autocorrelation(Float64Array.from({ length: 20 }, (_, at) => at % 3), 1)).toBeNaN();
  expect(autocorrelation(new Float64Array(100), 1)).toBeNaN();
  expect(excessKurtosis(new Float64Array(100))).toBeNaN();
  expect(varianceRatio(walk(() => random.normal()).subarray(0, 400), 120)).toBeNaN();
});

test("logarithms exist for positive values only", () => {
  expect([...logarithmsOf(Float64Array.of(1, 0, -5, NaN))]).toEqual([0, NaN, NaN, NaN]);
});

test("the slope is that of the weighted line", () => {
  const points = [{ x: 0, y: 1, weight: 1 }, { x: 1, y: 3, weight: 1 }, { x: 1, y: 100, weight: 0 }];
  expect(slopeOf(points)).toBeCloseTo(2, 12);
  expect(slopeOf([{ x: 1, y: 1, weight: 1 }])).toBeNaN();
});
