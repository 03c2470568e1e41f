import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { atEnd } from "../../support/at-end.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";
import { EPOCH, Replica, SmallEngine } from "./replica-world.ts";

const program = findRedisServer("tests of the shared event log");
const SIZE = 20;
const LIMIT_MS = 20_000;
/** Only a log in use is kept longer. */
const DAY_MS = 86_400_000;
/** Of the script that appends. */
const ARGS_BEFORE_ENTRIES = 6;

describe.skipIf(program === null)("the shared event log", async () => {
  const server = program === null ? null! : await startRedisServer(program);
  beforeEach(() => server.clear());

  let names = 0;
  function replicaOf(engine: SmallEngine, size = SIZE): Replica {
    const replica = new Replica(engine, server.url, { size, name: `r-${names += 1}` });
    atEnd(() => replica[Symbol.asyncDispose]());
    return replica;
  }

  function publish(engine: SmallEngine, count: number, ...replicas: readonly Replica[]): void {
    for (let number = 0; number < count; number += 1) engine.publish();
    for (const replica of replicas) replica.client.receive();
  }

  const numbers = ({ events }: Replica, since = 0) =>
    events.read({ since: EPOCH + since, limit: 1000 }).events.map(({ sequence }) => sequence - EPOCH);
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

  test("gives a replica that starts all events, and lets it resume after them", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 10, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(first.log.sequence).toBe(EPOCH + 10);
    engine.forget();
    const second = replicaOf(engine);
    expect(await second.log.restore("u-1")).toMatchObject({ engineId: "engine-1", epoch: EPOCH, entityId: "north" });
    expect(numbers(second)).toEqual(range(1, 10));
    second.client.connect();
    publish(engine, 2, first, second);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(second.events.content()).toEqual(first.events.content());
    expect(second.events.read({ since: EPOCH, limit: 1 }).missed).toBe(0);
  });

  test("keeps as many events of each category as a buffer, and counts the others", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine, 3).start();
    for (let round = 0; round < 8; round += 1) {
      publish(engine, 5, first);
      expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    }
    const second = replicaOf(engine, 3);
    await second.log.restore("u-1");
    expect(second.events.stats()).toEqual(first.events.stats());
    expect(second.events.added).toEqual(first.events.added);
    for (const since of [0, 1, 20, 37, 38, 39, 40]) {
      const page = (replica: Replica) => replica.events.read({ since: EPOCH + since, limit: 50 });
      const { missed, ...rest } = page(second);
      expect(rest).toEqual((({ missed: _, ...others }) => others)(page(first)));
      if (since === 0 || since >= 37) expect(missed).toBe(page(first).missed);
      else expect(missed).toBeGreaterThan(0);
    }
  });

  test("is read while the connection to the engine is lost, and not while it is there", async () => {
    const engine = new SmallEngine();
    const [first, second] = [await replicaOf(engine).start(), await replicaOf(engine).start()];
    publish(engine, 5, first, second);
    second.client.cut();
    publish(engine, 3, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(numbers(second)).toEqual(range(1, 8));
    second.client.connect();
    publish(engine, 2, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    const waiting = second.log.catchUp(LIMIT_MS);
    expect(await second.log.catchUp(5)).toBe(false);
    expect(numbers(second)).toEqual(range(1, 8));
    second.client.receive();
    expect(await waiting).toBe(true);
    expect(numbers(second)).toEqual(range(1, 10));
  });

  test("is written by any replica that must answer, and each event is in it once", async () => {
    const engine = new SmallEngine();
    const replicas = [
      await replicaOf(engine).start(),
      await replicaOf(engine).start(),
      await replicaOf(engine).start(),
    ];
    for (let round = 0; round < 30; round += 1) {
      publish(engine, 1, ...replicas);
      await Promise.all(replicas.map(({ log }) => log.catchUp(LIMIT_MS)));
    }
    const [counted] = await entriesOf(server);
    expect(counted).toEqual(range(1, 30));
  });

  test("is written by another replica when the one with the lease is gone", async () => {
    const engine = new SmallEngine();
    const [first, second] = [await replicaOf(engine).start(), await replicaOf(engine).start()];
    publish(engine, 2, first);
    await until(() => first.log.sequence === EPOCH + 2);
    first.kill();
    publish(engine, 3, second);
    await until(() => second.log.sequence === EPOCH + 5);
    expect((await entriesOf(server))[0]).toEqual(range(1, 5));
  });

  test("fills a gap of one replica from the log, and a gap of the log from a replica", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 3, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    const second = await replicaOf(engine).start();
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    second.client.cut();
    publish(engine, 4);
    engine.forget();
    second.client.connect();
    second.client.receive();
    publish(engine, 2, second);
    expect(second.events.gapEvents).toBe(4);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(second.events.gapEvents).toBe(4);
    first.client.receive();
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(second.events.content()).toEqual(first.events.content());
    expect(second.events.gapEvents).toBe(0);
    expect(numbers(second)).toEqual(range(1, 9));
  });

  test("keeps a gap that nobody can fill, on every replica", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 3, first);
    first.client.cut();
    publish(engine, 4);
    engine.forget();
    first.client.connect();
    first.client.receive();
    publish(engine, 1, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    const second = await replicaOf(engine).start();
    expect(second.events.content()).toEqual(first.events.content());
    expect(second.events.read({ since: EPOCH, limit: 50 }).missed).toBe(4);
  });

  test("is put together by replicas that know different parts: who reaches further back writes it anew", async () => {
    const engine = new SmallEngine();
    const early = replicaOf(engine);
    await until(() => early.link.isUp);
    early.client.connect();
    publish(engine, 5, early);
    expect(await early.log.catchUp(LIMIT_MS)).toBe(true);
    await server.clear();
    const late = replicaOf(engine);
    await until(() => late.link.isUp);
    late.client.connect();
    publish(engine, 5, late);
    expect(await late.log.catchUp(LIMIT_MS)).toBe(true);
    early.client.receive();
    expect(await early.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await late.log.catchUp(LIMIT_MS)).toBe(true);
    expect(numbers(late)).toEqual(range(1, 10));
    expect(late.events.content()).toEqual(early.events.content());
  });

  test("separates the events of other rights, and a replica that starts sees only those of its own", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 4, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    engine.rights = { entityId: "north", capabilities: [] };
    const second = await replicaOf(engine).start();
    expect(numbers(second)).toEqual([]);
    publish(engine, 2, first, second);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(numbers(second)).toEqual([5, 6]);
    expect(numbers(first)).toEqual(range(1, 6));
    const third = await replicaOf(engine).start();
    expect(numbers(third)).toEqual([5, 6]);
  });

  test("of an old history expires, though a replica that is still without the new one reads it", async () => {
    const engine = new SmallEngine();
    const [first, second] = [await replicaOf(engine).start(), await replicaOf(engine).start()];
    publish(engine, 4, first, second);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    const old = await keysOn(server, "*");
    engine.restart();
    first.client.connect();
    publish(engine, 1, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    second.client.connect();
    second.client.receive();
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    for (const key of old.filter((name) => /:(history|events):/.test(name))) {
      const left = await server.command("PTTL", key) as number;
      expect([key, left > 0 && left <= 3_600_000]).toEqual([key, true]);
    }
  });

  test("has no key that stays for ever, and is kept longer by each event", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 10, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    const keys = (await keysOn(server, "*")).filter((name) => /:(history|events):/.test(name));
    for (const key of keys) await server.command("PEXPIRE", key, "60000");
    publish(engine, 1, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) {
      expect([key, await server.command("PTTL", key) as number > DAY_MS]).toEqual([key, true]);
    }
  });

  test("gets no copy of what another replica has written, and no script for a call without news", async () => {
    const engine = new SmallEngine();
    const [first, second] = [await replicaOf(engine).start(), await replicaOf(engine).start()];
    publish(engine, 5, first, second);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    const scripts = spyOn(second.link, "run");
    // The replica's own looks at the log, some times a second, may run a script; a call adds none.
    await until(async () => {
      const before = scripts.mock.calls.length;
      expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
      return scripts.mock.calls.length === before;
    });
    const batches = scripts.mock.calls.filter(([{ name }]) => name === "append");
    expect(batches.flatMap(([, , args]) => args.slice(ARGS_BEFORE_ENTRIES))).toEqual([]);
  });

  test("ends a round with a buffer that knows of nothing after its last event, up to a higher number", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 5, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    const second = replicaOf(engine);
    await until(() => second.link.isUp);
    const content = first.events.content();
    second.client.resumeFrom(first.client.history!, { ...content, top: content.top + 2 });
    second.client.status = "reconnecting";
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(second.log.sequence).toBe(EPOCH + 5);
  });

  test("is not filled again and again by a replica that is behind it", async () => {
    const engine = new SmallEngine();
    const early = replicaOf(engine);
    await until(() => early.link.isUp);
    early.client.connect();
    publish(engine, 5, early);
    const late = replicaOf(engine);
    await until(() => late.link.isUp);
    await server.clear();
    late.client.connect();
    publish(engine, 5, late);
    expect(await late.log.catchUp(LIMIT_MS)).toBe(true);
    const before = (await keysOn(server, "*:events:*")).length;
    expect(await early.log.catchUp(50)).toBe(false);
    expect((await keysOn(server, "*:events:*")).length).toBe(before);
    early.client.receive();
    expect(await early.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await late.log.catchUp(LIMIT_MS)).toBe(true);
    expect(numbers(late)).toEqual(range(1, 10));
  });

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
      const engine = new SmallEngine();
      const first = await replicaOf(engine).start();
      publish(engine, 10, first);
      expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
      await damage(async (pattern) => {
        const [key] = await keysOn(server, pattern);
        if (key === undefined) throw new Error(`there is no key ${pattern}`);
        return key;
      });
      const second = await replicaOf(engine).start();
      expect(numbers(second)).toEqual(numbers(second).filter((number) => number <= 10));
      publish(engine, 3, first, second);
      await until(async () => await first.log.catchUp(100) && await second.log.catchUp(100));
      await until(async () => {
        await Promise.all([first.log.catchUp(100), second.log.catchUp(100)]);
        return Bun.deepEquals(first.events.content(), second.events.content());
      });
      expect(numbers(first)).toEqual(range(1, 13));
      const third = await replicaOf(engine).start();
      expect(await third.log.catchUp(LIMIT_MS)).toBe(true);
      expect(numbers(third)).toEqual(range(1, 13));
    });
  }

  test("is written anew if the engine has lost its newest events, and uses their numbers again", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 10, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    engine.sequence = EPOCH + 6;
    engine.events = engine.events.filter(({ sequence }) => sequence <= engine.sequence);
    engine.cutAll();
    first.client.connect();
    publish(engine, 1, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(numbers(first)).toEqual([7]);
    const second = await replicaOf(engine).start();
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(numbers(second)).toEqual([7]);
    expect(second.events.content()).toEqual(first.events.content());
  });

  test("has no first connect wait for a Redis that is away, and is written when it is back", async () => {
    const engine = new SmallEngine();
    const own = await startRedisServer(program!);
    await own.stop();
    const replica = new Replica(engine, own.url, { size: SIZE, name: "alone" });
    atEnd(() => replica[Symbol.asyncDispose]());
    expect(await replica.log.restore("u-1")).toBeNull();
    replica.client.connect();
    publish(engine, 3, replica);
    expect(await replica.log.catchUp(LIMIT_MS)).toBe(false);
    expect(replica.log.sequence).toBeNull();
    await own.start();
    await until(() => replica.log.sequence === EPOCH + 3);
    expect((await entriesOf(own))[0]).toEqual(range(1, 3));
  });
});

/** The numbers of all entries of the categories' streams of the one log, ascending; then those of gaps. */
async function entriesOf(server: { command(name: string, ...args: string[]): Promise<unknown> }) {
  const events: number[] = [];
  const gaps: number[] = [];
  for (const key of await keysOn(server, "*:events:*")) {
    if (await server.command("PTTL", key) as number < DAY_MS) continue;
    const entries = await server.command("XRANGE", key, "-", "+") as [string, unknown][];
    const numbers = entries.map(([id]) => Number(id.split("-")[0]) - EPOCH);
    (key.endsWith(":gap") ? gaps : events).push(...numbers);
  }
  return [events.sort((one, other) => one - other), gaps] as const;
}

async function keysOn(
  server: { command(name: string, ...args: string[]): Promise<unknown> },
  pattern: string,
): Promise<string[]> {
  return await server.command("KEYS", pattern) as string[];
}
