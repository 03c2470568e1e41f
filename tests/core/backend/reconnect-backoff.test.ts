import { expect, test } from "bun:test";
import { EngineClock } from "../../../core/backend/engine-clock.ts";
import { ReconnectBackoff } from "../../../core/backend/reconnect-backoff.ts";

test("waits double up to the longest, each between half and the whole, and begin anew after a reset", () => {
  const longest = new ReconnectBackoff(250, 10_000, () => 0.999999);
  const waits = Array.from({ length: 8 }, () => Math.round(longest.nextMs()));
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  longest.reset();
  expect(Math.round(longest.nextMs())).toBe(250);
  const shortest = new ReconnectBackoff(250, 10_000, () => 0);
  expect([shortest.nextMs(), shortest.nextMs()]).toEqual([125, 250]);
});

test("engine time is local time until the engine tells its own, then runs on from there", () => {
  let now = 1_000;
  const clock = new EngineClock(() => now);
  expect(clock.time()).toBe(1_000);
  clock.learn("2030-01-01T00:00:00.000Z");
  now += 500;
  expect(clock.isoTime()).toBe("2030-01-01T00:00:00.500Z");
  clock.learn("2030-01-01T00:00:01.000Z", 40);
  expect(clock.isoTime()).toBe("2030-01-01T00:00:01.020Z");
});
