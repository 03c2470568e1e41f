// The progress notifications of one call: which steps of a tool reach the client.

import { expect, test } from "bun:test";
import { ProgressNotifications } from "../../../../../core/server/sdk/exchange/progress-notifications.ts";

interface Sent {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

function open(send: (step: Sent) => Promise<void> = () => Promise.resolve()) {
  const sent: Sent[] = [];
  const cancelled = new AbortController();
  const clock = { now: 0 };
  const notifications = new ProgressNotifications({
    signal: cancelled.signal,
    now: () => clock.now,
    send: (step) => {
      sent.push(step);
      return send(step);
    },
  });
  /** Reports far apart in time, so that no step is dropped for coming too soon. */
  const report = async (...values: readonly number[]) => {
    for (const done of values) {
      clock.now += 1_000;
      await notifications.report({ done });
    }
  };
  return { sent, cancelled, clock, notifications, report };
}

test("a step has its value, and total and message if it has them", async () => {
  const { sent, notifications, report } = open();
  await notifications.report({ done: 1, total: 3, message: "One of 3 is done." });
  await report(2);
  expect(sent).toEqual([{ progress: 1, total: 3, message: "One of 3 is done." }, { progress: 2 }]);
});

test("invisible characters of a message are escaped", async () => {
  const { sent, notifications } = open();
  await notifications.report({ done: 1, message: "a\u202eb" });
  expect(sent).toEqual([{ progress: 1, message: "a\\u202eb" }]);
});

test("a value that does not rise, or is no number, is dropped", async () => {
  const { sent, report } = open();
  await report(0, 0, 2, 1, NaN, 2, 2.5, 3);
  expect(sent.map(({ progress }) => progress)).toEqual([0, 2, 2.5, 3]);
});

test("at most four are sent in any second", async () => {
  const { sent, clock, notifications } = open();
  const times: number[] = [];
  for (let step = 0; step < 1000; step += 1) {
    clock.now = step * 7;
    const before = sent.length;
    await notifications.report({ done: step });
    if (sent.length > before) times.push(clock.now);
  }
  expect(times.length).toBeGreaterThanOrEqual(4 * 6);
  for (const [index, time] of times.slice(4).entries()) {
    expect(time - (times[index] ?? NaN)).toBeGreaterThanOrEqual(1_000);
  }
});

test("none is sent after the call has ended, or was cancelled", async () => {
  const ended = open();
  await ended.report(1);
  ended.notifications.end();
  await ended.report(2);
  expect(ended.sent).toHaveLength(1);
  const { sent, cancelled, report } = open();
  cancelled.abort();
  await report(1);
  expect(sent).toEqual([]);
});

test("a report never fails, and nothing more is sent to a client that is gone", async () => {
  const { sent, report } = open(() => Promise.reject(new Error("Not connected")));
  await report(1, 2, 3);
  expect(sent).toEqual([{ progress: 1 }]);
});

test("a report does not wait for a client that does not read; further steps are dropped until it reads", async () => {
  const read = Promise.withResolvers<void>();
  const { sent, report } = open(() => read.promise);
  await report(1, 2, 3);
  read.resolve();
  await read.promise;
  await report(4);
  expect(sent.map(({ progress }) => progress)).toEqual([1, 4]);
});
