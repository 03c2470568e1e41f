import { expect, test } from "bun:test";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";

const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)).toISOString();

test("engine time is local time until the engine has sent its own, and continues from there", () => {
  let now = 1_000;
  const clock = new EngineClock(() => now);
  expect(clock.time()).toBe(1_000);
  clock.learn(at(0), 40);
  now += 500;
  expect(clock.marketIsoTime()).toBe("2030-01-01T00:00:00.499Z");
});

test("the estimate is not ahead of an engine whose clock runs slower by one part in a thousand", () => {
  let now = 0;
  const clock = new EngineClock(() => now);
  clock.learn(at(0), 40);
  for (const second of [1, 60, 1000]) {
    now = second * 1000;
    expect(clock.time()).toBe(Date.parse(at(0)) + now * 0.999);
  }
});

test("the estimate is never ahead of the engine, however long its messages took", () => {
  let now = 0;
  const clock = new EngineClock(() => now);
  clock.learn(at(10), 9_000);
  expect(clock.marketIsoTime()).toBe(at(10));
  now = 1_000;
  clock.learn(at(15), 9_000);
  expect(clock.marketIsoTime()).toBe(at(15));
  clock.learn(at(12), 9_000);
  expect(clock.marketIsoTime()).toBe(at(15));
});

test("a clock that was set back is noticed by the first time whose upper bound is below the estimate", () => {
  const clock = new EngineClock(() => 0);
  clock.learn(at(30), 0);
  clock.learn(at(10), 19_000);
  expect(clock.marketIsoTime()).toBe(at(10));
});
