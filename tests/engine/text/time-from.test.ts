import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { timeFrom } from "../../../engine/text/time-from.ts";
import { size } from "../../support/sizes.ts";

const DAY_MS = 86_400_000;
const MOST = 8_640_000_000_000_000;
const LEAST_OF_FIVE_DIGITS = 253_402_300_800_000;

/** Times near one another, and times far from any other. */
const times = fc.tuple(
  fc.oneof(
    fc.integer({ min: -MOST, max: MOST }),
    fc.integer({ min: 0, max: 2 * LEAST_OF_FIVE_DIGITS / DAY_MS }).map((days) => days * DAY_MS),
    fc.constantFrom(0, -62_167_219_200_000, LEAST_OF_FIVE_DIGITS, -MOST + 200_000, MOST - 200_000),
  ),
  fc.array(fc.oneof(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -200_000, max: 200_000 })), {
    maxLength: 8,
  }),
).map(([first, others]) => [first, ...others.map((after) => first + after)].filter((time) => Math.abs(time) <= MOST));

describe("a time from a text", () => {
  test("is what Date.parse reads in the text of any time", () => {
    fc.assert(
      fc.property(times, (list) => {
        for (const time of list) expect(timeFrom(new Date(time).toISOString())).toBe(time);
      }),
      { numRuns: size(500, 200_000) },
    );
  });

  test("in January is not one of the December before it", () => {
    const texts = ["2025-12-28T23:59:59.999Z", "2026-01-01T00:00:00.000Z", "2025-12-28T00:00:00.000Z"];
    expect(texts.map(timeFrom)).toEqual(texts.map((text) => Date.parse(text)));
  });

  test("is what Date.parse reads in texts with another character, of other lengths, and of times that don't exist", () => {
    const base = "2026-02-28T23:59:59.999Z";
    const changed = fc.tuple(fc.nat(base.length), fc.constantFrom(..."0123456789-:.TZ+ at"), fc.boolean())
      .map(([at, character, isInserted]) => base.slice(0, at) + character + base.slice(at + (isInserted ? 0 : 1)));
    const given = fc.oneof(
      changed,
      fc.constantFrom("", "2026-02-29T00:00:00.000Z", "2026-02-30T00:00:00.000Z", "2026-13-01T00:00:00.000Z"),
      fc.constantFrom("2026-00-01T00:00:00.000Z", "2026-02-01T24:00:00.000Z", "2026-02-01T00:00:00Z", "2024-02-29"),
      fc.constantFrom("2026-01-05T00:00:00.000Z", "2025-13-05T00:00:00.000Z", "2027-00-05T00:00:00.000Z"),
      fc.constantFrom("2026-02-01T00:00:00.000+01:00", "-02026-02-01T00:00:00.000Z", "0000-01-01T00:00:00.000Z"),
    );
    fc.assert(
      fc.property(fc.array(given, { maxLength: 4 }), (texts) => {
        for (const text of texts) expect(timeFrom(text)).toBe(Date.parse(text));
      }),
      { numRuns: size(500, 200_000) },
    );
  });
});

test.each(["T24:00:00.000Z", "T24:30:00.000Z", "T23:60:00.000Z", "T23:59:60.000Z", "T12:00:00.0a0Z", "T1a:00:00.000Z"])(
  "an hour, minute or second that there is not is none, as Date.parse says: %s",
  (time) => expect(timeFrom(`2026-01-14${time}`)).toBe(Date.parse(`2026-01-14${time}`)),
);
