import { expect, test } from "bun:test";
import fc from "fast-check";
import { MovingAverage } from "../../../sim/strategies/moving-average.ts";

test("a moving average is the mean of the last values, or of all values while there are fewer", () => {
  const average = new MovingAverage(3);
  expect(average.mean).toBeNaN();
  expect([3, 5, 10, 30, -10].map((value) => (average.add(value), average.mean))).toEqual([3, 4, 6, 15, 10]);
  expect(new MovingAverage(1).isFull).toBe(false);
  expect(average.isFull).toBe(true);
});

test("it is exact for integers after any number of values", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 8 }),
    fc.array(fc.integer({ min: -500_000, max: 500_000 }), { minLength: 10, maxLength: 60 }),
    (length, values) => {
      const average = new MovingAverage(length);
      for (const value of values) average.add(value);
      expect(average.mean).toBe(values.slice(-length).reduce((sum, value) => sum + value, 0) / length);
    },
  ));
});
