// A clock that stands still, so nothing ends because its own time is up, and what is left of a wait that has ended.

import { expect, jest } from "bun:test";
import { getEventListeners } from "node:events";

/** Runs `run` on the still clock. Fails if a timer is left afterwards. */
export async function onStillClock(run: () => Promise<void>): Promise<void> {
  jest.useFakeTimers();
  try {
    await run();
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
}

export const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

/** Whether the promise settles without any time. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => void (settled = true);
  promise.then(note, note);
  for (let turn = 0; turn < 50 && !settled; turn += 1) await Promise.resolve();
  return settled;
}
