// Calls that wait for a connection, and what ends each wait.

import { describe, expect, test } from "bun:test";
import { ConnectWaiters } from "../../../core/backend/connect-waiters.ts";
import type { Session } from "../../../core/backend/pubsub.ts";

const SESSION = { userId: "anna" } as Session;

function waiters() {
  let abandoned = 0;
  return { waiters: new ConnectWaiters(() => void (abandoned += 1)), abandoned: () => abandoned };
}

const failureOf = (promise: Promise<unknown>) => promise.then(() => "none", (error: Error) => error.message);

describe("calls that wait for a connection", () => {
  test("all end when it is established, or when it fails", async () => {
    const { waiters: some } = waiters();
    const [one, other] = [some.add(undefined), some.add(undefined)];
    some.resolveAll(SESSION);
    expect(await Promise.all([one, other])).toEqual([SESSION, SESSION]);
    const third = some.add(undefined);
    some.rejectAll(new Error("refused"));
    expect(await failureOf(third)).toBe("refused");
  });

  test("end when they are aborted; the last abort reports that nobody waits", async () => {
    const { waiters: some, abandoned } = waiters();
    const [one, other] = [new AbortController(), new AbortController()];
    const [first, second] = [some.add(one.signal), some.add(other.signal)];
    one.abort(new Error("gone"));
    expect([await failureOf(first), abandoned()]).toEqual(["gone", 0]);
    other.abort(new Error("gone too"));
    expect([await failureOf(second), abandoned()]).toEqual(["gone too", 1]);
  });

  test.each([
    ["it is established", (some: ConnectWaiters) => some.resolveAll(SESSION)],
    ["it failed", (some: ConnectWaiters) => some.rejectAll(new Error("refused"))],
  ])("report nothing if they are aborted after %s", async (_when, end) => {
    const { waiters: some, abandoned } = waiters();
    const abort = new AbortController();
    const waiting = failureOf(some.add(abort.signal));
    end(some);
    await waiting;
    abort.abort();
    expect(abandoned()).toBe(0);
  });
});
