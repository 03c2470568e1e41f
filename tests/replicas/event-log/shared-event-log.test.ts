import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { DAY_MS } from "../../../protocol/time-units.ts";
import { atEnd } from "../../support/at-end.ts";
import { contentOf } from "../../../replicas/history/content.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";
import { caughtUp, entriesOn, EPOCH, keysOn, publish, range, Replica, SmallEngine } from "./replica-world.ts";

const program = findRedisServer("tests of the shared event log");
const LIMIT_MS = 20_000;

/** Of the script that appends. */
const ARGS_BEFORE_ENTRIES = 7;

describe.skipIf(program === null)("the shared event log", async () => {
  const server = program === null ? null! : await startRedisServer(program);
  let engine: SmallEngine;
  beforeEach(async () => {
    engine = new SmallEngine();
    await server.clear();
  });

  let names = 0;
  function replica(size = 20): Replica {
    const made = new Replica(engine, server.url, { size, name: `r-${names += 1}` });
    atEnd(() => made[Symbol.asyncDispose]());
    return made;
  }

  /** The engine publishes events, these replicas receive them, and the first one writes. */
  async function written(count: number, ...replicas: readonly Replica[]): Promise<void> {
    publish(engine, count, ...replicas);
    await caughtUp(replicas[0]!);
  }

  const started = (size?: number) => replica(size).start();

  test("gives a replica that starts all events, and lets it resume after them", async () => {
    const first = await started();
    await written(10, first);
    expect(first.log.sequence).toBe(EPOCH + 10);
    engine.forget();
    const second = replica();
    await second.link.connected(LIMIT_MS);
    expect(await second.log.restore("u-1")).toMatchObject({ engineId: "engine-1", epoch: EPOCH, entityId: "north" });
    expect(second.numbers).toEqual(range(1, 10));
    second.client.connect();
    publish(engine, 2, first, second);
    await caughtUp(second);
    expect(contentOf(second.events)).toEqual(contentOf(first.events));
    expect(second.events.read({ since: EPOCH, limit: 1 }).missed).toBe(0);
  });

  test("keeps as many events of each category as a buffer, and counts the others", async () => {
    const first = await started(3);
    for (let round = 0; round < 8; round += 1) await written(5, first);
    const second = replica(3);
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

  test("is written by any replica that must answer, and each event is in it once", async () => {
    const replicas = [await started(), await started(), await started()];
    for (let round = 0; round < 30; round += 1) {
      publish(engine, 1, ...replicas);
      await Promise.all(replicas.map(({ log }) => log.catchUp(LIMIT_MS)));
    }
    expect(await entriesOn(server)).toEqual(range(1, 30));
  });

  test("is written by another replica when the one with the lease is gone", async () => {
    const [first, second] = [await started(), await started()];
    publish(engine, 2, first);
    await until(() => first.log.sequence === EPOCH + 2);
    first.kill();
    publish(engine, 3, second);
    await until(() => second.log.sequence === EPOCH + 5);
    expect(await entriesOn(server)).toEqual(range(1, 5));
  });

  test("is written on by the replica with the lease after another one has written it anew", async () => {
    const [first, second] = [await started(), await started()];
    await written(5, first, second);
    await server.clear();
    await caughtUp(second);
    await written(2, first);
    expect(await entriesOn(server)).toEqual(range(1, 7));
  });

  test("fills a gap of one replica from the log, and a gap of the log from a replica", async () => {
    const first = await started();
    await written(3, first);
    const second = await started();
    await caughtUp(second);
    second.client.cut();
    publish(engine, 4);
    engine.forget();
    second.client.connect();
    second.client.receive();
    publish(engine, 2, second);
    expect(second.events.gapEvents).toBe(4);
    await caughtUp(second);
    expect(second.events.gapEvents).toBe(4);
    first.client.receive();
    await caughtUp(first, second);
    expect(contentOf(second.events)).toEqual(contentOf(first.events));
    expect(second.events.gapEvents).toBe(0);
    expect(second.numbers).toEqual(range(1, 9));
  });

  test("keeps a gap that nobody can fill, on every replica", async () => {
    const first = await started();
    publish(engine, 3, first);
    first.client.cut();
    publish(engine, 4);
    engine.forget();
    first.client.connect();
    first.client.receive();
    await written(1, first);
    const second = await started();
    expect(contentOf(second.events)).toEqual(contentOf(first.events));
    expect(second.events.read({ since: EPOCH, limit: 50 }).missed).toBe(4);
  });

  test("is put together by replicas that know different parts: who reaches further back writes it anew", async () => {
    const early = replica();
    await until(() => early.link.isUp);
    early.client.connect();
    await written(5, early);
    await server.clear();
    const late = replica();
    await until(() => late.link.isUp);
    late.client.connect();
    await written(5, late);
    early.client.receive();
    await caughtUp(early, late);
    expect(late.numbers).toEqual(range(1, 10));
    expect(contentOf(late.events)).toEqual(contentOf(early.events));
  });

  test("separates the events of other rights, and a replica that starts sees only those of its own", async () => {
    const first = await started();
    await written(4, first);
    engine.rights = { entityId: "north", capabilities: [] };
    const second = await started();
    expect(second.numbers).toEqual([]);
    publish(engine, 2, first, second);
    await caughtUp(second, first);
    expect(second.numbers).toEqual([5, 6]);
    expect(first.numbers).toEqual(range(1, 6));
    const third = await started();
    expect(third.numbers).toEqual([5, 6]);
  });

  test("of an old history expires, though a replica that is still without the new one reads it", async () => {
    const [first, second] = [await started(), await started()];
    await written(4, first, second);
    await caughtUp(second);
    const old = await keysOn(server, "*");
    engine.restart();
    first.client.connect();
    await written(1, first);
    await caughtUp(second);
    second.client.connect();
    second.client.receive();
    await caughtUp(second);
    for (const key of old.filter((name) => /:(history|events):/.test(name))) {
      const left = await server.command("PTTL", key) as number;
      expect([key, left > 0 && left <= 3_600_000]).toEqual([key, true]);
    }
  });

  test("has no key that stays for ever, and is kept longer by each event", async () => {
    const first = await started();
    await written(10, first);
    const keys = (await keysOn(server, "*")).filter((name) => /:(history|events):/.test(name));
    for (const key of keys) await server.command("PEXPIRE", key, "60000");
    await written(1, first);
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) expect([key, await server.command("PTTL", key) as number > DAY_MS]).toEqual([key, true]);
  });

  test("gets no copy of what another replica has written, and no script for a call without news", async () => {
    const [first, second] = [await started(), await started()];
    await written(5, first, second);
    const scripts = spyOn(second.link, "run");
    // The replica's own looks at the log, some times a second, may run a script; a call adds none.
    await until(async () => {
      const before = scripts.mock.calls.length;
      await caughtUp(second);
      return scripts.mock.calls.length === before;
    });
    const batches = scripts.mock.calls.filter(([{ name }]) => name === "append");
    expect(batches.flatMap(([, , args]) => args.slice(ARGS_BEFORE_ENTRIES))).toEqual([]);
  });

  test("is written once for all events of a turn by the replica with the lease", async () => {
    const first = await started();
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
    const first = await started();
    await written(5, first);
    const second = replica();
    await until(() => second.link.isUp);
    const content = contentOf(first.events);
    second.client.resumeFrom(first.client.history!);
    second.events.restore({ ...content, top: content.top + 2 });
    second.client.status = "reconnecting";
    await caughtUp(second);
    expect(second.log.sequence).toBe(EPOCH + 5);
  });

  test("is not filled again and again by a replica that is behind it", async () => {
    const early = replica();
    await until(() => early.link.isUp);
    early.client.connect();
    publish(engine, 5, early);
    const late = replica();
    await until(() => late.link.isUp);
    await server.clear();
    late.client.connect();
    await written(5, late);
    const before = (await keysOn(server, "*:events:*")).length;
    expect(await early.log.catchUp(50)).toBe(false);
    expect((await keysOn(server, "*:events:*")).length).toBe(before);
    early.client.receive();
    await caughtUp(early, late);
    expect(late.numbers).toEqual(range(1, 10));
  });
});
