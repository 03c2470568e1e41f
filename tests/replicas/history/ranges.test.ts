import { expect, test } from "bun:test";
import fc from "fast-check";
import { between, isIn, type Range, sizeOf, without } from "../../../replicas/history/ranges.ts";

const numbersOf = (ranges: readonly Range[]) =>
  ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
const range = fc.record({ from: fc.integer({ min: 1, max: 40 }), length: fc.integer({ min: 1, max: 6 }) });
/** Ascending and disjoint. */
const ranges = fc.array(range, { maxLength: 6 }).map((drawn) => {
  const numbers = new Set(drawn.flatMap(({ from, length }) => Array.from({ length }, (_, at) => from + at)));
  return [...numbers].sort((one, other) => one - other).map((number) => ({ from: number, to: number }));
});

test("ranges without others, and between two numbers, are what sets of numbers give", () => {
  fc.assert(
    fc.property(ranges, ranges, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }), (...drawn) => {
      const [some, removed, after, last] = drawn;
      const gone = new Set(numbersOf(removed));
      expect(numbersOf(without(some, removed))).toEqual(numbersOf(some).filter((number) => !gone.has(number)));
      const within = numbersOf(some).filter((number) => number > after && number <= last);
      expect(numbersOf(between(some, after, last))).toEqual(within);
      expect(sizeOf(some)).toBe(numbersOf(some).length);
      for (let number = 0; number <= 50; number += 1) expect(isIn(some, number)).toBe(numbersOf(some).includes(number));
    }),
  );
});
