// What a follower does with calls that connect and disconnect, and with attempts that they overtake. Each wait ends when the
// test says so.

import { expect, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import { NEUTRAL_ADVICE } from "../../core/advice.ts";
import { desiredUserText } from "../../replicas/group/desired-user.ts";
import { Follower, type FollowerOptions } from "../../replicas/follower.ts";
import { isSettled } from "../support/still-clock.ts";

interface Attempt extends PromiseWithResolvers<object> {
  readonly userId: string;
  readonly signal: AbortSignal | undefined;
}

/** A follower in a group that wants this user, or nobody, from version 1 on; undefined: nobody has ever wanted one. */
function following(userId?: string | null, { isUp = true } = {}) {
  const attempts: Attempt[] = [];
  const shares: [version: number, text: string][] = [];
  const ends: string[] = [];
  const connection = { userId: null as string | null };
  const reads = { next: Promise.resolve() as Promise<void> };
  /** What Redis does with a connection that it is told of. */
  const redis = {
    share: (version: number, text: string): void => {
      if ((desired.known?.version ?? 0) <= version) want(text, version + 1);
    },
  };
  const desired = {
    known: null as { version: number; value: string } | null,
    changeFrom: (version: number, text: string) => {
      shares.push([version, text]);
      try {
        return Promise.resolve(redis.share(version, text));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    change: (text: string) => {
      want(text);
      return Promise.resolve(desired.known!);
    },
  };
  const want = (value: string, version = (desired.known?.version ?? 0) + 1) =>
    void (desired.known = { version, value });
  const connect = (wanted: string, signal?: AbortSignal) => {
    const attempt = { ...Promise.withResolvers<object>(), userId: wanted, signal };
    attempts.push(attempt);
    return attempt.promise;
  };
  const client = {
    facts: () => ({ ...connection, status: connection.userId === null ? "disconnected" : "connected" }),
    allows: () => false,
    disconnect: () => {
      ends.push(connection.userId ?? "nobody");
      return Promise.resolve(void (connection.userId = null));
    },
  };
  const link = { isUp };
  const group = { desired, read: () => reads.next };
  const parts = { client, connect, link, group, eventLog: {}, advice: NEUTRAL_ADVICE, log: logger("test") };
  const follower = new Follower(parts as unknown as FollowerOptions);
  if (userId !== undefined) want(desiredUserText(userId));
  /** The oldest attempt connects, or fails. */
  const answer = async (error?: Error) => {
    const { userId, resolve, reject } = attempts.shift()!;
    if (error !== undefined) reject(error);
    else {
      connection.userId = userId;
      resolve({});
    }
    await turns();
  };
  return {
    ...{ follower, attempts, shares, ends, connection, reads, redis, link, answer },
    wanted: () => desired.known,
    want: (user: string | null) => want(desiredUserText(user)),
  };
}

const turns = () => isSettled(new Promise(() => {}));
const codeOf = (call: Promise<unknown>) =>
  call.then(() => "done", (error: { code?: string; message: string }) => error.code ?? error.message);

test("a newer wish for the same user is followed without another connection, and told to the others", async () => {
  const { follower, attempts, answer, want } = following("anna");
  const reached = follower.follow();
  await turns();
  await answer();
  await reached;
  expect([follower.isAsDesired, follower.followedVersion]).toEqual([true, 1]);
  want("anna");
  expect([follower.isAsDesired, follower.followedVersion]).toEqual([false, 1]);
  await follower.follow();
  expect([follower.isAsDesired, follower.followedVersion, attempts.length]).toEqual([true, 2, 0]);
});

test("while a call connects nothing else does, until another state is wanted", async () => {
  const { follower, attempts, ends, connection, want, answer } = following("anna");
  const call = codeOf(follower.connect("anna"));
  await turns();
  await follower.follow();
  expect(attempts.length).toBe(1);
  connection.userId = "anna";
  want(null);
  await follower.follow();
  expect([ends, follower.followedVersion]).toEqual([["anna"], 2]);
  await answer();
  expect(await call).toBe("not_connected");
});

test("an attempt for an older wish is given up, and has ended before the next one begins", async () => {
  const { follower, attempts, want, answer } = following("anna");
  const first = follower.follow();
  await turns();
  expect([follower.follow() === first, attempts.length]).toEqual([true, 1]);
  want("bob");
  const second = follower.follow();
  await turns();
  expect([attempts.length, attempts[0]?.signal?.aborted]).toEqual([1, true]);
  await answer(new Error("given up"));
  expect(attempts.map(({ userId }) => userId)).toEqual(["bob"]);
  await answer();
  await Promise.all([first, second]);
  expect([follower.isAsDesired, follower.failure]).toEqual([true, null]);
});

test("a disconnect ends the attempt that is under way", async () => {
  const { follower, attempts, ends, wanted, answer } = following("anna");
  const attempt = follower.follow();
  await turns();
  expect(await follower.disconnect()).toBe(2);
  expect([attempts[0]?.signal?.aborted, ends.length, wanted()?.value]).toEqual([true, 1, "null"]);
  await answer(new Error("given up"));
  await attempt;
  expect([follower.isAsDesired, follower.isWanted, follower.failure]).toEqual([true, false, null]);
});

test("a failure is told as long as its wish is the newest and was not reached", async () => {
  const { follower, answer, want } = following("anna");
  const attempt = follower.follow();
  await turns();
  await answer(new Error("nothing there"));
  await attempt;
  expect([follower.failure, follower.isAsDesired]).toEqual(["nothing there", false]);
  want("anna");
  expect(follower.failure).toBeNull();
  const again = follower.follow();
  await turns();
  await answer(new Error("still nothing"));
  await again;
  expect(follower.failure).toBe("still nothing");
  // A call connects during the pause.
  const call = codeOf(follower.connect("anna"));
  await turns();
  await answer();
  expect([await call, follower.isAsDesired]).toEqual(["done", true]);
  want(null);
  await follower.follow();
  expect(follower.failure).toBeNull();
});

test.each<[string, string | null | undefined, number]>([
  ["nobody has ever wanted one", undefined, 0],
  ["nobody is wanted", null, 1],
  ["the same user is wanted", "anna", 1],
])("a call that connects tells the group if %s", async (_when, wanted, version) => {
  const { follower, shares, answer } = following(wanted);
  const call = codeOf(follower.connect("anna"));
  await turns();
  await answer();
  expect(await call).toBe("done");
  expect(shares).toEqual([[version, desiredUserText("anna")]]);
  expect([follower.isAsDesired, follower.isWanted]).toEqual([true, true]);
});

test.each<[string | null, string]>([["bob", "already_connected"], [null, "not_connected"]])(
  "a call that connects while the group has come to want %p ends its connection, as %s",
  async (other, code) => {
    const { follower, ends, redis, want, answer } = following();
    redis.share = () => want(other);
    const call = codeOf(follower.connect("anna"));
    await turns();
    await answer();
    expect([await call, ends, follower.isAsDesired]).toEqual([code, ["anna"], other === null]);
  },
);

test("a call for another user than the group wants connects nobody", async () => {
  const { follower, attempts } = following("bob");
  expect([await codeOf(follower.connect("anna")), attempts.length]).toEqual(["already_connected", 0]);
});

test("a connection that Redis was not told of is told later, or is forgotten by a disconnect", async () => {
  const { follower, shares, redis, link, answer } = following();
  const { share } = redis;
  redis.share = () => {
    throw new Error("away");
  };
  for (const ending of ["told", "disconnected"]) {
    const call = codeOf(follower.connect("anna"));
    await turns();
    await answer();
    expect([await call, follower.isWanted, follower.isAsDesired]).toEqual(["done", true, false]);
    if (ending === "told") {
      link.isUp = false;
      await follower.follow();
      expect([shares.length, follower.isAsDesired]).toEqual([1, false]);
      link.isUp = true;
      await follower.follow();
      expect([shares.length, follower.isAsDesired]).toEqual([2, false]);
      redis.share = share;
      await follower.follow();
      redis.share = () => {
        throw new Error("away");
      };
      expect([shares.length, follower.isAsDesired, follower.isWanted]).toEqual([3, true, true]);
      await follower.disconnect();
    } else {
      await follower.disconnect();
      expect([follower.isAsDesired, follower.isWanted]).toEqual([true, false]);
      await follower.follow();
      expect(shares.length).toBe(4);
    }
  }
});

test("an automatic connection is told to the group, and gives way to what it wants by then", async () => {
  for (const other of [undefined, "bob"]) {
    const { follower, shares, want, answer } = following();
    follower.connectByDefault("anna");
    expect([follower.isWanted, follower.isAsDesired]).toEqual([true, false]);
    const attempt = follower.follow();
    await turns();
    if (other !== undefined) want(other);
    await answer();
    await attempt;
    expect(shares).toEqual(other === undefined ? [[0, desiredUserText("anna")]] : []);
    expect(follower.isAsDesired).toBe(other === undefined);
  }
});

test("a caller that goes away while the wish is read waits no longer", async () => {
  const { follower, reads, attempts } = following("anna");
  reads.next = new Promise(() => {});
  const caller = new AbortController();
  const call = codeOf(follower.connect("anna", caller.signal));
  await turns();
  caller.abort(new Error("gone"));
  expect([await isSettled(call), attempts.length]).toEqual([true, 0]);
  expect(await call).toBe("gone");
});

test("a follower that is closed ends its own connection, and follows no more", async () => {
  const { follower, attempts, ends, shares, wanted } = following("anna");
  const attempt = follower.follow();
  await turns();
  await follower.close();
  expect([attempts[0]?.signal?.aborted, ends.length]).toEqual([true, 1]);
  attempts.shift()!.reject(new Error("given up"));
  await attempt;
  await follower.follow();
  expect([attempts.length, shares, wanted()?.version]).toEqual([0, [], 1]);
});
