import { describe, expect, jest, spyOn, test } from "bun:test";
import { join } from "node:path";
import { logger } from "../../../common/logger.ts";
import { BunRedisLink, type LinkOptions } from "../../../replicas/redis/bun-redis-link.ts";
import { RedisConnection } from "../../../replicas/redis/redis-connection.ts";
import { RedisUnavailable } from "../../../replicas/redis/redis-link.ts";
import { atEnd } from "../../support/at-end.ts";
import { freePort } from "../../support/free-port.ts";
import { startProcess } from "../../support/processes.ts";
import { findRedisServer, type RedisServer, startRedisServer } from "../../support/redis-server.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { isSettled } from "../../support/still-clock.ts";
import { until } from "../../support/until.ts";

const program = findRedisServer("tests of the connection to Redis");

function linkTo(server: RedisServer, options: Partial<LinkOptions> = {}): BunRedisLink {
  const link = new BunRedisLink({ url: server.url, log: logger("test"), ...options });
  atEnd(() => link.close());
  return link;
}

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(() => null, (error: Error) => error);
  if (error === null) throw new Error("it did not fail");
  return error;
}

describe.skipIf(program === null)("the connection to Redis", async () => {
  const server = program === null ? null! : await startRedisServer(program);

  test("sends commands, and says why Redis refused one", async () => {
    const link = linkTo(server);
    await until(() => link.isUp);
    expect(await link.send("SET", ["name", "Zoë\0\r\n"])).toBe("OK");
    expect(await link.send("GET", ["name"])).toBe("Zoë\0\r\n");
    const error = await failureOf(link.send("LPUSH", ["name", "x"]));
    expect(error.message).toStartWith("WRONGTYPE");
    expect(error).not.toBeInstanceOf(RedisUnavailable);
    expect(link.isUp).toBe(true);
  });

  test("leaves no timer once it is connected", async () => {
    const [set, clear] = [spyOn(globalThis, "setTimeout"), spyOn(globalThis, "clearTimeout")];
    try {
      await linkTo(server).connected(123_456);
      const timer = set.mock.results[set.mock.calls.findIndex(([, ms]) => ms === 123_456)]?.value;
      expect(clear.mock.calls).toContainEqual([timer] as never);
    } finally {
      set.mockRestore();
      clear.mockRestore();
    }
  });

  test("loads a script that Redis has forgotten", async () => {
    const link = linkTo(server);
    await until(() => link.isUp);
    const script = { name: "joined", lua: "return KEYS[1] .. ARGV[1]" };
    expect(await link.run(script, ["a"], ["b"])).toBe("ab");
    await server.command("SCRIPT", "FLUSH");
    expect(await link.run(script, ["c"], ["d"])).toBe("cd");
    expect(await failureOf(link.run({ name: "wrong", lua: "return redis.error_reply('MINE no')" }, [], [])))
      .toEqual(expect.objectContaining({ message: "MINE no" }));
  });

  test("fails at once while Redis is away, and connects again when it is back", async () => {
    const own = await startRedisServer(program!);
    const link = linkTo(own);
    const changes: string[] = [];
    link.onUp(() => changes.push("up"));
    await until(() => link.isUp);
    await own.kill();
    await until(() => !link.isUp);
    changes.push("down");
    expect(await failureOf(link.send("PING", []))).toBeInstanceOf(RedisUnavailable);
    await until(() => link.lastError, (error) => error === "nothing there accepts a connection");
    await own.start();
    await until(() => link.isUp);
    expect(await link.send("PING", [])).toBe("PONG");
    expect(changes).toEqual(["up", "down", "up"]);
    link.onUp(() => changes.push("already up"));
    expect(changes.at(-1)).toBe("already up");
  });

  test("gives up a command that Redis does not answer, and takes its late reply for no other's", async () => {
    const own = await startRedisServer(program!);
    const link = linkTo(own, { commandLimitMs: 1_000 });
    await until(() => link.isUp);
    own.suspend();
    const errors = await Promise.all([failureOf(link.send("INCR", ["a"])), failureOf(link.send("INCR", ["b"]))]);
    for (const error of errors) expect(error).toBeInstanceOf(RedisUnavailable);
    expect(errors[0]?.message).toBe("Redis did not answer INCR within 1000 ms; it may still carry it out");
    expect(link.isUp).toBe(false);
    own.resume();
    await until(() => link.isUp);
    expect(await link.send("ECHO", ["mine"])).toBe("mine");
  });

  test("says that the password is wrong, and never says the password", async () => {
    const guarded = await startRedisServer(program!, { password: "r1ght" });
    const link = linkTo(guarded, { url: `redis://:wr0ng@127.0.0.1:${guarded.port}/2` });
    await until(() => link.lastError, (error) => error?.startsWith("WRONGPASS") === true);
    expect((await failureOf(link.send("PING", []))).message).not.toContain("wr0ng");
    expect(link.shownAddress).toBe(`redis://127.0.0.1:${guarded.port}/2`);
    const known = linkTo(guarded);
    await until(() => known.isUp);
  });

  test("refuses a server of a cluster, a copy that takes no writes, and a database that is not there", async () => {
    const cluster = linkTo(await startRedisServer(program!, { args: ["--cluster-enabled", "yes"] }));
    const copy = linkTo(await startRedisServer(program!, { args: ["--replicaof", `127.0.0.1 ${server.port}`] }));
    const database = linkTo(server, { url: `${server.url}/99` });
    await until(() => cluster.lastError, (error) => error?.includes("Redis Cluster") === true);
    await until(() => copy.lastError, (error) => error?.includes("read-only copy") === true);
    await until(() => database.lastError, (error) => error?.includes("DB index is out of range") === true);
    expect([cluster.isUp, copy.isUp, database.isUp]).toEqual([false, false, false]);
  });

  test("reaches a server by its socket, and refuses a sentinel", async () => {
    const directory = temporaryDirectory();
    const socket = join(directory, "redis.sock");
    const own = await startRedisServer(program!, { args: ["--unixsocket", socket] });
    const link = linkTo(own, { url: `redis+unix://${socket}` });
    await until(() => link.isUp);
    expect(link.shownAddress).toBe(`redis+unix://${socket}`);

    const settings = join(directory, "sentinel.conf");
    await Bun.write(settings, "");
    const port = await freePort();
    const sentinel = startProcess([program!, settings, "--sentinel", "--port", String(port), "--bind", "127.0.0.1"]);
    const refused = linkTo(own, { url: `redis://127.0.0.1:${port}` });
    await until(() => refused.lastError, (error) => error?.includes("Sentinel") === true);
    sentinel.kill();
  });

  test("drops a connection to a server that has become a copy", async () => {
    const own = await startRedisServer(program!);
    const link = linkTo(own);
    await until(() => link.isUp);
    await own.command("REPLICAOF", "127.0.0.1", String(server.port));
    expect(await failureOf(link.send("SET", ["a", "b"]))).toBeInstanceOf(RedisUnavailable);
    expect(link.isUp).toBe(false);
  });
});

