import { expect, test } from "bun:test";
import fc from "fast-check";
import { isoTime } from "../../common/iso-time.ts";

const GREATEST = 8.64e15;

test("a time is written as Date writes it", () => {
  const times = fc.oneof(
    fc.integer({ min: -GREATEST, max: GREATEST }),
    fc.integer({ min: 1_700_000_000_000, max: 1_700_100_000_000 }),
    fc.constantFrom(0, -1, 86_399_999, 86_400_000, -86_400_000, 253_402_300_800_000),
  );
  fc.assert(fc.property(fc.array(times, { minLength: 1, maxLength: 5 }), (several) => {
    for (const time of several) expect(isoTime(time)).toBe(new Date(time).toISOString());
  }));
});

test("what is no time is refused, and the next time is right", () => {
  for (const time of [NaN, Infinity, GREATEST + 1]) expect(() => isoTime(time)).toThrow(RangeError);
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
});
