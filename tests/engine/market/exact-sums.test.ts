import { expect, test } from "bun:test";
import { ExactSums } from "../../../engine/market/exact-sums.ts";

const { MAX_SAFE_INTEGER } = Number;
const LARGE = 2n ** 60n + 1n;

test("sums are exact below and above 2^53, each for itself, also after they were larger or infinite", () => {
  const sums = new ExactSums(3);
  const exact = () => [0, 1, 2].map((index) => sums.exact(index));
  expect(exact()).toEqual([0, 0, 0]);
  sums.add(0, MAX_SAFE_INTEGER);
  sums.add(1, 5);
  expect(exact()).toEqual([MAX_SAFE_INTEGER, 5, 0]);
  sums.add(0, 2);
  sums.add(0, 1);
  expect([exact(), sums.nearest(0)]).toEqual([[BigInt(MAX_SAFE_INTEGER) + 3n, 5, 0], MAX_SAFE_INTEGER + 3]);
  sums.set(2, LARGE);
  sums.set(0, 7);
  sums.add(0, 1);
  expect(exact()).toEqual([8, 5, LARGE]);
  sums.setInfinite(2);
  expect([sums.nearest(2), sums.exact(2)]).toEqual([Infinity, Infinity]);
  sums.set(2, LARGE + 1n);
  expect(exact()).toEqual([8, 5, LARGE + 1n]);
  expect(() => sums.set(1, -1)).toThrow("at least 0");
  expect(new ExactSums(1, Infinity).nearest(0)).toBe(Infinity);
});
