import { expect, test } from "bun:test";
import type { Logger } from "../../../../common/logger.ts";
import { EngineClock } from "../../../../engine/server/host/engine-clock.ts";

function clock(latest?: number) {
  const wall = { time: 1_000_000 };
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const engineClock = new EngineClock(() => wall.time, { info: note, warn: note } as unknown as Logger, latest);
  const at = (time: number) => {
    wall.time = time;
    return engineClock.time();
  };
  return { at, lines };
}

test("engine time follows the clock, and stops while the clock is behind", () => {
  const { at } = clock();
  const times = [0, 1, -100_000, 1, 2].map((ms) => at(1_000_000 + ms) - 1_000_000);
  expect(times).toEqual([0, 1, 1, 1, 2]);
});

test("engine time continues after a restart from the time before it", () => {
  const { at } = clock(1_000_000);
  expect([at(999_000), at(1_000_001)]).toEqual([1_000_000, 1_000_001]);
});

test("a clock set back by more than a second is logged once, and again when it has caught up", () => {
  const { at, lines } = clock();
  at(1_000_000);
  at(999_000);
  expect(lines).toEqual([]);
  at(998_999);
  at(998_000);
  expect(lines).toEqual([expect.stringContaining("set back")]);
  at(1_000_000);
  at(1_000_001);
  expect(lines.slice(1)).toEqual([expect.stringContaining("caught up")]);
  at(990_000);
  expect(lines).toHaveLength(3);
});
