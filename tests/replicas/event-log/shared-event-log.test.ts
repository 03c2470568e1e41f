import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { DAY_MS } from "../../../protocol/time-units.ts";
import { atEnd } from "../../support/at-end.ts";
import { contentOf } from "../../../replicas/history/content.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";
import { entriesOn, EPOCH, keysOn, numbersOf, publish, range, Replica, SmallEngine } from "./replica-world.ts";

const program = findRedisServer("tests of the shared event log");
const SIZE = 20;
const LIMIT_MS = 20_000;

/** Of the script that appends. */
const ARGS_BEFORE_ENTRIES = 7;

describe.skipIf(program === null)("the shared event log", async () => {
  const server = program === null ? null! : await startRedisServer(program);
  beforeEach(() => server.clear());

  let names = 0;
  function replicaOf(engine: SmallEngine, size = SIZE): Replica {
    const replica = new Replica(engine, server.url, { size, name: `r-${names += 1}` });
    atEnd(() => replica[Symbol.asyncDispose]());
    return replica;
  }

  test("gives a replica that starts all events, and lets it resume after them", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 10, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(first.log.sequence).toBe(EPOCH + 10);
    engine.forget();
    const second = replicaOf(engine);
    await second.link.connected(LIMIT_MS);
    expect(await second.log.restore("u-1")).toMatchObject({ engineId: "engine-1", epoch: EPOCH, entityId: "north" });
    expect(numbersOf(second)).toEqual(range(1, 10));
    second.client.connect();
    publish(engine, 2, first, second);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(contentOf(second.events)).toEqual(contentOf(first.events));
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
    await second.link.connected(LIMIT_MS);
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
    expect(numbersOf(second)).toEqual(range(1, 8));
    second.client.connect();
    publish(engine, 2, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    const waiting = second.log.catchUp(LIMIT_MS);
    expect(await second.log.catchUp(5)).toBe(false);
    expect(numbersOf(second)).toEqual(range(1, 8));
    second.client.receive();
    expect(await waiting).toBe(true);
    expect(numbersOf(second)).toEqual(range(1, 10));
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
    const counted = await entriesOn(server);
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
    expect(await entriesOn(server)).toEqual(range(1, 5));
  });

  test("is written on by the replica with the lease after another one has written it anew", async () => {
    const engine = new SmallEngine();
    const [first, second] = [await replicaOf(engine).start(), await replicaOf(engine).start()];
    publish(engine, 5, first, second);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    await server.clear();
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    publish(engine, 2, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await entriesOn(server)).toEqual(range(1, 7));
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
    expect(contentOf(second.events)).toEqual(contentOf(first.events));
    expect(second.events.gapEvents).toBe(0);
    expect(numbersOf(second)).toEqual(range(1, 9));
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
    expect(contentOf(second.events)).toEqual(contentOf(first.events));
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
    expect(numbersOf(late)).toEqual(range(1, 10));
    expect(contentOf(late.events)).toEqual(contentOf(early.events));
  });

  test("separates the events of other rights, and a replica that starts sees only those of its own", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 4, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    engine.rights = { entityId: "north", capabilities: [] };
    const second = await replicaOf(engine).start();
    expect(numbersOf(second)).toEqual([]);
    publish(engine, 2, first, second);
    expect(await second.log.catchUp(LIMIT_MS)).toBe(true);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    expect(numbersOf(second)).toEqual([5, 6]);
    expect(numbersOf(first)).toEqual(range(1, 6));
    const third = await replicaOf(engine).start();
    expect(numbersOf(third)).toEqual([5, 6]);
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

  test("is written once for all events of a turn by the replica with the lease", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 1, first);
    await until(() => first.log.sequence === EPOCH + 1);
    // The lease may end between two events, or a look of the replica's own may write some: then another turn is counted.
    await until(async () => {
      const scripts = spyOn(first.link, "run");
      const before = engine.sequence;
      publish(engine, 3, first);
      await until(() => first.log.sequence === before + 3);
      const batches = scripts.mock.calls.filter(([{ name }]) => name === "append");
      scripts.mockRestore();
      return batches.length === 1 && batches[0]![2].length - ARGS_BEFORE_ENTRIES === 3 * 3;
    });
  });

  test("ends a round with a buffer that knows of nothing after its last event, up to a higher number", async () => {
    const engine = new SmallEngine();
    const first = await replicaOf(engine).start();
    publish(engine, 5, first);
    expect(await first.log.catchUp(LIMIT_MS)).toBe(true);
    const second = replicaOf(engine);
    await until(() => second.link.isUp);
    const content = contentOf(first.events);
    second.client.resumeFrom(first.client.history!);
    second.events.restore({ ...content, top: content.top + 2 });
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
    expect(numbersOf(late)).toEqual(range(1, 10));
  });
});
