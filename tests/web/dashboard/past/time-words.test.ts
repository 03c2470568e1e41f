// Which times people mean by what they write, also when clocks are changed.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { time } from "../../../../web/components/time-format.ts";
import {
  instantsOf,
  localDay,
  localOf,
  startOfDay,
  timesMeant,
} from "../../../../web/dashboard/pages/past/time-words.ts";

const DAY_MS = 86_400_000;
const EDMONTON = "America/Edmonton";

/** What is meant by `text` at `now`, in UTC; `..` if it is a range. */
function meant(text: string, now = "2026-11-23T19:00:00Z", timezone = EDMONTON): string {
  const found = timesMeant(text, { now: Date.parse(now), timezone });
  if ("problem" in found) return `? ${found.problem}`;
  const [from, to] = [found.from, found.to].map((at) =>
    at === null ? null : new Date(at).toISOString().replace(":00.000Z", "Z")
  );
  return `${from}${to === null ? "" : ` .. ${to}`}${found.note === null ? "" : ` (${found.note})`}`;
}

// It is Monday, 12:00 in Edmonton (MST, 7 hours behind UTC).
describe("a time of the market", () => {
  test.each([
    ["10:32", "2026-11-23T17:32Z"],
    ["10:32:15", "2026-11-23T17:32:15.000Z"],
    [" 9:05 ", "2026-11-23T16:05Z"],
    ["6 pm", "2026-11-23T01:00Z"],
    ["12:30 am", "2026-11-23T07:30Z"],
    ["18h", "2026-11-23T01:00Z"],
    ["yesterday 18:00", "2026-11-23T01:00Z"],
    ["Yesterday at 18:00", "2026-11-23T01:00Z"],
    ["today 10:32", "2026-11-23T17:32Z"],
    ["fri 10:32", "2026-11-20T17:32Z"],
    ["Monday 10:32", "2026-11-23T17:32Z"],
    ["Nov 20, 10:32", "2026-11-20T17:32Z"],
    ["20 November 10:32", "2026-11-20T17:32Z"],
    ["nov 20 2025 10:32", "2025-11-20T17:32Z"],
    ["2026-11-20 10:32", "2026-11-20T17:32Z"],
    ["2026-11-20T10:32:00Z", "2026-11-20T10:32Z"],
    ["2026-11-20T10:32+02:00", "2026-11-20T08:32Z"],
    ["10:32 utc", "2026-11-23T10:32Z"],
    ["10:32 MST", "2026-11-23T17:32Z"],
    ["now", "2026-11-23T19:00Z"],
    ["-30m", "2026-11-23T18:30Z"],
    ["2 h ago", "2026-11-23T17:00Z"],
    ["3 days ago", "2026-11-20T19:00Z"],
  ])("%p", (text, expected) => {
    expect(meant(text)).toBe(expected);
  });

  test("that is not in the future is meant, unless its day is named", () => {
    expect(meant("13:00")).toBe("2026-11-22T20:00Z");
    expect(meant("mon 13:00")).toBe("2026-11-16T20:00Z");
    expect(meant("Dec 24 10:00")).toBe("2025-12-24T17:00Z");
    expect(meant("today 13:00")).toBe("? That has not come yet: it is Mon, Nov 23, 2026, 12:00:00 MST.");
  });
});

test("in UTC is of the days of UTC", () => {
  // It is 20:00 on 22 November in Edmonton.
  expect(meant("2:59 utc", "2026-11-23T03:00:00Z")).toBe("2026-11-23T02:59Z");
  expect(meant("yesterday 2:59 utc", "2026-11-23T03:00:00Z")).toBe("2026-11-22T02:59Z");
});

