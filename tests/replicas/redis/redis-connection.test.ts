// How a connection to Redis begins and ends, and how long it waits for an answer, with a client of which a test says what it
// meets. bun-redis-link.test.ts has a real Redis.

import { afterEach, beforeEach, expect, jest, mock, spyOn, test } from "bun:test";
import { RedisClient } from "bun";
import { RedisConnection } from "../../../replicas/redis/redis-connection.ts";
import { RedisUnavailable } from "../../../replicas/redis/redis-link.ts";
import { isSettled } from "../../support/still-clock.ts";

const LIMIT_MS = 1_000;
const PRIMARY = { mode: "standalone", role: "master", version: "7.2.0" };

let sent: { readonly words: string[]; readonly reply: PromiseWithResolvers<unknown> }[];
let closes: number;
let client: RedisClient;
/** What Redis says of itself, and whether the connection still holds then. */
let hello: object;
let isConnected: boolean;
let now: number;
beforeEach(() => {
  jest.useFakeTimers();
  [sent, closes, hello, isConnected, now] = [[], 0, PRIMARY, true, 0];
  spyOn(performance, "now").mockImplementation(() => now);
  spyOn(RedisClient.prototype, "connect").mockImplementation(function (this: RedisClient) {
    client = this;
    Object.defineProperty(this, "connected", { value: isConnected });
    return Promise.resolve(hello as never);
  });
  spyOn(RedisClient.prototype, "send").mockImplementation((command, args) => {
    const reply = Promise.withResolvers<unknown>();
    sent.push({ words: [command, ...args], reply });
    return reply.promise as never;
  });
  spyOn(RedisClient.prototype, "close").mockImplementation(() => void (closes += 1));
});
afterEach(() => {
  mock.restore();
  jest.useRealTimers();
});

function pass(milliseconds: number): void {
  now += milliseconds;
  jest.advanceTimersByTime(milliseconds);
}

function opening() {
  const ends: string[] = [];
  const options = { url: "redis://127.0.0.1:1", commandLimitMs: LIMIT_MS, ended: (why: string) => void ends.push(why) };
  return { ends, opened: RedisConnection.open(options) };
}

async function open() {
  const { ends, opened } = opening();
  await isSettled(opened);
  sent[0]!.reply.resolve("PONG");
  return { ends, connection: await opened };
}

const failureOf = (promise: Promise<unknown>) => promise.then(() => expect.unreachable(), (error: Error) => error);

test("it is open once Redis has answered a ping, and not before", async () => {
  const { opened } = opening();
  expect([await isSettled(opened), sent.map(({ words }) => words)]).toEqual([false, [["PING"]]]);
  sent[0]!.reply.resolve("PONG");
  expect([await isSettled(opened), closes]).toEqual([true, 0]);
});

test("a ping without an answer ends the attempt after the limit of a command, with its client", async () => {
  const { opened } = opening();
  const failed = failureOf(opened);
  await isSettled(opened);
  pass(LIMIT_MS - 1);
  expect(await isSettled(opened)).toBeFalse();
  pass(1);
  expect([(await failed).message, closes]).toEqual(["Redis did not answer PING within 1000 ms", 1]);
});

test.each([
  [{ ...PRIMARY, mode: "cluster" }, "Redis Cluster"],
  [{ ...PRIMARY, role: "replica" }, "read-only copy"],
  [{ ...PRIMARY, version: "6.0.16" }, "at least 6.2"],
])("a server that says %j is refused, and its client is closed", async (said, reason) => {
  hello = said;
  const failed = failureOf(opening().opened);
  await isSettled(failed);
  sent[0]!.reply.resolve("PONG");
  expect([(await failed).message, closes]).toEqual([expect.stringContaining(reason), 1]);
});

test("a connection that closes during the ping is refused", async () => {
  isConnected = false;
  const failed = failureOf(opening().opened);
  await isSettled(failed);
  sent[0]!.reply.resolve("PONG");
  expect([(await failed).message, closes]).toEqual(["the connection was closed", 1]);
});

