import { expect, test } from "bun:test";
import { RunDigest } from "../../../sim/report/run-digest.ts";

const START = Date.parse("2026-03-02T06:00:00Z");
const HOUR_MS = 3_600_000;

function digestOf(): RunDigest {
  return new RunDigest({ start: START, timezone: "America/Chicago", nodes: ["NORTH", "WEST"], bookTimes: null });
}

test("the points of delivered contracts become few in a long run", () => {
  const digest = digestOf();
  const days = 200;
  for (let day = 0; day < days; day++) {
    for (let minute = 0; minute < 1_440; minute += 10) {
      const time = START + day * 24 * HOUR_MS + minute * 60_000;
      digest.append("quotes", time, [time, `DAY-${day}`, 3_000, 1, 3_010, 1]);
    }
  }
  const end = START + days * 24 * HOUR_MS;
  digest.finish(end);
  const points = [...digest.contracts.values()].map(({ prices }) => prices.size);
  expect(points).toHaveLength(days);
  expect(points.reduce((sum, each) => sum + each, 0)).toBeLessThan(days * 12);
});

test("spreads are weighted by the time for which they last, while both sides are there", () => {
  const digest = digestOf();
  const quote = (hours: number, bid: number | null, ask: number | null) => {
    const time = START + hours * HOUR_MS;
    digest.append("quotes", time, [time, "A", bid, 1, ask, 1]);
  };
  quote(0, 100, 110);
  quote(1, 100, 130);
  quote(4, null, 130);
  digest.finish(START + 9 * HOUR_MS);
  const { twoSidedMs, spreadMs } = digest.contracts.get("A") ?? expect.unreachable();
  expect({ hours: twoSidedMs / HOUR_MS, mean: spreadMs / twoSidedMs }).toEqual({ hours: 4, mean: (10 + 3 * 30) / 4 });
});

test("the middle look is near the middle of a run of any length, and few are kept", () => {
  const digest = digestOf();
  const hours = 500;
  for (let minute = 5; minute <= hours * 60; minute += 5) {
    const time = START + minute * 60_000;
    digest.append("depth", time, [time, "A", "BUY", 1, 3_000, 1, 1]);
  }
  const looks = digest.books.shown(START + hours * HOUR_MS).map(({ time }) => (time - START) / HOUR_MS);
  expect(looks).toHaveLength(3);
  expect(looks[0]).toBeCloseTo(1 / 12);
  expect(Math.abs((looks[1] ?? NaN) - hours / 2)).toBeLessThan(hours / 32);
  expect(looks[2]).toBe(hours);
});
