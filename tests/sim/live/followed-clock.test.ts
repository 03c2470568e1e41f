import { describe, expect, test } from "bun:test";
import type { ClockSetting } from "../../../protocol/index.ts";
import { FollowedClock } from "../../../sim/live/followed-clock.ts";
import { until } from "../../support/until.ts";
import { SteppedTimers } from "../../engine/server/host/stepped-timers.ts";

const START = Date.parse("2026-03-02T06:00:00Z");

function market(setting: ClockSetting | null) {
  const timers = new SteppedTimers();
  const source = { now: START, setting, time: () => source.now };
  const clock = new FollowedClock(source, timers);
  const ended: string[] = [];
  const wait = (name: string, marketMs: number) => clock.after(marketMs, () => ended.push(name));
  return { timers, source, clock, ended, wait };
}

describe("a wait in market time", () => {
  test("is as much shorter as market time is faster", () => {
    const { timers, ended, wait } = market({ mode: "fast", speed: 100 });
    wait("minute", 60_000);
    timers.pass(599);
    expect(ended).toEqual([]);
    timers.pass(1);
    expect(ended).toEqual(["minute"]);
  });

  test("is as long as in real time if the engine has no clock", () => {
    const { timers, ended, wait } = market(null);
    wait("second", 1_000);
    timers.pass(1_000);
    expect(ended).toEqual(["second"]);
  });

  test("ends at its market time also if the speed changes", () => {
    const { timers, source, clock, ended, wait } = market({ mode: "fast", speed: 1 });
    wait("minute", 60_000);
    timers.pass(30_000);
    source.now += 30_000;
    source.setting = { mode: "fast", speed: 1000 };
    clock.changed();
    timers.pass(29);
    expect(ended).toEqual([]);
    timers.pass(1);
    expect(ended).toEqual(["minute"]);
  });

  test("ends once, and not before its market time, if time is slowed", () => {
    const { timers, source, clock, ended, wait } = market({ mode: "fast", speed: 100 });
    wait("minute", 60_000);
    timers.pass(300);
    source.now += 30_000;
    source.setting = { mode: "fast", speed: 1 };
    clock.changed();
    timers.pass(29_999);
    expect(ended).toEqual([]);
    timers.pass(1);
    timers.pass(60_000);
    expect([ended, timers.pending]).toEqual([["minute"], 0]);
  });

  test("ends once, and only when time is moved to it, if time is stopped", async () => {
    const { timers, source, clock, ended, wait } = market({ mode: "fast", speed: 1 });
    wait("minute", 60_000);
    source.setting = { mode: "lockstep", speed: 0 };
    clock.changed();
    await until(() => !clock.isEnding);
    timers.pass(60_000);
    expect([ended, timers.pending]).toEqual([[], 0]);
    source.now += 60_000;
    clock.changed();
    await until(() => !clock.isEnding);
    expect(ended).toEqual(["minute"]);
  });

  test("ends once if time passes again by itself while it is about to end in lockstep", async () => {
    for (const isTimerFirst of [true, false]) {
      const { timers, source, clock, ended, wait } = market({ mode: "lockstep", speed: 0 });
      const gates: (() => void)[] = [];
      clock.beforeEach = () => new Promise((resolve) => gates.push(resolve));
      wait("minute", 60_000);
      source.now += 60_000;
      clock.changed();
      source.setting = { mode: "fast", speed: 1 };
      clock.changed();
      if (isTimerFirst) timers.pass(1);
      gates.shift()!();
      await until(() => gates.length === 1 || !clock.isEnding);
      gates.shift()?.();
      await until(() => !clock.isEnding);
      timers.pass(60_000);
      expect([ended, timers.pending]).toEqual([["minute"], 0]);
    }
  });

  test("ends at its market time also if that is further away than a timer can be", () => {
    const longest = 2 ** 30;
    const { timers, source, ended, wait } = market({ mode: "fast", speed: 1 });
    wait("weeks", 2 * longest);
    const cancel = wait("cancelled", 2 * longest);
    const pass = (ms: number) => {
      source.now += ms;
      timers.pass(ms);
    };
    pass(longest);
    cancel();
    pass(longest - 1);
    expect([ended, timers.pending]).toEqual([[], 1]);
    pass(1);
    expect([ended, timers.pending]).toEqual([["weeks"], 0]);
  });

  test("does not end once it is cancelled", () => {
    const { timers, source, clock, ended, wait } = market({ mode: "fast", speed: 1 });
    wait("minute", 60_000)();
    timers.pass(60_000);
    source.setting = { mode: "lockstep", speed: 0 };
    source.now += 100_000;
    clock.changed();
    expect(ended).toEqual([]);
  });

  test("ends in lockstep when time is moved to it, the earliest first, and a new one not before the next move", async () => {
    const { timers, source, clock, ended, wait } = market({ mode: "lockstep", speed: 0 });
    wait("late", 2_000);
    wait("early", 1_000);
    clock.after(1_500, () => {
      ended.push("middle");
      wait("next", 1);
    });
    wait("tomorrow", 86_400_000);
    timers.pass(1e9);
    expect(ended).toEqual([]);
    source.now += 2_000;
    clock.changed();
    await until(() => !clock.isEnding);
    expect(ended).toEqual(["early", "middle", "late"]);
    source.now += 1;
    clock.changed();
    await until(() => !clock.isEnding);
    expect(ended).toEqual(["early", "middle", "late", "next"]);
  });

  test("ends in lockstep once what has to be over before it is over, also after a move that comes meanwhile", async () => {
    const { source, clock, ended, wait } = market({ mode: "lockstep", speed: 0 });
    const gates: (() => void)[] = [];
    clock.beforeEach = () => new Promise((resolve) => gates.push(resolve));
    wait("first", 1_000);
    wait("second", 2_000);
    const cancel = wait("cancelled", 1_500);
    source.now += 1_000;
    clock.changed();
    source.now += 1_000;
    clock.changed();
    expect([ended, gates.length]).toEqual([[], 1]);
    cancel();
    for (const expected of [["first"], ["first", "second"]]) {
      gates.shift()!();
      await until(() => gates.length === 1);
      expect([ended, clock.isEnding]).toEqual([expected, true]);
    }
    gates.shift()!();
    await until(() => !clock.isEnding);
  });
});

test("the time of a run never goes back, though an estimate of the engine's may be corrected", () => {
  const { source, clock } = market({ mode: "fast", speed: 1000 });
  source.now += 5_000;
  expect(clock.time()).toBe(START + 5_000);
  source.now -= 3_000;
  expect([clock.time(), clock.startedAt]).toEqual([START + 5_000, START]);
});
