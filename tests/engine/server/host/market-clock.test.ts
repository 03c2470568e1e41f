import { describe, expect, test } from "bun:test";
import { type ClockSetting, LOCKSTEP_CLOCK, REAL_CLOCK } from "../../../../protocol/index.ts";
import { MarketClock } from "../../../../engine/server/host/market-clock.ts";

const MARKET = Date.parse("2026-03-02T06:00:00Z");
const REAL = Date.parse("2026-11-22T18:00:00Z");
const fast = (speed: number) => ({ mode: "fast", speed }) as const;

describe("a market clock", () => {
  test("in real time is engine time", () => {
    const clock = new MarketClock(REAL_CLOCK, REAL, REAL);
    expect([clock.at(REAL), clock.at(REAL + 7), clock.waitMs(REAL + 100, REAL + 7)]).toEqual([REAL, REAL + 7, 93]);
  });

  test("passes as fast as its speed, from the market time at the start", () => {
    const clock = new MarketClock(fast(1000), MARKET, REAL);
    expect([0, 1, 5000].map((ms) => clock.at(REAL + ms) - MARKET)).toEqual([0, 1000, 5_000_000]);
    expect(clock.waitMs(MARKET + 5_000_000 + 3_600_000, REAL + 5000)).toBe(3600);
  });

  test("goes on from where it stands when the speed changes", () => {
    const clock = new MarketClock(REAL_CLOCK, REAL, REAL);
    clock.at(REAL + 1000);
    clock.follow(fast(10), { now: REAL + 1000, realNow: REAL + 1000 });
    expect(clock.at(REAL + 2000)).toBe(REAL + 11_000);
    clock.follow(fast(1), { now: REAL + 11_000, realNow: REAL + 2000 });
    expect(clock.at(REAL + 3000)).toBe(REAL + 12_000);
  });

  test("in lockstep stands still until it is moved", () => {
    const clock = new MarketClock(LOCKSTEP_CLOCK, MARKET, REAL);
    expect(clock.at(REAL + 1e9)).toBe(MARKET);
    expect([clock.waitMs(MARKET + 1, REAL), clock.waitMs(MARKET, REAL)]).toEqual([Infinity, 0]);
    expect(clock.follow(LOCKSTEP_CLOCK, { now: MARKET, realNow: REAL })).toBe(false);
    expect(clock.follow(LOCKSTEP_CLOCK, { now: MARKET + 60_000, realNow: REAL })).toBe(true);
    expect(clock.at(REAL + 1e9)).toBe(MARKET + 60_000);
  });

  test("does not make up for a standstill of the process, if it runs apart from real time", () => {
    const clock = new MarketClock(fast(1000), MARKET, REAL);
    clock.at(REAL + 1000);
    const night = 8 * 3_600_000;
    expect(clock.at(REAL + 1000 + night)).toBe(MARKET + 11_000 * 1000);
    expect(clock.at(REAL + 1001 + night)).toBe(MARKET + 11_001 * 1000);
  });

  test("never goes back at a fraction of a millisecond", () => {
    const clock = new MarketClock(fast(0.1), MARKET, REAL);
    const times = Array.from({ length: 50 }, (_, ms) => clock.at(REAL + ms));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBe(MARKET + 4);
  });
});

test.each<[ClockSetting, ClockSetting, number]>([
  [REAL_CLOCK, { mode: "fast", speed: 60 }, 60],
  [LOCKSTEP_CLOCK, { mode: "fast", speed: 60 }, 60],
  [{ mode: "fast", speed: 60 }, { mode: "fast", speed: 2 }, 2],
  [{ mode: "fast", speed: 60 }, LOCKSTEP_CLOCK, 0],
])("a market that nobody has asked for an hour passes from %j to %j at the time of the change", (from, to, speed) => {
  const hour = 3_600_000;
  const clock = new MarketClock(from, 5_000, 5_000);
  const times = { now: 900_000, realNow: 5_000 + hour };
  expect(clock.follow(to, times)).toBe(true);
  expect([0, 1_000, 9_000].map((ms) => clock.at(times.realNow + ms) - times.now)).toEqual([
    0,
    1_000 * speed,
    9_000 * speed,
  ]);
  expect(clock.waitMs(times.now + 10_000 * 60, times.realNow + 9_000)).toBe(
    speed === 0 ? Infinity : (600_000 - 9_000 * speed) / speed,
  );
});
