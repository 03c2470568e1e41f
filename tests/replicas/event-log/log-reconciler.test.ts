// Single steps of replicas whose own rounds are ended, so that a test decides who looks at the log, and who writes, when.

import { beforeEach, describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { contentOf } from "../../../replicas/history/content.ts";
import { LogReconciler } from "../../../replicas/event-log/log-reconciler.ts";
import { LogStore } from "../../../replicas/event-log/log-store.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import { atEnd } from "../../support/at-end.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { entriesOn, publish, range, Replica, SmallEngine } from "./replica-world.ts";

const program = findRedisServer("tests of the steps that reconcile a log");
const LIMIT_MS = 20_000;
const MOST_STEPS = 5;

describe.skipIf(program === null)("a replica whose log is written by another one", async () => {
  const server = program === null ? null! : await startRedisServer(program);
  let engine: SmallEngine;
  beforeEach(async () => {
    engine = new SmallEngine();
    await server.clear();
  });

  async function connected(name: string) {
    const replica = new Replica(engine, server.url, { size: 20, name });
    atEnd(() => replica[Symbol.asyncDispose]());
    await replica.log.close();
    const { client, events, link } = replica;
    await link.connected(LIMIT_MS);
    client.connect();
    const store = new LogStore(link, keysOf("mkt", client.history!.userId), client.history!);
    const reconciler = new LogReconciler(store, { client, events, writer: name, log: logger("test") });
    return { replica, store, reconciler };
  }

  type Stepped = Awaited<ReturnType<typeof connected>>;

  /** Steps until log and buffer agree. Returns the number of steps. */
  async function steps({ reconciler }: Stepped, force: boolean): Promise<number> {
    for (let count = 1; count <= MOST_STEPS; count += 1) if (await reconciler.step(force)) return count;
    throw new Error(`log and buffer do not agree after ${MOST_STEPS} steps`);
  }

  const write = (replica: Stepped) => steps(replica, true);
  /** Writes nothing after the log's end, as without the lease. */
  const follow = (replica: Stepped) => steps(replica, false);

  /** Both have events 1 to 9, but the first lacks 4 to 7. The log ends at 3, and both know that. */
  async function withGap() {
    const [first, second] = [await connected("first"), await connected("second")];
    publish(engine, 3, first.replica, second.replica);
    await write(second);
    first.replica.client.cut();
    publish(engine, 4, second.replica);
    engine.forget();
    first.replica.client.connect();
    publish(engine, 2, first.replica, second.replica);
    for (const each of [first, second]) await follow(each);
    expect(first.replica.events.gapEvents).toBe(4);
    expect(await entriesOn(server)).toEqual(range(1, 3));
    return { first, second };
  }

  test("writes the log anew if its buffer has forgotten what the log lacks", async () => {
    const alone = await connected("alone");
    publish(engine, 3, alone.replica);
    await write(alone);
    publish(engine, 150, alone.replica);
    await write(alone);
    expect(alone.replica.numbers[0]).toBeGreaterThan(4);
    expect(await entriesOn(server)).toEqual(alone.replica.numbers);
  });

  test("knows that it has lost the lease once it has written in vain, and then only follows", async () => {
    const [first, second] = [await connected("first"), await connected("second")];
    for (let round = 0; round < 2; round += 1) {
      publish(engine, 2, first.replica, second.replica);
      await write(first);
    }
    expect(first.reconciler.hasLease).toBe(true);
    const [lease = ""] = await server.command("KEYS", "*lease:*") as string[];
    await server.command("SET", lease, "second");
    publish(engine, 2, first.replica, second.replica);
    const append = first.store.append.bind(first.store);
    let appends = 0;
    first.store.append = (batch) => {
      appends += 1;
      if (appends > 1) throw new Error("writes in vain again");
      return append(batch);
    };
    await follow(first);
    expect([first.reconciler.hasLease, await entriesOn(server)]).toEqual([false, range(1, 4)]);
    await write(second);
    expect(await entriesOn(server)).toEqual(range(1, 6));
  });

  test("takes from the log what it has lost to a gap, once the other one has written it there", async () => {
    const { first, second } = await withGap();
    await write(second);
    await follow(first);
    expect(first.replica.numbers).toEqual(range(1, 9));
    expect(first.replica.events.gapEvents).toBe(0);
  });

  test("gives the log what the other one has written there as a gap", async () => {
    const { first, second } = await withGap();
    await write(first);
    expect(await entriesOn(server)).toEqual([...range(1, 3), 8, 9]);
    await follow(second);
    expect(await entriesOn(server)).toEqual(range(1, 9));
  });

  test("follows it in one step if no gap is near, also after a gap that nobody can fill", async () => {
    const { first, second } = await withGap();
    second.replica.events.restore(contentOf(first.replica.events));
    await write(first);
    await follow(second);
    publish(engine, 2, first.replica, second.replica);
    expect([await write(first), await follow(second)]).toEqual([1, 1]);
    expect(second.reconciler.position).toEqual(first.reconciler.position);
    expect(second.replica.events.gapEvents).toBe(4);
  });
});
