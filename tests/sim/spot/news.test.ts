// The forecast of the base of tomorrow, at each 5-minute step of today: what the market learns, and when.

import { describe, expect, test } from "bun:test";
import { autocorrelation, meanOf, medianOf } from "../../../sim/facts/moments.ts";
import { size } from "../../support/sizes.ts";
import { HOUR_MS, pricesOf, spotOf, TIMEZONE } from "./support.ts";

const SEEDS = size(14, 400);
const STEP_MS = 300_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday, midnight local time. */
const TODAY = Date.parse("2026-03-02T06:00:00Z");
const TOMORROW = TODAY + DAY_MS;

/** Expected prices at the steps of today, and what came. */
function dayOfNews(seed: number) {
  const spot = spotOf(seed, { startTime: TODAY - 3 * DAY_MS });
  const forecasts: number[] = [];
  for (let time = TODAY; time < TOMORROW; time += STEP_MS) {
    spot.advanceTo(time);
    forecasts.push(spot.expectedPrice("NORTH", TOMORROW, TOMORROW + DAY_MS, "base"));
  }
  spot.advanceTo(TOMORROW + DAY_MS - 1);
  return { forecasts, came: meanOf(Float64Array.from(pricesOf(spot.history(24), "NORTH"))) };
}

describe("the forecast of tomorrow's base", () => {
  const days = Array.from({ length: SEEDS }, (_, at) => dayOfNews(at + 1));
  const changes = days.map(({ forecasts }) =>
    Float64Array.from(forecasts.slice(1), (price, at) => (price - forecasts[at]!) / Math.abs(forecasts[0]!))
  );
  const sizes = changes.map((each) => each.map(Math.abs));
  const medianAutocorrelation = (series: readonly Float64Array[], lag: number) =>
    medianOf(series.map((each) => autocorrelation(each, lag)));

  test("moves at nearly every step", () => {
    const moves = changes.flatMap((each) => [...each]).filter((change) => change !== 0);
    expect(moves.length).toBeGreaterThan(SEEDS * 287 * 0.95);
  });

  test("is a martingale: its changes have mean 0 and no memory", () => {
    const sums = Float64Array.from(changes, (each) => each.reduce((sum, change) => sum + change, 0));
    const error = Math.sqrt(meanOf(sums.map((sum) => sum ** 2)) / SEEDS);
    expect(Math.abs(meanOf(sums))).toBeLessThan(3 * error + 0.005);
    for (const lag of [1, 2, 12]) {
      expect(Math.abs(meanOf(Float64Array.from(changes, (each) => autocorrelation(each, lag))))).toBeLessThan(0.03);
    }
  });

  test("is unbiased at any step of the day", () => {
    const level = meanOf(Float64Array.from(days, ({ came }) => came));
    for (const step of [0, 100, 200, 287]) {
      const errors = Float64Array.from(days, ({ forecasts, came }) => (came - forecasts[step]!) / level);
      const error = Math.sqrt(meanOf(errors.map((each) => each ** 2)) / SEEDS);
      expect(Math.abs(meanOf(errors))).toBeLessThan(0.01 + 3 * error);
    }
  });

  test("moves by 10 to 20 % on a usual day", () => {
    const moves = changes.map((each) => Math.sqrt(each.reduce((sum, change) => sum + change ** 2, 0)));
    expect(medianOf(moves)).toBeGreaterThan(0.1);
    expect(medianOf(moves)).toBeLessThan(0.2);
  });

  test("moves in clusters, which fade over hours", () => {
    const [first, half, hour] = [1, 6, 12].map((lag) => medianAutocorrelation(sizes, lag)) as [number, number, number];
    expect(first).toBeGreaterThan(0.2);
    expect(first).toBeLessThan(0.4);
    expect(half).toBeLessThan(first * 0.85);
    expect(hour).toBeLessThan(half * 0.85);
  });

  test("becomes better as the day goes on", () => {
    const errors = { early: [] as number[], late: [] as number[] };
    for (let seed = 1; seed <= size(40, 400); seed++) {
      const spot = spotOf(seed, { startTime: TODAY - DAY_MS });
      const expectedAt = (time: number) => {
        spot.advanceTo(time);
        return spot.expectedPrice("NORTH", TOMORROW, TOMORROW + DAY_MS, "base");
      };
      const [early, late] = [expectedAt(TODAY), expectedAt(TOMORROW - STEP_MS)];
      spot.advanceTo(TOMORROW + DAY_MS - 1);
      const came = meanOf(Float64Array.from(pricesOf(spot.history(24), "NORTH")));
      errors.early.push(Math.abs(came - early) / Math.abs(early));
      errors.late.push(Math.abs(came - late) / Math.abs(early));
    }
    expect(medianOf(errors.late)).toBeLessThan(medianOf(errors.early) * 0.85);
  });
});

describe("news", () => {
  test("of the next hour reveals its price step by step", () => {
    const errors = [0, 0, 0];
    const seeds = size(25, 200);
    for (let seed = 1; seed <= seeds; seed++) {
      const spot = spotOf(seed, { startTime: TODAY - DAY_MS });
      const expected = [0, 30, 55].map((minutes) => {
        spot.advanceTo(TODAY + minutes * 60_000);
        return spot.expectedPrice("NORTH", TODAY + HOUR_MS, TODAY + 2 * HOUR_MS, "base");
      });
      spot.advanceTo(TODAY + 2 * HOUR_MS - 1);
      const [came] = pricesOf(spot.history(1), "NORTH");
      expected.forEach((price, at) => errors[at]! += Math.min(500, Math.abs(price - came!)) / seeds);
    }
    expect(errors[1]).toBeLessThan(errors[0]! * 0.9);
    expect(errors[2]).toBeLessThan(errors[1]! * 0.7);
  });

  test.each([
    ["a day of 23 hours", TIMEZONE, "2026-03-08T06:00:00Z", 23],
    ["a day of 25 hours", TIMEZONE, "2026-11-01T05:00:00Z", 25],
    ["days that begin at half past the hour", "Asia/Kolkata", "2026-05-01T19:00:00Z", 24],
  ])("is complete at the end of %s", (_, timezone, begins, hours) => {
    const midnight = Date.parse(begins) + hours * HOUR_MS;
    for (const startTime of [Date.parse(begins), Date.parse(begins) + 9.7 * HOUR_MS]) {
      let [early, late] = [0, 0];
      for (let seed = 1; seed <= size(10, 30); seed++) {
        const spot = spotOf(seed, { startTime, timezone });
        const changeAt = (time: number) => {
          spot.advanceTo(time - STEP_MS);
          const before = spot.expectedPrice("NORTH", midnight + 30 * DAY_MS, midnight + 60 * DAY_MS, "base");
          spot.advanceTo(time);
          return Math.abs(spot.expectedPrice("NORTH", midnight + 30 * DAY_MS, midnight + 60 * DAY_MS, "base") - before);
        };
        early += changeAt(midnight - 6 * HOUR_MS);
        late += changeAt(midnight);
      }
      // The last step of the day reveals no more than others do.
      expect(late).toBeLessThan(early * 4 + 30);
    }
  });

  test("has a vintage, which grows with each step and each event", () => {
    const spot = spotOf(1);
    const before = spot.vintage;
    spot.advanceTo(spot.current("NORTH").time + 3 * STEP_MS);
    expect(spot.vintage).toBe(before + 3);
    spot.trigger({ type: "plant_outage", node: "NORTH", size: 1, durationHours: 4 });
    expect(spot.vintage).toBe(before + 4);
  });
});
