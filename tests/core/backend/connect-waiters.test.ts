// How a wait for the connection ends: with the connection, its failure, or its own call.

import { expect, test } from "bun:test";
import { ConnectWaiters } from "../../../core/backend/connect-waiters.ts";

const SESSION = { userId: "u" } as never;

function waiting() {
  let abandoned = 0;
  const waiters = new ConnectWaiters(() => abandoned += 1);
  const add = (signal?: AbortSignal) => waiters.add(signal).then((session) => session, (error: unknown) => error);
  return { waiters, add, abandoned: () => abandoned };
}

test("an abort ends its own wait; only that of the last wait gives the attempt up", async () => {
  const { waiters, add, abandoned } = waiting();
  const calls = ["first", "second"].map((name) => ({ abort: new AbortController(), reason: new Error(name) }));
  const results = calls.map(({ abort }) => add(abort.signal));
  calls[0]!.abort.abort(calls[0]!.reason);
  expect(await results[0]).toBe(calls[0]!.reason);
  expect(abandoned()).toBe(0);
  calls[1]!.abort.abort(calls[1]!.reason);
  expect(await results[1]).toBe(calls[1]!.reason);
  expect(abandoned()).toBe(1);
  waiters.resolveAll(SESSION);
  expect(abandoned()).toBe(1);
});

test("a call that can't be aborted keeps the attempt", async () => {
  const { waiters, add, abandoned } = waiting();
  const abort = new AbortController();
  const [kept, aborted] = [add(), add(abort.signal)];
  abort.abort();
  await aborted;
  expect(abandoned()).toBe(0);
  waiters.resolveAll(SESSION);
  expect(await kept).toBe(SESSION);
});

test.each(
  [
    ["the session", SESSION, (waiters: ConnectWaiters) => waiters.resolveAll(SESSION)],
    ["the failure", "refused", (waiters: ConnectWaiters) => waiters.rejectAll("refused" as never)],
  ] as const,
)("every wait ends with %s, and an abort after it changes nothing", async (_, expected, end) => {
  const { waiters, add, abandoned } = waiting();
  const abort = new AbortController();
  const results = [add(), add(abort.signal)];
  end(waiters);
  abort.abort();
  expect(await Promise.all(results)).toEqual([expected, expected]);
  const later = add();
  waiters.rejectAll("later" as never);
  expect(await later as unknown).toBe("later");
  expect(abandoned()).toBe(0);
});

test("a wait that has ended listens to its call no more", async () => {
  const { waiters, add } = waiting();
  const listening = new Set<unknown>();
  const signal = {
    addEventListener: (_: string, run: unknown) => listening.add(run),
    removeEventListener: (_: string, run: unknown) => listening.delete(run),
  } as never;
  const result = add(signal);
  expect(listening.size).toBe(1);
  waiters.resolveAll(SESSION);
  await result;
  expect(listening.size).toBe(0);
});
