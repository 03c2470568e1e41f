import { describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { Register } from "../../../replicas/group/register.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import type { RedisLink } from "../../../replicas/redis/redis-link.ts";
import { atEnd } from "../../support/at-end.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

const program = findRedisServer("tests of registers");
/** Later than any time of Redis in this century. */
const FUTURE = 5_000_000_000_000_000;

test("a reply that comes late never takes a replica back to an older version", async () => {
  const asked: PromiseWithResolvers<unknown>[] = [];
  const ask = () => {
    const reply = Promise.withResolvers<unknown>();
    asked.push(reply);
    return reply.promise;
  };
  const link: RedisLink = { isUp: true, send: ask, run: ask, onUp: () => () => {} };
  const register = new Register(link, "key");
  const changes = [register.change("one"), register.change("two")];
  asked[1]!.resolve(["2", "two"]);
  await changes[1];
  asked[0]!.resolve(["1", "one"]);
  expect(await changes[0]!).toEqual({ version: 1, value: "one" });
  expect(register.known).toEqual({ version: 2, value: "two" });
  void register.learn(["2", "two"]);
  expect(asked).toHaveLength(2);
});

describe.skipIf(program === null)("a register on Redis", async () => {
  const redis = program === null ? null! : await startRedisServer(program);
  const link = program === null ? null! : new BunRedisLink({ url: redis.url, log: logger("test") });
  if (program !== null) {
    atEnd(() => link.close());
    await until(() => link.isUp);
  }
  let keys = 0;
  const registers = () => {
    const key = `register-${keys += 1}`;
    const write = (version: number, value: string) =>
      link.send("HSET", [key, "version", String(version), "value", value]);
    const found = async () => {
      const [version, value] = await link.send("HMGET", [key, "version", "value"]) as string[];
      return { version: Number(version), value };
    };
    return { one: new Register(link, key), two: new Register(link, key), key, write, found };
  };

  test("has the time of Redis as version of its first value", async () => {
    const { one, found } = registers();
    const [before] = await link.send("TIME", []) as [string];
    const { version } = await one.change("a");
    const [after] = await link.send("TIME", []) as [string];
    expect(version).toBeWithin(Number(before) * 1e6, (Number(after) + 1) * 1e6);
    expect(await found()).toEqual({ version, value: "a" });
  });

  test("gets a version above that on Redis and above that which the replica knows, whatever the time is", async () => {
    const { one, two, key, write } = registers();
    await write(FUTURE, "a");
    expect(await two.change("b")).toEqual({ version: FUTURE + 1, value: "b" });
    await one.read();
    await link.send("DEL", [key]);
    expect(await one.change("c")).toEqual({ version: FUTURE + 2, value: "c" });
  });

  test("is changed from a version only if nothing has changed since, and keeps its version if the value is the same", async () => {
    const { one, two } = registers();
    const first = await one.changeFrom(0, "a");
    expect(first).toEqual({ version: 1, value: "a" });
    expect(await two.changeFrom(0, "a")).toEqual(first);
    expect(await two.changeFrom(1, "a")).toEqual(first);
    expect(await two.changeFrom(0, "b")).toEqual(first);
    expect(two.known).toEqual(first);
    expect(await two.changeFrom(1, "b")).toEqual({ version: 2, value: "b" });
    expect(await one.changeFrom(1, "c")).toEqual({ version: 2, value: "b" });
  });

  test("gets the version after the one that it is changed from if Redis has lost that one", async () => {
    const { one } = registers();
    expect(await one.changeFrom(FUTURE, "a")).toEqual({ version: FUTURE + 1, value: "a" });
  });

  test.each([
    ["has lost it", null],
    ["has an older version", 7],
  ])("is put back by a replica that remembers it if Redis %s", async (_what, older) => {
    const { one, key, write, found } = registers();
    const known = await one.change("a");
    await link.send("DEL", [key]);
    if (older !== null) await write(older, "old");
    await one.read();
    expect([one.known, await found()]).toEqual([known, known]);
  });

  test("is taken over by a replica if Redis has a newer one, and stays the same if it has the same", async () => {
    const { one, two, found } = registers();
    const first = await one.change("a");
    await two.read();
    await two.read();
    expect([two.known, await found()]).toEqual([first, first]);
    const second = await one.change("b");
    await two.read();
    expect([two.known, await found()]).toEqual([second, second]);
  });

  test.each([["no number", "x", "a"], ["a negative number", "-1", "a"], ["a very long number", "1".repeat(17), "a"]])(
    "counts as absent if its version is %s",
    async (_what, version, value) => {
      const { one, key } = registers();
      await link.send("HSET", [key, "version", version, "value", value]);
      await one.read();
      expect(one.known).toBeNull();
    },
  );
});
