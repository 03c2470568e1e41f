import { expect, test } from "bun:test";
import fc from "fast-check";
import { durationCurve } from "../../../sim/report/spot-samples.ts";
import { TimeBuckets } from "../../../sim/report/time-buckets.ts";

type Sum = { count: number; sum: number };

const START = 1_000;
const MOST = 8;

function bucketsOf(rows: readonly (readonly [time: number, value: number])[]): TimeBuckets<Sum> {
  const buckets = new TimeBuckets<Sum>(START, 10, MOST, (earlier, later) => ({
    count: earlier.count + later.count,
    sum: earlier.sum + later.sum,
  }));
  for (const [after, value] of rows) {
    const bucket = buckets.at(START + after, () => ({ count: 0, sum: 0 }));
    bucket.count += 1;
    bucket.sum += value;
  }
  return buckets;
}

const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: -9, max: 9 })), {
  maxLength: 200,
});

test("buckets hold every value in its time, and are few", () => {
  fc.assert(fc.property(rows, (values) => {
    const all = bucketsOf(values).upTo(START + 5_000);
    expect(all.length).toBeLessThanOrEqual(MOST);
    for (const { from, to, value } of all) {
      const inside = values.filter(([after]) => START + after >= from && START + after < to);
      expect(value).toEqual({ count: inside.length, sum: inside.reduce((sum, [, each]) => sum + each, 0) });
    }
    expect(all.reduce((sum, { value }) => sum + value.count, 0)).toBe(values.length);
  }));
});

test("buckets do not depend on the order in which the values come", () => {
  fc.assert(fc.property(rows, (values) => {
    const end = START + 5_000;
    expect(bucketsOf(values.toReversed()).upTo(end)).toEqual(bucketsOf(values).upTo(end));
  }));
});

test("a duration curve falls from the highest price to the lowest, by how often each occurred", () => {
  const prices = new Map([[100, 1], [5_000, 1], [-200, 2]]);
  expect(durationCurve(prices, 4)).toEqual([[0, 5_000], [100 / 3, 100], [200 / 3, -200], [100, -200]]);
  expect(durationCurve(new Map(), 4)).toEqual([]);
});
