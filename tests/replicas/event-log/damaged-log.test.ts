import { beforeEach, describe, expect, test } from "bun:test";
import { atEnd } from "../../support/at-end.ts";
import { contentOf } from "../../../replicas/history/content.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";
import { caughtUp, entriesOn, EPOCH, keysOn, publish, range, Replica, SmallEngine } from "./replica-world.ts";

const program = findRedisServer("tests of a shared event log that is damaged");
const SIZE = 20;

describe.skipIf(program === null)("the shared event log", async () => {
  const server = program === null ? null! : await startRedisServer(program);
  let engine: SmallEngine;
  beforeEach(async () => {
    engine = new SmallEngine();
    await server.clear();
  });

  let names = 0;
  async function started(): Promise<Replica> {
    const replica = new Replica(engine, server.url, { size: SIZE, name: `r-${names += 1}` });
    atEnd(() => replica[Symbol.asyncDispose]());
    return await replica.start();
  }

  const DAMAGES: readonly (readonly [string, (key: (pattern: string) => Promise<string>) => Promise<unknown>])[] = [
    ["a stream is deleted", async (key) => await server.command("DEL", await key("*events:*:system"))],
    ["a stream is trimmed", async (key) => await server.command("XTRIM", await key("*events:*:system"), "MAXLEN", "1")],
    [
      "a stream has a foreign entry",
      async (key) => await server.command("XADD", await key("*events:*:system"), "9000000000000000-1", "e", "[]"),
    ],
    ["a stream is another type", async (key) => await server.command("SET", await key("*events:*:system"), "x")],
    ["an entry is no event", async (key) => {
      const stream = await key("*events:*:market");
      const entries = await server.command("XRANGE", stream, "-", "+") as [string, unknown][];
      await server.command("DEL", stream);
      for (const [id] of entries) await server.command("XADD", stream, id, "e", '["halt.market","now",{"__proto__":[]');
    }],
    ["an entry is an event of another category", async (key) => {
      const stream = await key("*events:*:market");
      const entries = await server.command("XRANGE", stream, "-", "+") as [string, unknown][];
      await server.command("DEL", stream);
      for (const [id] of entries) await server.command("XADD", stream, id, "e", '["change.user","now",{}]');
    }],
    ["the hash is another type", async (key) => await server.command("SET", await key("*:history:*"), "x")],
    ["the hash is deleted", async (key) => await server.command("DEL", await key("*:history:*"))],
    ["the top is no number", async (key) => await server.command("HSET", await key("*:history:*"), "top", "x")],
    [
      "the top is too high",
      async (key) => await server.command("HSET", await key("*:history:*"), "top", "9000000000000000"),
    ],
    ["the lease is another type", async (key) => {
      const lease = (await key("*:history:*")).replace(":history:", ":lease:");
      await server.command("DEL", lease);
      await server.command("LPUSH", lease, "x");
    }],
    [
      "the newest history is no history",
      async (key) => await server.command("SET", await key("*newest-history*"), "{"),
    ],
    ["the newest history is another type", async (key) => {
      const pointer = await key("*newest-history*");
      await server.command("DEL", pointer);
      await server.command("LPUSH", pointer, "x");
    }],
  ];

  for (const [what, damage] of DAMAGES) {
    test(`is written anew if ${what}, and no replica shows a wrong event`, async () => {
      const first = await started();
      publish(engine, 10, first);
      await caughtUp(first);
      await damage(async (pattern) => {
        const [key] = await keysOn(server, pattern);
        if (key === undefined) throw new Error(`there is no key ${pattern}`);
        return key;
      });
      const second = await started();
      expect(second.numbers).toEqual(second.numbers.filter((number) => number <= 10));
      publish(engine, 3, first, second);
      await until(async () => await first.log.catchUp(100) && await second.log.catchUp(100));
      await until(async () => {
        await Promise.all([first.log.catchUp(100), second.log.catchUp(100)]);
        return Bun.deepEquals(contentOf(first.events), contentOf(second.events));
      });
      expect(first.numbers).toEqual(range(1, 13));
      const third = await started();
      await caughtUp(third);
      expect(third.numbers).toEqual(range(1, 13));
    });
  }

  test("is written anew if the engine has lost its newest events, and uses their numbers again", async () => {
    const first = await started();
    publish(engine, 10, first);
    await caughtUp(first);
    engine.sequence = EPOCH + 6;
    engine.events = engine.events.filter(({ sequence }) => sequence <= engine.sequence);
    engine.cutAll();
    first.client.connect();
    publish(engine, 1, first);
    await caughtUp(first);
    expect(first.numbers).toEqual([7]);
    const second = await started();
    await caughtUp(second);
    expect(second.numbers).toEqual([7]);
    expect(contentOf(second.events)).toEqual(contentOf(first.events));
  });

  test("has no first connect wait for a Redis that is away, and is written when it is back", async () => {
    const own = await startRedisServer(program!);
    await own.stop();
    const replica = new Replica(engine, own.url, { size: SIZE, name: "alone" });
    atEnd(() => replica[Symbol.asyncDispose]());
    expect(await replica.log.restore("u-1")).toBeNull();
    replica.client.connect();
    publish(engine, 3, replica);
    expect(await replica.log.catchUp(20_000)).toBe(false);
    expect(replica.log.sequence).toBeNull();
    await own.start();
    await until(() => replica.log.sequence === EPOCH + 3);
    expect(await entriesOn(own)).toEqual(range(1, 3));
  });
});