test("commands go out as they are, and each gets its own reply, which ends its time", async () => {
  const { connection, ends } = await open();
  const [one, two] = [connection.send("GET", ["a"]), connection.send("SET", ["b", "c"])];
  expect(sent.slice(1).map(({ words }) => words)).toEqual([["GET", "a"], ["SET", "b", "c"]]);
  sent[2]!.reply.resolve("OK");
  sent[1]!.reply.resolve(null);
  expect([await one, await two]).toEqual([null, "OK"]);
  pass(10 * LIMIT_MS);
  expect([ends, closes]).toEqual([[], 0]);
});

test("a command without an answer ends the connection after its limit and a moment, and may still be carried out", async () => {
  const { connection, ends } = await open();
  const failed = failureOf(connection.send("GET", ["a"]));
  pass(LIMIT_MS);
  pass(19);
  expect([await isSettled(failed), ends]).toEqual([false, []]);
  pass(1);
  const error = await failed;
  expect(error).toBeInstanceOf(RedisUnavailable);
  expect(error.message).toBe("Redis did not answer GET within 1000 ms; it may still carry it out");
  expect([ends, closes]).toEqual([["Redis did not answer GET within 1000 ms"], 1]);
});

test("a reply that arrives in the moment after the limit counts", async () => {
  const { connection, ends } = await open();
  const answer = connection.send("GET", ["a"]);
  pass(LIMIT_MS);
  pass(10);
  sent[1]!.reply.resolve("late");
  expect(await answer).toBe("late");
  pass(LIMIT_MS);
  expect(ends).toEqual([]);
});

test("a refusal of a command is passed on, without the place in its script, and the connection stays", async () => {
  const { connection, ends } = await open();
  const failed = failureOf(connection.send("EVALSHA", []));
  sent[1]!.reply.reject(new Error(`WRONGTYPE odd script: ${"a".repeat(40)}, on @user_script:7.`));
  const error = await failed;
  expect([error.message, error instanceof RedisUnavailable, ends]).toEqual(["WRONGTYPE odd", false, []]);
});

test.each(["LOADING", "READONLY", "MASTERDOWN", "NOAUTH", "WRONGPASS", "UNKILLABLE", "BUSY"])(
  "a server that answers %s can't be used, and its connection ends",
  async (code) => {
    const { connection, ends } = await open();
    const failed = failureOf(connection.send("GET", ["a"]));
    sent[1]!.reply.reject(new Error(`${code} odd`));
    const error = await failed;
    expect([error instanceof RedisUnavailable, error.message]).toEqual([true, `Redis can't be used now: ${code} odd`]);
    expect([ends, closes]).toEqual([[`${code} odd`], 1]);
  },
);

test("a command that the connection was lost for may still be carried out, and the end is told once", async () => {
  const { connection, ends } = await open();
  const failed = [failureOf(connection.send("GET", ["a"])), failureOf(connection.send("SET", ["b", "c"]))];
  const lost = Object.assign(new Error("odd"), { code: "ERR_REDIS_CONNECTION_CLOSED" });
  for (const { reply } of sent.slice(1)) reply.reject(lost);
  const [one, two] = await Promise.all(failed);
  const text = (command: string) =>
    `The connection to Redis was lost before it answered ${command}; it may still carry it out`;
  expect([one!.message, two!.message]).toEqual([text("GET"), text("SET")]);
  client.onclose?.(lost);
  connection.end("again");
  expect([ends, closes]).toEqual([["the connection was closed"], 1]);
});

test("a connection that closes by itself, or is ended, tells why", async () => {
  const { ends } = await open();
  client.onclose?.(new Error("odd"));
  expect([ends, closes]).toEqual([["the connection was closed"], 1]);
  sent.length = 0;
  const other = await open();
  other.connection.end("enough");
  expect([other.ends, closes]).toEqual([["enough"], 2]);
  // Whatever then fails is no refusal of Redis.
  const failed = failureOf(other.connection.send("GET", ["a"]));
  sent[1]!.reply.reject(new Error("ERR odd"));
  expect(await failed).toBeInstanceOf(RedisUnavailable);
});
