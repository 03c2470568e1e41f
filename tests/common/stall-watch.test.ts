import { expect, test } from "bun:test";
import type { Logger } from "../../common/logger.ts";
import { watchStalls } from "../../common/stall-watch.ts";
import { SteppedTimers } from "../engine/server/host/stepped-timers.ts";

test("a process that stood still for more than five seconds says for how long, each time", () => {
  const timers = new SteppedTimers();
  const lengths: unknown[] = [];
  const log = { warn: (_: string, { length }: { length: string }) => lengths.push(length) } as unknown as Logger;
  let stoodStillMs = 0;
  const end = watchStalls({ log, now: () => timers.processTime + stoodStillMs, timers });
  timers.pass(10_000);
  stoodStillMs += 4_000;
  timers.pass(10_000);
  expect(lengths).toEqual([]);
  stoodStillMs += 30_000;
  timers.pass(10_000);
  stoodStillMs += 600_000;
  timers.pass(10_000);
  expect(lengths).toEqual(["30 seconds", "10 minutes"]);
  end();
  stoodStillMs += 600_000;
  timers.pass(10_000);
  expect(lengths).toHaveLength(2);
});
