import { expect, jest, spyOn, test } from "bun:test";
import { Deadlines } from "../../common/deadlines.ts";
import { SYSTEM_TIMERS } from "../../common/timers.ts";

test("a timer of the system calls its task once, and never after it was cancelled", () => {
  jest.useFakeTimers();
  try {
    const called: string[] = [];
    SYSTEM_TIMERS.after(1_000, () => called.push("kept"));
    const cancel = SYSTEM_TIMERS.after(500, () => called.push("cancelled"));
    jest.advanceTimersByTime(499);
    cancel();
    jest.advanceTimersByTime(500);
    expect(called).toEqual([]);
    jest.advanceTimersByTime(60_000);
    expect([called, jest.getTimerCount()]).toEqual([["kept"], 0]);
  } finally {
    jest.useRealTimers();
  }
});

test.each<[string, () => void]>([
  ["timers of the system", () => void SYSTEM_TIMERS.after(60_000, () => {})],
  ["deadlines", () => void new Deadlines(60_000).begin(() => {})],
])("%s do not keep the process running", (_name, begin) => {
  const made = spyOn(globalThis, "setTimeout");
  try {
    begin();
    const timers = made.mock.results.map(({ value }) => value as Timer);
    expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
    for (const timer of timers) clearTimeout(timer);
  } finally {
    made.mockRestore();
  }
});
