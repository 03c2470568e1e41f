// The marks of a time axis: how far apart they are, where they begin, and on days on which the clocks change.

import { describe, expect, test } from "bun:test";
import { localTime, timeMarks } from "../../../common/plot/time-marks.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A Monday. */
const START = Date.parse("2026-03-02T06:00:30Z");
const EDMONTON = "America/Edmonton";
const labels = (start: string | number, span: number, zone: string, most: number) => {
  const from = typeof start === "string" ? Date.parse(start) : start;
  return timeMarks(from, from + span, zone, most).map(({ label }) => label);
};

describe("about three marks", () => {
  test.each<[minutes: number, expected: string]>([
    [3, "06:01 06:02 06:03"],
    [4, ""],
    [15, "06:05 06:10 06:15"],
    [45, "06:15 06:30 06:45"],
    [46, "06:30"],
    [90, "06:30 07:00 07:30"],
    [180, "07:00 08:00 09:00"],
    [360, "08:00 10:00 12:00"],
    [540, "09:00 12:00 15:00"],
    [1_080, "12:00 18:00 Mar 3"],
    [2_160, "12:00 Mar 3 12:00"],
  ])("of %d minutes are %p", (minutes, expected) => {
    expect(labels(START, minutes * MINUTE, "UTC", 3).join(" ")).toBe(expected);
  });

  test.each<[days: number, expected: string]>([
    [3, "Mar 3, Mar 4, Mar 5"],
    [6, "Mar 3, Mar 5, Mar 7"],
    [21, "Mar 9, Mar 16, Mar 23"],
    [42, "Mar 9, Mar 23, Apr 6"],
    [90, "Apr, May"],
    [180, "May, Jul"],
    [270, "Apr, Jul, Oct"],
    [540, "Jul, 2027, Jul"],
    [1_080, "2027, 2028, 2029"],
    [2_160, "2028, 2030, 2032"],
    [5_400, "2030, 2035, 2040"],
    [10_800, "2030, 2040, 2050"],
    [10_801, "2040"],
  ])("of %d days are %p", (days, expected) => {
    expect(labels(START, days * DAY, "UTC", 3).join(", ")).toBe(expected);
  });
});

test("both ends are marked if they are round, and no time has no marks", () => {
  expect(labels("2026-03-02T00:00:00Z", 120 * MINUTE, "UTC", 4)).toEqual(["Mar 2", "00:30", "01:00", "01:30", "02:00"]);
  expect(labels("2026-01-01T00:00:00Z", 365 * DAY, "UTC", 2)).toEqual(["2026", "2027"]);
  expect([labels(START, 0, "UTC", 3), labels(START, -5, "UTC", 3), labels(START, DAY, "UTC", 0)]).toEqual([[], [], []]);
  expect(timeMarks(NaN, 5, "UTC", 3)).toEqual([]);
});

test("marks are at local times, also on days on which the clocks change", () => {
  const marks = (start: string, span: number, most: number) =>
    timeMarks(Date.parse(start), Date.parse(start) + span, EDMONTON, most)
      .map(({ value, label }) => `${new Date(value).toISOString().slice(5, 16)} ${label}`);
  expect(marks("2026-03-08T08:00:00Z", 120 * MINUTE, 4)).toEqual([
    "03-08T08:00 01:00",
    "03-08T08:30 01:30",
    "03-08T09:00 03:00",
    "03-08T09:30 03:30",
    "03-08T10:00 04:00",
  ]);
  expect(marks("2026-11-01T06:00:00Z", 240 * MINUTE, 4)).toEqual([
    "11-01T06:00 Nov 1",
    "11-01T07:00 01:00",
    "11-01T08:00 01:00",
    "11-01T09:00 02:00",
    "11-01T10:00 03:00",
  ]);
  expect(marks("2026-03-07T07:00:00Z", 3 * DAY, 3)).toEqual([
    "03-07T07:00 Mar 7",
    "03-08T07:00 Mar 8",
    "03-09T06:00 Mar 9",
    "03-10T06:00 Mar 10",
  ]);
  // Its offset ends in a quarter of an hour.
  expect(labels("2026-03-02T06:00:00Z", 60 * MINUTE, "Asia/Kathmandu", 4))
    .toEqual(["11:45", "12:00", "12:15", "12:30", "12:45"]);
  expect(labels("2026-03-02T06:00:00Z", 120 * MINUTE, "Asia/Kathmandu", 2)).toEqual(["12:00", "13:00"]);
});

test("a time in words is local, to the minute", () => {
  expect([localTime(START, EDMONTON), localTime(START + 0.5, "UTC")]).toEqual(["2026-03-01 23:00", "2026-03-02 06:00"]);
  expect(() => localTime(START, "Mars/Olympus")).toThrow(RangeError);
});
