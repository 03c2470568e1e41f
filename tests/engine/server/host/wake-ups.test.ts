import { describe, expect, test } from "bun:test";
import type { ClockSetting } from "../../../../protocol/index.ts";
import type { MarketEngine } from "../../../../engine/api/market-engine.ts";
import { DeadlineTimer } from "../../../../engine/server/host/deadline-timer.ts";
import type { EngineCalls } from "../../../../engine/server/host/engine-calls.ts";
import { WakeUps } from "../../../../engine/server/host/wake-ups.ts";
import { SteppedTimers } from "./stepped-timers.ts";

const FAST: ClockSetting = { mode: "fast", speed: 60 };
const REAL: ClockSetting = { mode: "real", speed: 1 };

function wakeUps(clock: ClockSetting) {
  const timers = new SteppedTimers();
  const state = { clock, deadline: null as number | null, hasChanged: false };
  const calls = { saved: 0, due: 0 };
  const engine = {
    get clock() {
      return state.clock;
    },
    nextDeadline: () => state.deadline,
  };
  const own = {
    waitMs: (time: number) => state.clock.speed === 0 ? Infinity : (time - timers.processTime) / state.clock.speed,
    followClock: () => state.hasChanged,
  };
  const woken = new WakeUps({
    engine: engine as MarketEngine,
    calls: own as EngineCalls,
    onDeadline: () => void (calls.due += 1),
    saveTime: () => void (calls.saved += 1),
    timers,
  });
  const change = (to: ClockSetting) => {
    Object.assign(state, { clock: to, hasChanged: true });
    woken.follow();
    state.hasChanged = false;
  };
  return { timers, state, calls, woken, change };
}

describe("the time of a market whose clock is fast", () => {
  test("is saved every second, for as long as the clock is fast", () => {
    const { timers, calls, change } = wakeUps(FAST);
    timers.pass(3_000);
    expect([calls.saved, timers.pending]).toEqual([3, 1]);
    change({ mode: "fast", speed: 10 });
    timers.pass(2_000);
    expect([calls.saved, timers.pending]).toEqual([5, 1]);
    change(REAL);
    timers.pass(60_000);
    expect([calls.saved, timers.pending]).toEqual([5, 0]);
    change(FAST);
    timers.pass(1_000);
    expect([calls.saved, timers.pending]).toEqual([6, 1]);
  });

  test("is not saved if the clock is real", () => {
    const { timers, calls } = wakeUps(REAL);
    timers.pass(10_000);
    expect([calls.saved, timers.pending]).toEqual([0, 0]);
  });
});

test("a deadline is looked at again when the clock changes, and waits for nothing while market time stands still", () => {
  const { timers, state, calls, woken, change } = wakeUps({ mode: "lockstep", speed: 0 });
  state.deadline = 400;
  woken.follow();
  timers.pass(100);
  expect([timers.pending, calls.due]).toEqual([0, 0]);
  change(REAL);
  expect(timers.pending).toBe(1);
  change({ mode: "lockstep", speed: 0 });
  timers.pass(1_000);
  expect([timers.pending, calls.due]).toEqual([0, 0]);
  change(REAL);
  timers.pass(0);
  expect(calls.due).toBe(1);
});

test("the end leaves no timer, and what is followed afterwards begins none", () => {
  const { timers, state, calls, woken, change } = wakeUps(FAST);
  state.deadline = 5_000;
  woken.follow();
  expect(timers.pending).toBe(2);
  woken.end();
  expect(timers.pending).toBe(0);
  state.deadline = 6_000;
  change(FAST);
  timers.pass(60_000);
  expect([calls, timers.pending]).toEqual([{ saved: 0, due: 0 }, 0]);
});

test("a deadline timer has one timer, however often its deadline is set or its clock changes", () => {
  const timers = new SteppedTimers();
  const woken: number[] = [];
  const timer = new DeadlineTimer(
    (time) => time - timers.processTime,
    () => void woken.push(timers.processTime),
    timers,
  );
  for (const deadline of [9_000, 400, 300, 300]) timer.set(deadline);
  for (let change = 0; change < 3; change += 1) timer.clockChanged();
  expect(timers.pending).toBe(1);
  timers.pass(10_000);
  expect([woken, timers.pending]).toEqual([[300], 0]);
  timer.set(20_000);
  timer.set(null);
  expect(timers.pending).toBe(0);
});
