// The state of a follower of its own: what ends a pause, and that nothing of a call is left. What several replicas do with each
// other on a real Redis is in group/desired-user.test.ts.

import { afterEach, beforeEach, expect, mock, spyOn, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import { desiredUserText } from "../../replicas/group/desired-user.ts";
import { Follower, type FollowerOptions } from "../../replicas/follower.ts";

let now = 0;
beforeEach(() => void spyOn(performance, "now").mockImplementation(() => now));
afterEach(() => mock.restore());

/** A follower whose connects fail as long as `engine.fails`, in a group that wants `userId` from version 1 on. */
function followerOf(userId: string) {
  now = 0;
  const engine = { fails: false, attempts: 0, userId: null as string | null };
  const desired = { known: { version: 1, value: desiredUserText(userId) }, changeFrom: () => Promise.resolve() };
  const connect = (wanted: string) => {
    engine.attempts += 1;
    if (engine.fails) return Promise.reject(new Error("nothing there"));
    engine.userId = wanted;
    return Promise.resolve({});
  };
  const disconnect = () => Promise.resolve(void (engine.userId = null));
  const client = {
    facts: () => ({ userId: engine.userId, status: engine.userId === null ? "disconnected" : "connected" }),
    allows: () => false,
    disconnect,
  };
  const group = { desired, read: () => Promise.resolve() };
  const options = { client, connect, link: { isUp: true }, group, eventLog: {}, advice: {}, log: logger("test") };
  const follower = new Follower(options as unknown as FollowerOptions);
  /** Another desired state, which is the same user again. */
  const wantAgain = () => void (desired.known = { ...desired.known, version: desired.known.version + 1 });
  return { follower, engine, disconnect, wantAgain };
}

test("the pause after a failure is short again once the desired state was reached", async () => {
  const { follower, engine, disconnect, wantAgain } = followerOf("anna");
  engine.fails = true;
  for (let failure = 0; failure < 6; failure++, wantAgain()) await follower.follow();
  engine.fails = false;
  await follower.follow();
  expect([engine.userId, follower.failure]).toEqual(["anna", null]);

  await disconnect();
  wantAgain();
  engine.fails = true;
  await follower.follow();
  const { attempts } = engine;
  now += 200;
  await follower.follow();
  expect(engine.attempts).toBe(attempts);
  now += 300;
  await follower.follow();
  expect(engine.attempts).toBe(attempts + 1);
});

test("once a call that connects has failed, the follower connects", async () => {
  const { follower, engine } = followerOf("anna");
  engine.fails = true;
  expect(await follower.connect("anna").then(() => "connected", () => "failed")).toBe("failed");
  engine.fails = false;
  await follower.follow();
  expect([engine.userId, follower.isAsDesired]).toEqual(["anna", true]);
});

test("a wish that is reached at last has no failure any more", async () => {
  const { follower, engine } = followerOf("anna");
  engine.fails = true;
  await follower.follow();
  expect(follower.failure).toBe("nothing there");
  engine.fails = false;
  now += 500;
  await follower.follow();
  expect([engine.userId, follower.failure]).toEqual(["anna", null]);
});
