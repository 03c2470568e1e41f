import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { monthNumber, periodOf } from "../../../core/market/time-period.ts";

const CHICAGO = { timeZone: "America/Chicago", now: Date.parse("2026-11-23T03:00:00Z") };

function period(text: string): string | null {
  const found = periodOf(text, CHICAGO);
  return found === null
    ? null
    : [found.start, found.end].map((time) => new Date(time).toISOString().slice(0, 16)).join();
}

describe("a time as a caller writes it", () => {
  test.each([
    ["2026-11-23T06:00:00.000Z", "2026-11-23T06:00,2026-11-23T06:00"],
    ["2026-11-23T06:00Z", "2026-11-23T06:00,2026-11-23T06:00"],
    ["2026-11-23T06:00+01:00", "2026-11-23T05:00,2026-11-23T05:00"],
    ["2026-11-23T06:00", "2026-11-23T12:00,2026-11-23T12:00"],
    ["2026-11-23 06:00:00", "2026-11-23T12:00,2026-11-23T12:00"],
    ["2026-11-23", "2026-11-23T06:00,2026-11-24T06:00"],
    [" 2026-11-23 ", "2026-11-23T06:00,2026-11-24T06:00"],
    ["2026-11", "2026-11-01T05:00,2026-12-01T06:00"],
    ["December 2026", "2026-12-01T06:00,2027-01-01T06:00"],
    ["dec 2026", "2026-12-01T06:00,2027-01-01T06:00"],
    ["2026 Dec", "2026-12-01T06:00,2027-01-01T06:00"],
    ["2027", "2027-01-01T06:00,2028-01-01T06:00"],
  ])("%s is understood", (text, expected) => expect(period(text)).toBe(expected));

  test.each([
    ["yesterday", "2026-11-21T06:00,2026-11-22T06:00"],
    ["today", "2026-11-22T06:00,2026-11-23T06:00"],
    ["Tomorrow", "2026-11-23T06:00,2026-11-24T06:00"],
  ])(
    "%s is a day in the market's time zone, which may be the day before in UTC",
    (text, expected) => expect(period(text)).toBe(expected),
  );

  test("a day on which the clock changes has 23 or 25 hours", () => {
    expect(period("2026-03-08")).toBe("2026-03-08T06:00,2026-03-09T05:00");
    expect(period("2026-11-01")).toBe("2026-11-01T05:00,2026-11-02T06:00");
  });

  test.each([
    ...["", "December", "2026-13", "2026-02-30", "2026-1-1"],
    ...["noon", "26", "Smarch 2026", "2026-11-23T25:00Z", "x 2026"],
  ])("%p is not understood", (text) => expect(period(text)).toBeNull());

  test("no text makes it throw, and every period has an end", () => {
    const zones = ["UTC", "America/Chicago", "Nowhere/None", ""];
    fc.assert(fc.property(fc.string(), fc.constantFrom(...zones), (text, timeZone) => {
      const found = periodOf(text, { timeZone, now: 0 });
      if (found !== null) expect(found.end).toBeGreaterThanOrEqual(found.start);
    }));
    for (const timeZone of zones.slice(2)) expect(periodOf("2026-11-23", { timeZone, now: 0 })).toBeNull();
  });
});

test("months are known by name and by three letters", () => {
  expect(["January", "feb", "DECEMBER", "may", "sept", "monday"].map(monthNumber)).toEqual([1, 2, 12, 5, null, null]);
});
