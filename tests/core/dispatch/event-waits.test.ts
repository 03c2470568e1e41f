import { expect, test } from "bun:test";
import { EventWaits } from "../../../core/dispatch/event-waits.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";

const buffer = new EventBuffer(10);
const wait = (waits: EventWaits, caller: string | null, signal = new AbortController().signal) =>
  waits.begin(buffer, { filter: {}, seconds: 30, caller, signal });

test("at most 2,000 calls of one caller and 4,000 in all wait, and the end of a wait lets another begin", async () => {
  const waits = new EventWaits();
  const counts = ["a", "b", null].map((caller) =>
    Array.from({ length: 2_500 }, () => wait(waits, caller)).filter((begun) => begun !== null).length
  );
  expect(counts).toEqual([2_000, 2_000, 0]);
  expect(waits.count).toBe(4_000);
  buffer.interrupt();
  expect(waits.count).toBe(0);
  const again = wait(waits, "a");
  expect(again).not.toBeNull();
  waits.endAll();
  await again;
  expect(wait(waits, "a")).toBeNull();
});

test("a call that is cancelled before or while it waits does not wait", async () => {
  const waits = new EventWaits();
  const cancelled = new AbortController();
  const begun = wait(waits, "a", cancelled.signal);
  expect(waits.count).toBe(1);
  cancelled.abort();
  await begun;
  expect(waits.count).toBe(0);
  expect(wait(waits, "a", cancelled.signal)).toBeNull();
});
