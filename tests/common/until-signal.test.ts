// When a command ends by a signal, and when a second one ends it at once.

import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { untilSignal } from "../../common/command-line.ts";
import { emitSignal, listenersOf } from "../support/signals.ts";
import { isSettled } from "../support/still-clock.ts";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
const counts = () => SIGNALS.map((signal) => process.listenerCount(signal));
let before: number[] = [];

beforeEach(() => {
  jest.useFakeTimers();
  before = counts();
});
afterEach(() => {
  jest.useRealTimers();
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal).slice(before[SIGNALS.indexOf(signal)])) {
      process.off(signal, listener);
    }
  }
});

test.each(SIGNALS)("%s ends the wait, and the same signal soon after it does nothing more", async (signal) => {
  const others = listenersOf(signal);
  const waiting = untilSignal();
  expect([await isSettled(waiting), counts()]).toEqual([false, before.map((count) => count + 1)]);
  emitSignal(signal, others);
  expect(await isSettled(waiting)).toBeTrue();
  const ofSignal = () => process.listenerCount(signal) - before[SIGNALS.indexOf(signal)]!;
  emitSignal(signal, others);
  jest.advanceTimersByTime(499);
  expect(ofSignal()).toBe(1);
  // From now on the runtime ends the process at this signal.
  jest.advanceTimersByTime(1);
  expect([ofSignal(), counts().reduce((sum, count) => sum + count) - before.reduce((sum, count) => sum + count)])
    .toEqual([0, 1]);
});
