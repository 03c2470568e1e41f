// How long a disconnect waits for the other replicas, and what it then says of them, on a clock that only the test moves.

import { afterEach, beforeEach, expect, jest, mock, spyOn, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import type { ConnectionFacts, Followers } from "../../core/backend/pubsub.ts";
import { SharedPubSub } from "../../replicas/shared-pubsub.ts";
import { factsOf } from "../core/support/services.ts";
import { isSettled } from "../support/still-clock.ts";

let now = 0;
beforeEach(() => {
  jest.useFakeTimers();
  now = 0;
  spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  jest.useRealTimers();
  mock.restore();
});

interface Given {
  /** What each question about the other replicas finds; the last one is repeated. */
  readonly looks?: readonly (Followers | Error)[];
  readonly facts?: ConnectionFacts;
  readonly failure?: string | null;
  readonly refused?: Error;
}

function connection({ looks = [], facts = factsOf("connected", null), failure = null, refused }: Given = {}) {
  const asked: number[] = [];
  const followers = (version: number) => {
    const found = looks[Math.min(asked.push(version), looks.length) - 1]!;
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  const disconnect = () => refused === undefined ? Promise.resolve(7) : Promise.reject(refused);
  const parts = { client: { facts: () => facts }, group: { followers }, follower: { failure, disconnect } };
  return { pubsub: new SharedPubSub({ ...parts, log: logger("test") } as never), asked };
}

/** The result, once it is there, and after how many milliseconds. */
async function outcome(disconnecting: Promise<Followers>): Promise<readonly [Followers, number]> {
  for (; !await isSettled(disconnecting); now += 50) jest.advanceTimersByTime(now > 60_000 ? expect.unreachable() : 50);
  return [await disconnecting, now];
}

const of = (others: number, followed: number): Followers => ({ others, followed });

test.each<[string, readonly (Followers | Error)[], Followers, readonly [least: number, most: number]]>([
  ["at once if there is no other replica", [of(0, 0)], of(0, 0), [0, 0]],
  ["at once if all others have followed", [of(3, 3)], of(3, 3), [0, 0]],
  ["when the last of them has followed", [of(2, 0), of(2, 1), of(2, 2)], of(2, 2), [100, 150]],
  ["when those that are left have followed", [of(2, 1), of(1, 1)], of(1, 1), [50, 100]],
  ["after two seconds while one does not follow", [of(2, 1)], of(2, 1), [2_000, 2_200]],
  ["with what is known if Redis goes away", [of(2, 1), new Error("gone")], of(2, 1), [50, 100]],
  ["without others if Redis is away at once", [new Error("gone")], of(0, 0), [0, 0]],
])("a disconnect ends %s", async (_when, looks, expected, [least, most]) => {
  const { pubsub, asked } = connection({ looks });
  const [followers, after] = await outcome(pubsub.disconnect());
  expect(followers).toEqual(expected);
  expect(after).toBeWithin(least, most + 1);
  expect(new Set(asked)).toEqual(new Set([7]));
});

test("a disconnect that Redis does not confirm is refused, and asks for no other replica", async () => {
  const { pubsub, asked } = connection({ refused: new Error("no answer") });
  expect(await pubsub.disconnect().catch((error: unknown) => error)).toMatchObject({
    code: "backend_unavailable",
    message: expect.stringContaining("no answer"),
  });
  expect(asked).toEqual([]);
});

test.each<[string, Partial<ConnectionFacts>, string | null, string | null]>([
  [
    "why it could not follow, if nothing else is known",
    {},
    "forbidden",
    "as the other replicas of this server: forbidden",
  ],
  ["its own error first", { lastError: "cut off" }, "forbidden", "cut off"],
  ["nothing while it is connected", { status: "connected" }, "forbidden", null],
  ["nothing if nothing failed", {}, null, null],
])("a replica tells %s", (_what, known, failure, expected) => {
  const facts = { ...factsOf("disconnected", null), ...known };
  const { lastError } = connection({ facts, failure }).pubsub.facts();
  if (expected === null) expect(lastError).toBeNull();
  else expect(lastError).toEndWith(expected);
});