describe("a range", () => {
  test.each([
    ["10:00 to 10:45", "2026-11-23T17:00Z .. 2026-11-23T17:45Z"],
    ["10:00 utc to 10:45 utc", "2026-11-23T10:00Z .. 2026-11-23T10:45Z"],
    ["10:00-10:45", "2026-11-23T17:00Z .. 2026-11-23T17:45Z"],
    ["yesterday 18:00 to 19:00", "2026-11-23T01:00Z .. 2026-11-23T02:00Z"],
    ["yesterday 23:30 – 00:30", "2026-11-23T06:30Z .. 2026-11-23T07:30Z"],
    ["nov 20 10:00 until nov 21 10:00", "2026-11-20T17:00Z .. 2026-11-21T17:00Z"],
    ["yesterday", "2026-11-22T07:00Z .. 2026-11-23T07:00Z"],
    ["2026-11-20", "2026-11-20T07:00Z .. 2026-11-21T07:00Z"],
    ["friday to yesterday", "2026-11-20T07:00Z .. 2026-11-23T07:00Z"],
    ["-2h to -1h", "2026-11-23T17:00Z .. 2026-11-23T18:00Z"],
    ["10:00 to now", "2026-11-23T17:00Z .. 2026-11-23T19:00Z"],
  ])("%p", (text, expected) => {
    expect(meant(text)).toBe(expected);
  });

  test("whose end is before its begin is refused", () => {
    expect(meant("yesterday 18:00 to nov 20 10:00")).toBe("? The end is not after the begin.");
  });
});

test.each(["", "soon", "25:00", "10:61", "13 pm", "Feb 30 10:00", "2026-02-30", "10:32 to soon", "32", "Mo 10:00"])(
  "%p is no time, and examples are given",
  (text) => {
    expect(meant(text)).toMatch(/^\? .*Write a time such as "10:32"/);
  },
);

// Clocks in Edmonton are set back on 1 November 2026 at 02:00 to 01:00, and forward on 8 March at 02:00 to 03:00.
describe("when clocks are changed", () => {
  const AUTUMN = "2026-11-01T20:00:00Z";
  const SPRING = "2026-03-08T20:00:00Z";

  test("of a time that they show twice the first is meant, and said, unless a zone is named", () => {
    expect(meant("1:30", AUTUMN)).toBe(
      "2026-11-01T07:30Z (Clocks showed 01:30 twice on that day. The first time is meant; for the second add MST.)",
    );
    expect(meant("1:30 mdt", AUTUMN)).toBe("2026-11-01T07:30Z");
    expect(meant("1:30 MST", AUTUMN)).toBe("2026-11-01T08:30Z");
    expect(meant("1:30 pst", AUTUMN)).toBe("? The market's time is MDT or MST then.");
    expect(meant("0:59", AUTUMN)).toBe("2026-11-01T06:59Z");
    expect(meant("2:00", AUTUMN)).toBe("2026-11-01T09:00Z");
  });

  test("a time that they skip is refused", () => {
    expect(meant("2:30", SPRING)).toBe("? Clocks did not show 02:30 on that day: they were set forward then.");
    expect(meant("1:59", SPRING)).toBe("2026-03-08T08:59Z");
    expect(meant("3:00", SPRING)).toBe("2026-03-08T09:00Z");
  });

  test("a day has 25 or 23 hours", () => {
    expect(meant("yesterday", "2026-11-02T20:00:00Z")).toBe("2026-11-01T06:00Z .. 2026-11-02T07:00Z");
    expect(meant("yesterday", "2026-03-09T20:00:00Z")).toBe("2026-03-08T07:00Z .. 2026-03-09T06:00Z");
    expect(meant("0:30 to 3:00", AUTUMN)).toBe("2026-11-01T06:30Z .. 2026-11-01T10:00Z");
  });

  test("a day begins with the change if midnight is skipped", () => {
    const day = Date.UTC(2026, 8, 6);
    const start = startOfDay(day, "America/Santiago");
    expect(time(start, "America/Santiago", "full")).toStartWith("Sun, Sep 6, 2026, 01:00:00");
    expect(time(start - 1, "America/Santiago", "full")).toStartWith("Sat, Sep 5, 2026, 23:59:59");
  });

  test("every moment is one of those at which clocks show its local time, and no other shows it", () => {
    const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
    const zone = fc.constantFrom(EDMONTON, "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "UTC");
    fc.assert(fc.property(moment, zone, (at, zone) => {
      const instants = instantsOf(localOf(at, zone), zone);
      expect(instants).toContain(at);
      expect(instants.map((instant) => localOf(instant, zone))).toEqual(instants.map(() => localOf(at, zone)));
      const day = localDay(at, zone);
      expect(startOfDay(day, zone)).toBeLessThanOrEqual(at);
      expect(startOfDay(day + DAY_MS, zone)).toBeGreaterThan(at);
    }));
  });
});