test("pauses after failed attempts double from a tenth of a second up to one second, until the link is closed", async () => {
  jest.useFakeTimers();
  const open = spyOn(RedisConnection, "open").mockImplementation(() => Promise.reject(new Error("away")));
  try {
    const link = new BunRedisLink({ url: "redis://127.0.0.1:1", log: logger("test") });
    const attempts = async (milliseconds: number) => {
      const before = open.mock.calls.length;
      jest.advanceTimersByTime(milliseconds);
      await isSettled(new Promise(() => {}));
      return open.mock.calls.length - before;
    };
    expect(open).toHaveBeenCalledTimes(1);
    await isSettled(new Promise(() => {}));
    for (const pause of [100, 200, 400, 800, 1_000, 1_000]) {
      expect([await attempts(pause - 1), await attempts(1)]).toEqual([0, 1]);
    }
    link.close();
    expect(await attempts(60_000)).toBe(0);
  } finally {
    open.mockRestore();
    jest.useRealTimers();
  }
});

test("a reason is logged once until it is another one, and is forgotten once there is a connection", async () => {
  jest.useFakeTimers();
  const errors: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (_: string, { why }: { why: string }) => void errors.push(why) };
  let end: (why: string) => void = () => {};
  let outcome: string | null = "away";
  const open = spyOn(RedisConnection, "open").mockImplementation(({ ended }) => {
    end = ended;
    return outcome === null ? Promise.resolve({ end: ended } as never) : Promise.reject(new Error(outcome));
  });
  try {
    const link = new BunRedisLink({ url: "redis://127.0.0.1:1", log: log as never });
    const known: (string | null)[] = [];
    for (outcome of ["away", "away", "WRONGPASS", null]) {
      jest.advanceTimersByTime(1_000);
      await isSettled(new Promise(() => {}));
      known.push(link.lastError);
    }
    expect([errors, known, link.isUp]).toEqual([["away", "WRONGPASS"], ["away", "away", "WRONGPASS", null], true]);
    end("cut");
    expect([link.lastError, link.isUp]).toEqual(["cut", false]);
    link.close();
  } finally {
    open.mockRestore();
    jest.useRealTimers();
  }
});

test("a link that is closed while it connects ends the connection, and is not up", async () => {
  const opened = Promise.withResolvers<never>();
  const ends: string[] = [];
  const open = spyOn(RedisConnection, "open").mockReturnValue(opened.promise);
  try {
    const link = new BunRedisLink({ url: "redis://127.0.0.1:1", log: logger("test") });
    link.close();
    opened.resolve({ end: (why: string) => void ends.push(why) } as never);
    await isSettled(new Promise(() => {}));
    expect([link.isUp, ends]).toEqual([false, ["this process has ended the connection"]]);
  } finally {
    open.mockRestore();
  }
});
