// The days that an audit query covers.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ToolError } from "../../core/error.ts";
import { dayNamed, dayRange } from "../../plugins/query/time-range.ts";

/** In this zone a time without an offset would fall on another day if it were read as local time. */
const zone = process.env["TZ"];
beforeAll(() => void (process.env["TZ"] = "Pacific/Kiritimati"));
afterAll(() => {
  // Without the variable, tests run in UTC. Deleting it alone leaves the last time zone.
  process.env["TZ"] = zone ?? "UTC";
  if (zone === undefined) delete process.env["TZ"];
});

const NOW = Date.parse("2030-03-10T00:20:00Z");

describe("dayRange", () => {
  const ranges: [string, string | undefined, string | undefined, string, string][] = [
    ["nothing given: seven days, today included", undefined, undefined, "2030-03-04", "2030-03-10"],
    ["-1h reaches back into yesterday, as a whole day", "-1h", undefined, "2030-03-09", "2030-03-10"],
    ["-15m stays within today", "-15m", undefined, "2030-03-10", "2030-03-10"],
    ["-7d is that instant's day", "-7d", undefined, "2030-03-03", "2030-03-10"],
    [
      "an instant counts by its UTC day",
      "2030-03-01T23:30:00-02:00",
      "2030-03-05T00:30:00+02:00",
      "2030-03-02",
      "2030-03-04",
    ],
    ["a time without offset is UTC", "2030-03-01T23:30", "2030-03-02T00:00:00", "2030-03-01", "2030-03-02"],
    ["a date is that day", "2028-02-29", "2028-02-29", "2028-02-29", "2028-02-29"],
    ["a start later on the day of the end", "2030-03-05T12:00:00Z", "2030-03-05", "2030-03-05", "2030-03-05"],
    ["a start later today than now", "2030-03-10T23:59:59Z", undefined, "2030-03-10", "2030-03-10"],
    [
      "a start that is later by the clock and earlier by the day",
      "2030-03-05T23:30:00Z",
      "2030-03-06T00:30:00+02:00",
      "2030-03-05",
      "2030-03-05",
    ],
    ["today", "today", "TODAY", "2030-03-10", "2030-03-10"],
    ["yesterday alone", "yesterday", "yesterday", "2030-03-09", "2030-03-09"],
    ["up to now", "Yesterday", "now", "2030-03-09", "2030-03-10"],
    ["an end before now", "-3d", "-1d", "2030-03-07", "2030-03-09"],
    ["spaces around a time", " 2030-03-01 ", "2030-03-02T00:00:00Z ", "2030-03-01", "2030-03-02"],
    ["an end alone: the seven days up to it", undefined, "2029-01-03T12:00:00Z", "2028-12-28", "2029-01-03"],
  ];

  test.each(ranges)("%s", (_what, startTime, endTime, from, to) => {
    expect(dayRange(startTime, endTime, NOW)).toEqual({ from, to });
  });

  const mistakes: [string | undefined, string | undefined, string][] = [
    ["tomorrow", undefined, "startTime"],
    ["", undefined, "startTime"],
    ["constructor", undefined, "startTime"],
    ["-1w", undefined, "startTime"],
    ["1h", undefined, "startTime"],
    ["--1h", undefined, "startTime"],
    ["2030-02-30", undefined, "startTime"],
    ["2030-13-01", undefined, "startTime"],
    ["2030-03-01T25:00:00Z", undefined, "startTime"],
    ["03/01/2030", undefined, "startTime"],
    [undefined, "1h", "endTime"],
    [undefined, "2030", "endTime"],
    ["2030-03-11", undefined, "startTime"],
    ["2030-03-11T00:00:00Z", undefined, "startTime"],
    ["2030-03-05", "2030-03-04", "startTime"],
    ["2030-03-05T00:00:00Z", "2030-03-04T23:59:59Z", "startTime"],
  ];

  test.each(mistakes)("from %p to %p is invalid_input", (startTime, endTime, named) => {
    expect(errorOf(() => dayRange(startTime, endTime, NOW))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(named),
    });
  });
});

describe("dayNamed", () => {
  const days: [string, string][] = [
    ["2030-03-01", "2030-03-01"],
    ["2030-03-01T23:30:00-02:00", "2030-03-02"],
    ["2030-03-01T12:00:00.000Z", "2030-03-01"],
    ["today", "2030-03-10"],
    ["Yesterday", "2030-03-09"],
    ["-1h", "2030-03-09"],
  ];

  test.each(days)("%s is %s", (text, day) => {
    expect(dayNamed("date", text, NOW)).toBe(day);
  });

  test("refuses text that is not a day, and says which forms it takes", () => {
    expect(errorOf(() => dayNamed("date", "2030-02-30", NOW))).toMatchObject({
      code: "invalid_input",
      message: 'date "2030-02-30" is not a time.',
      hint: expect.stringMatching(/2026-03-01.*today or yesterday/),
    });
  });
});

function errorOf(act: () => unknown): ToolError | null {
  try {
    act();
    return null;
  } catch (error) {
    return error as ToolError;
  }
}
