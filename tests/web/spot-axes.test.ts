// The axes of pictures: prices with room for spikes, and times at round local hours, also when clocks change.

import { describe, expect, test } from "bun:test";
import { beginOfDay, beginOfNextDay } from "../../web/components/local-day.ts";
import { timeMarks } from "../../web/components/spot-axis.ts";
import { bent, priceScale, unbent } from "../../web/components/spot-scale.ts";

const HOUR = 3_600;
const seconds = (text: string) => Date.parse(text) / 1_000;

describe("a scale of prices", () => {
  test("has a place for every price, in their order, with marks at round prices that are apart", () => {
    for (const prices of [[4_000, 4_600], [-2_500, 3_000, 300_000], [0], [], [4_673, 4_673], [-25_000, -100]]) {
      const { at, marks } = priceScale(prices);
      const places = prices.toSorted((a, b) => a - b).map(at);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places.every((place) => place > 0 && place < 1)).toBe(true);
      expect(marks.length).toBeGreaterThan(1);
      const gaps = marks.slice(1).map((mark, index) => at(mark) - at(marks[index]!));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.12);
    }
  });

  test("marks zero among prices on both sides of it, and round prices near a spike", () => {
    expect(priceScale([-2_500, 3_000, 300_000]).marks).toEqual([0, 5_000, 20_000, 100_000, 300_000]);
    expect(priceScale([4_000, 4_600]).marks).toEqual([4_000, 4_100, 4_200, 4_300, 4_400, 4_500, 4_600]);
  });

  test("is linear near zero and logarithmic beyond, and can be undone", () => {
    expect(bent(2) / bent(1)).toBeCloseTo(2, 5);
    expect(bent(10_000_000) - bent(1_000_000)).toBeCloseTo(Math.log(10), 3);
    for (const cents of [-25_000, 0, 4_673, 500_000]) expect(unbent(bent(cents))).toBeCloseTo(cents, 6);
  });
});

describe("the day of a market", () => {
  test.each([
    ["2026-11-23T12:00:00Z", "America/Chicago", "2026-11-23T06:00:00Z", 24],
    ["2026-11-01T12:00:00Z", "America/Chicago", "2026-11-01T05:00:00Z", 25],
    ["2026-11-02T05:30:00Z", "America/Chicago", "2026-11-01T05:00:00Z", 25],
    ["2026-03-08T08:00:00Z", "America/Chicago", "2026-03-08T06:00:00Z", 23],
    // Clocks go from 24:00 to 1:00 and from 24:00 back to 23:00.
    ["2026-09-06T12:00:00Z", "America/Santiago", "2026-09-06T04:00:00Z", 23],
    ["2026-04-04T12:00:00Z", "America/Santiago", "2026-04-04T03:00:00Z", 25],
    ["2026-04-05T12:00:00Z", "America/Santiago", "2026-04-05T04:00:00Z", 24],
    ["2026-11-23T12:00:00Z", "Asia/Kolkata", "2026-11-22T18:30:00Z", 24],
  ])("of %s in %s begins at %s and has %d hours", (at, timezone, begin, hours) => {
    expect(beginOfDay(seconds(at), timezone)).toBe(seconds(begin));
    expect((beginOfNextDay(seconds(at), timezone) - seconds(begin)) / HOUR).toBe(hours);
  });
});

describe("marks of time", () => {
  const labels = (from: string, to: string, most: number, timezone = "America/Chicago") =>
    timeMarks(seconds(from), seconds(to), timezone, most).map(({ label }) => label).join(" | ");

  test("are at round local hours, with the day at midnight", () => {
    expect(labels("2026-11-23T00:10:00Z", "2026-11-24T00:10:00Z", 8)).toBe(
      "21:00 | Nov 23 | 03:00 | 06:00 | 09:00 | 12:00 | 15:00 | 18:00",
    );
    expect(labels("2026-11-23T00:00:00Z", "2026-11-23T03:00:00Z", 8, "Asia/Kolkata")).toBe("06:00 | 07:00 | 08:00");
  });

  test("stay at round local hours when clocks are set back or forward", () => {
    expect(labels("2026-11-01T04:00:00Z", "2026-11-02T08:00:00Z", 10)).toBe(
      "Nov 1 | 03:00 | 06:00 | 09:00 | 12:00 | 15:00 | 18:00 | 21:00 | Nov 2",
    );
    expect(labels("2026-03-08T05:00:00Z", "2026-03-08T10:00:00Z", 10)).toBe(
      "23:00 | Mar 8 | 01:00 | 03:00 | 04:00 | 05:00",
    );
  });

  test("are days, Mondays, months and years if the time is longer", () => {
    expect(labels("2026-11-23T12:00:00Z", "2026-11-27T12:00:00Z", 5)).toBe("Nov 24 | Nov 25 | Nov 26 | Nov 27");
    expect(labels("2026-11-20T12:00:00Z", "2026-12-15T12:00:00Z", 5)).toBe("Nov 23 | Nov 30 | Dec 7 | Dec 14");
    expect(labels("2026-11-20T12:00:00Z", "2027-08-15T12:00:00Z", 5)).toBe("2027 | Mar | May | Jul");
    expect(labels("2026-11-20T12:00:00Z", "2029-06-15T12:00:00Z", 3)).toBe("2027 | 2028 | 2029");
  });
});
