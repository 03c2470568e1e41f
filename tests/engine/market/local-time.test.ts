import { expect, test } from "bun:test";
import { instantOf, localDateAt } from "../../../engine/market/local-time.ts";

test.each([
  ["on an ordinary day", "2026-01-14", "08:30", "America/New_York", "2026-01-14T13:30:00Z"],
  ["that comes twice is the first of the two", "2026-11-01", "01:30", "America/New_York", "2026-11-01T05:30:00Z"],
  ["just after it came twice", "2026-11-01", "02:00", "America/New_York", "2026-11-01T07:00:00Z"],
  ["that is left out is that of the change", "2026-03-08", "02:30", "America/New_York", "2026-03-08T07:00:00Z"],
  ["at the end of the gap", "2026-03-08", "03:00", "America/New_York", "2026-03-08T07:00:00Z"],
  ["just before the gap", "2026-03-08", "01:59", "America/New_York", "2026-03-08T06:59:00Z"],
  ["that is left out at midnight", "2026-09-06", "00:00", "America/Santiago", "2026-09-06T04:00:00Z"],
  ["half an hour apart", "2026-04-05", "01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00Z"],
])("a local time %s", (_, date, time, timezone, expected) => {
  expect(instantOf(Temporal.PlainDate.from(date), time, timezone)).toBe(Date.parse(expected));
});

test("a local date begins at the midnight of its time zone", () => {
  const midnight = Date.parse("2026-01-14T05:00:00Z");
  const dates = [midnight - 1, midnight].map((time) => String(localDateAt(time, "America/New_York")));
  expect(dates).toEqual(["2026-01-13", "2026-01-14"]);
  expect(String(localDateAt(midnight - 1, "Asia/Kolkata"))).toBe("2026-01-14");
});
