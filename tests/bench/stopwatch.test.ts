import { describe, expect, test } from "bun:test";
import { aboveZero } from "../../bench/measurement.ts";
import { clockOf, Lap, measuringClock, timed, wallClock } from "../../bench/stopwatch.ts";
import { threadClock } from "../../bench/thread-clock.ts";
import { coarseClock } from "./coarse-clock.ts";

describe("a stopwatch", () => {
  test("repeats a run until the clock has moved by ten ticks, and gives the mean", () => {
    let runs = 0;
    const { nanoseconds, outcome } = timed(coarseClock(), () => () => ++runs);
    // A reading of the clock takes 7 ms, and a run is between two readings.
    expect(nanoseconds * runs).toBeGreaterThanOrEqual(100e6);
    expect(nanoseconds).toBeGreaterThan(5e6);
    expect(nanoseconds).toBeLessThan(9e6);
    expect(outcome).toBe(1);
  });

  test("leaves out the time of preparing", () => {
    let now = 0;
    const { nanoseconds } = timed({ now: () => now, tickNs: 1 }, () => {
      now += 1_000;
      return () => void (now += 7);
    });
    expect(nanoseconds).toBe(7);
  });

  test("runs once if that is long enough: ten ticks are, nine are not", () => {
    const runsOf = (runNs: number) => {
      let [now, runs] = [0, 0];
      timed({ now: () => now, tickNs: 1 }, () => () => {
        now += runNs;
        runs += 1;
      });
      return runs;
    };
    expect([runsOf(10), runsOf(9)]).toEqual([1, 2]);
    expect(new Lap(coarseClock()).isLongEnough).toBe(false);
  });
});

describe("a clock", () => {
  test("has the smallest of the steps that it makes as its tick", () => {
    const times = [0, 0, 30, 30, 40, 40, 60];
    expect(clockOf(() => times.shift() ?? 60).tickNs).toBe(10);
  });

  test("of this machine moves", () => {
    for (const clock of [measuringClock(), wallClock()]) {
      expect(clock.tickNs).toBeGreaterThan(0);
      expect(timed(clock, () => () => Bun.hash("work")).nanoseconds).toBeGreaterThan(0);
    }
  });

  test("of the thread counts work, and not waiting", async () => {
    const now = threadClock();
    const before = now();
    await Bun.sleep(200);
    const waited = now() - before;
    const started = now();
    while (now() - started < 50e6) Bun.hash("work");
    expect(now() - started).toBeGreaterThan(50e6);
    expect(waited).toBeLessThan(200e6);
  });
});

test("a sample of no time at all is an error and no figure", () => {
  expect(aboveZero("a read", 0.2)).toBe(0.2);
  for (const sample of [0, undefined]) expect(() => aboveZero("a read", sample)).toThrow("too coarse");
});
