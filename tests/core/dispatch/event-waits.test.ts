import { expect, jest, test } from "bun:test";
import type { PubSub } from "../../../core/backend/pubsub.ts";
import { EventWaits } from "../../../core/dispatch/event-waits.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import { noProgress } from "../../../core/tools/progress.ts";
import { isSettled, listenersOf } from "../../support/still-clock.ts";
import { pubsubThatIs, servicesWith } from "../support/services.ts";

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
  expect(waits.count).toBe(0);
  await begun;
  for (let count = 0; count < 2_500; count++) expect(wait(waits, "a", cancelled.signal)).toBeNull();
  // None of them has taken a place.
  expect(wait(waits, "a")).not.toBeNull();
  waits.endAll();
});

test("a wait ends when its seconds are over, of which 30 count at most", async () => {
  jest.useFakeTimers();
  try {
    for (const [seconds, most] of [[2, 2], [30, 30], [31, 30], [10_000, 30]] as const) {
      const waits = new EventWaits();
      const { signal } = new AbortController();
      const begun = waits.begin(buffer, { filter: {}, seconds, caller: null, signal })!;
      jest.advanceTimersByTime(most * 1000 - 1);
      expect([waits.count, await isSettled(begun)]).toEqual([1, false]);
      jest.advanceTimersByTime(1);
      expect([waits.count, await isSettled(begun), listenersOf(signal)]).toEqual([0, true, 0]);
    }
  } finally {
    jest.useRealTimers();
  }
});

test("a call that waits gives back its place for a running call, and one that can't wait keeps it", async () => {
  const waits = new EventWaits();
  const places: string[] = [];
  const call = async (status: PubSub["status"]) => {
    const client = new AbortController();
    const context = { ...servicesWith({ pubsub: pubsubThatIs(status), events: buffer }), signal: client.signal };
    const begun = waits.wait({ requires: {} }, { ...context, progress: noProgress } as unknown as ToolContext, {
      filter: {},
      seconds: 30,
    }, () => places.push(status));
    client.abort(new Error("gone"));
    return await begun.catch((error: Error) => error.message);
  };
  expect([await call("connected"), await call("reconnecting")]).toEqual(["gone", false]);
  expect(places).toEqual(["connected"]);
});
