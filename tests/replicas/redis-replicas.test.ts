// What a call waits for among replicas, and what a replica does between calls, on a clock that only the test moves. Each
// outcome is that of one call: nothing is tried again.

import { afterEach, beforeEach, describe, expect, jest, spyOn, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import type { SharedCall } from "../../core/tools/replicas.ts";
import { BEAT_MS } from "../../replicas/group/group.ts";
import { RedisReplicas } from "../../replicas/redis-replicas.ts";
import { isSettled } from "../support/still-clock.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const CHANGE: SharedCall = { annotations: {}, requires: { connection: "write" } } as SharedCall;
const CANCEL = { ...CHANGE, allowedWhenFrozen: true } as SharedCall;
const MARKET_READ = { annotations: { readOnlyHint: true }, requires: { connection: "read" } } as SharedCall;
const OTHER_READ = { annotations: { readOnlyHint: true } } as SharedCall;

type Held = PromiseWithResolvers<number>;

/** A replica whose Redis and group answer when the test says so. */
function replica({ isUp = true }: { readonly isUp?: boolean } = {}) {
  const steps: string[] = [];
  const held = { reads: [] as Held[], beats: [] as Held[], catches: [] as Held[], follows: [] as Held[] };
  const ask = (what: keyof typeof held) => () => {
    const answer = Promise.withResolvers<number>();
    held[what].push(answer);
    steps.push(what);
    return answer.promise;
  };
  const listeners = new Set<() => void>();
  const link = {
    ...{ isUp, shownAddress: "redis://r", since: 0, lastError: null, close: () => void steps.push("closed") },
    onUp: (listener: () => void) => {
      listeners.add(listener);
      if (isUp) listener();
      return () => void listeners.delete(listener);
    },
  };
  const leaving = { leave: (): Promise<void> => Promise.resolve(void steps.push("left")) };
  const group = { read: ask("reads"), beat: ask("beats"), leave: () => leaving.leave(), killSwitch: { known: null } };
  const follower = {
    ...{ isAsDesired: true, failure: null as string | null, followedVersion: 1 },
    ...{ follow: ask("follows"), close: () => Promise.resolve() },
    connectByDefault: (user: string) => void steps.push(`by default ${user}`),
  };
  const limits: number[] = [];
  const catchUp = (limitMs: number) => (limits.push(limitMs), ask("catches")());
  const eventLog = { catchUp, close: () => Promise.resolve(), sequence: 1 };
  const parts = { link, keys: {}, namespace: "mkt", group, membership: { eventLog, follower }, log: logger("test") };
  const replicas = new RedisReplicas(parts as never);
  /** Redis answers the oldest question of this kind. */
  const answer = async (what: keyof typeof held, error?: Error) => {
    const first = held[what].shift()!;
    if (error === undefined) first.resolve(1);
    else first.reject(error);
    await isSettled(new Promise(() => {}));
  };
  const started = async () => {
    await answer("beats");
    await answer("reads");
    steps.length = 0;
  };
  const begin = (call: SharedCall) => replicas.begin(call, new AbortController().signal);
  return { replicas, steps, held, answer, started, begin, follower, listeners, link, leaving, limits };
}

const codeOf = (call: Promise<void>) => call.then(() => "begun", (error: { code: string }) => error.code);

describe("a call", () => {
  test("waits for the first reading of what is shared, and no longer than the start may take", async () => {
    const { begin, started, answer } = replica();
    const early = begin(CHANGE);
    expect(await isSettled(early)).toBe(false);
    await started();
    await answer("catches");
    await answer("reads");
    expect(await isSettled(early)).toBe(true);
    const without = replica({ isUp: false });
    const late = codeOf(without.begin(CHANGE));
    jest.advanceTimersByTime(1_499);
    await isSettled(late);
    expect(without.steps).toEqual([]);
    jest.advanceTimersByTime(1);
    await isSettled(late);
    expect(without.steps).toEqual(["catches", "reads"]);
  });

  test("that only reads asks nothing, unless it reads from the market", async () => {
    const { begin, started, steps } = replica();
    await started();
    expect(await isSettled(begin(OTHER_READ))).toBe(true);
    expect(steps).toEqual([]);
    expect(await isSettled(begin(MARKET_READ))).toBe(false);
    expect(steps).toEqual(["catches", "reads"]);
  });

  test("that only reads, and reports on the connection, is up to date as well", async () => {
    const { begin, started, steps, limits } = replica();
    await started();
    const reports = { ...OTHER_READ, reportsConnection: true } as SharedCall;
    expect(await isSettled(begin(reports))).toBe(false);
    expect([steps, limits]).toEqual([["catches", "reads"], [1_000]]);
  });

  test("whose client has gone asks nothing, and waits no longer", async () => {
    const { replicas, started, steps } = replica();
    await started();
    const codes = (signal: AbortSignal) => replicas.begin(CHANGE, signal).catch((error: Error) => error.message);
    expect(await codes(AbortSignal.abort(new Error("gone")))).toBe("gone");
    expect(steps).toEqual([]);
    const client = new AbortController();
    const waiting = codes(client.signal);
    expect(await isSettled(waiting)).toBe(false);
    client.abort(new Error("gone, too"));
    expect([await isSettled(waiting), await waiting]).toEqual([true, "gone, too"]);
  });

  test("waits for both the shared state and the events", async () => {
    for (const order of [["reads", "catches"], ["catches", "reads"]] as const) {
      const { begin, started, answer } = replica();
      await started();
      const begun = begin(CHANGE);
      for (const what of order) {
        expect(await isSettled(begun)).toBe(false);
        await answer(what);
      }
      expect(await isSettled(begun)).toBe(true);
    }
  });

  test("waits until this replica is as the group wants it, then for the events of the new connection", async () => {
    const { begin, started, answer, follower, steps } = replica();
    await started();
    follower.isAsDesired = false;
    const begun = begin(CHANGE);
    for (const what of ["catches", "reads", "follows", "catches"] as const) {
      expect(await isSettled(begun)).toBe(false);
      await answer(what);
    }
    expect(await isSettled(begun)).toBe(true);
    expect(steps).toEqual(["catches", "reads", "follows", "catches"]);
  });

  test("does not wait for a group's wish that failed, and at most five seconds for one under way", async () => {
    const { begin, started, answer, follower } = replica();
    await started();
    Object.assign(follower, { isAsDesired: false, failure: "refused" });
    const failed = begin(CHANGE);
    await answer("catches");
    await answer("reads");
    expect(await isSettled(failed)).toBe(true);
    follower.failure = null;
    const waiting = begin({ ...CHANGE, requires: undefined } as never);
    await answer("reads");
    expect(await isSettled(waiting)).toBe(false);
    jest.advanceTimersByTime(5_000);
    expect(await isSettled(waiting)).toBe(true);
  });

  test("that may be frozen is refused if the kill switch can't be read; one that ends risk goes on", async () => {
    for (
      const [call, outcome] of [[CHANGE, "backend_unavailable"], [CANCEL, "begun"], [MARKET_READ, "begun"]] as const
    ) {
      const { begin, started, answer } = replica();
      await started();
      const code = codeOf(begin(call));
      await answer("reads", new Error("away"));
      await answer("catches");
      expect(await code).toBe(outcome);
    }
  });

  test("that may be frozen is refused if Redis takes no writes, because nobody could freeze it", async () => {
    for (const [call, outcome] of [[CHANGE, "backend_unavailable"], [CANCEL, "begun"]] as const) {
      const { begin, started, answer } = replica();
      await started();
      jest.advanceTimersByTime(BEAT_MS);
      await answer("beats", new Error("OOM"));
      await answer("reads");
      const code = codeOf(begin(call));
      await answer("reads");
      await answer("catches");
      expect(await code).toBe(outcome);
    }
  });
});

describe("a replica between calls", () => {
  test("beats once in a period, and not while a beat is under way", async () => {
    const { started, answer, steps } = replica();
    await started();
    for (let beat = 0; beat < 3; beat += 1) {
      jest.advanceTimersByTime(BEAT_MS - 1);
      expect(steps).toEqual([]);
      jest.advanceTimersByTime(1);
      expect(steps.splice(0)).toEqual(["beats", "reads"]);
      jest.advanceTimersByTime(3 * BEAT_MS);
      expect(steps).toEqual([]);
      if (beat === 1) await answer("beats", new Error("OOM"));
      else await answer("beats");
      await answer("reads");
    }
  });

  test("follows the group's wish at each beat, also without Redis", () => {
    const { follower, steps } = replica({ isUp: false });
    follower.isAsDesired = false;
    jest.advanceTimersByTime(2 * BEAT_MS);
    expect(steps).toEqual(["follows", "follows"]);
  });

  test("leaves no timer and no listener when it is closed", async () => {
    const { replicas, started, listeners, steps } = replica();
    await started();
    expect([jest.getTimerCount(), listeners.size]).toEqual([1, 1]);
    await replicas.close();
    expect([jest.getTimerCount(), listeners.size, steps]).toEqual([0, 0, ["left", "closed"]]);
  });

  test("leaves its group for half a second at most, and not without Redis", async () => {
    const { replicas, started, leaving, steps } = replica();
    await started();
    leaving.leave = () => new Promise(() => {});
    const closed = replicas.close();
    await isSettled(closed);
    jest.advanceTimersByTime(499);
    expect([await isSettled(closed), steps]).toEqual([false, []]);
    jest.advanceTimersByTime(1);
    expect([await isSettled(closed), steps]).toEqual([true, ["closed"]]);
    const without = replica({ isUp: false });
    await without.replicas.close();
    expect(without.steps).toEqual(["closed"]);
  });

  test("waits at its start for the first attempt to connect, and two seconds at most", async () => {
    for (const end of ["attempt", "limit"]) {
      const { replicas, answer, follower, steps, held } = replica();
      follower.isAsDesired = false;
      const start = replicas.start("anna");
      expect(await isSettled(start)).toBe(false);
      await answer("beats");
      await answer("reads");
      // The beat follows, too.
      expect(steps.toSorted()).toEqual(["beats", "by default anna", "follows", "follows", "reads"]);
      jest.advanceTimersByTime(1_999);
      expect(await isSettled(start)).toBe(false);
      if (end === "attempt") { for (const { resolve } of held.follows) resolve(1); }
      else jest.advanceTimersByTime(1);
      expect(await isSettled(start)).toBe(true);
    }
  });

  test("tells whether Redis can be used, since when, and why not", async () => {
    const clock = spyOn(Date, "now").mockReturnValue(1_000);
    try {
      const { replicas, link, answer } = replica();
      const beat = async (time: number, error?: Error) => {
        clock.mockReturnValue(time);
        await answer("beats", error);
        await answer("reads");
        jest.advanceTimersByTime(BEAT_MS);
        const { status, since, replicas: running, logSequence, lastError } = replicas.facts() as Record<
          string,
          unknown
        >;
        return [status, Date.parse(String(since)), running, logSequence, lastError];
      };
      expect(replicas.facts()).toMatchObject({ url: "redis://r", namespace: "mkt", replicas: null });
      link.since = 500;
      expect(await beat(2_000)).toEqual(["connected", 500, 1, 1, null]);
      expect(await beat(3_000, new Error("OOM"))).toEqual(["unavailable", 3_000, null, null, "OOM"]);
      expect(await beat(4_000, new Error("MISCONF"))).toEqual(["unavailable", 3_000, null, null, "MISCONF"]);
      expect(await beat(5_000)).toEqual(["connected", 5_000, 1, 1, null]);
      Object.assign(link, { isUp: false, since: 6_000, lastError: "cut" });
      expect(replicas.facts()).toMatchObject({ status: "unavailable", replicas: null, logSequence: null });
      expect(replicas.facts()).toMatchObject({ since: new Date(6_000).toISOString(), lastError: "cut" });
    } finally {
      clock.mockRestore();
    }
  });
});
