// What a replica believes of a `since` that is beyond its own newest event: another replica may be ahead.

import { beforeEach, describe, expect, test } from "bun:test";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { atEnd } from "../../support/at-end.ts";
import { until } from "../../support/until.ts";
import { caughtUp, EPOCH, publish, Replica, SmallEngine } from "./replica-world.ts";

const program = findRedisServer("tests of a since beyond the newest event");
const LIMIT_MS = 20_000;

describe.skipIf(program === null)("a since beyond what a replica has", async () => {
  const server = program === null ? null! : await startRedisServer(program);
  let engine: SmallEngine;
  beforeEach(async () => {
    engine = new SmallEngine();
    await server.clear();
  });

  let names = 0;
  async function started(): Promise<Replica> {
    const made = new Replica(engine, server.url, { size: 20, name: `r-${names += 1}` });
    atEnd(() => made[Symbol.asyncDispose]());
    return await made.start();
  }

  const read = ({ events }: Replica, since: number) => {
    const { missed, latestSequence } = events.read({ since: EPOCH + since, limit: 5 });
    return { missed, latestSequence: latestSequence - EPOCH };
  };
  const believed = (since: number) => ({ missed: 0, latestSequence: since });
  const refused = { missed: null, latestSequence: 5 };

  /** It has five events of eight, which are all in the log, and knows that. Its call waits for the other three. */
  async function lagging(): Promise<{ first: Replica; second: Replica; waiting: Promise<boolean> }> {
    const [first, second] = [await started(), await started()];
    publish(engine, 5, first, second);
    await caughtUp(first);
    publish(engine, 3, first);
    await caughtUp(first);
    const waiting = second.log.catchUp(LIMIT_MS);
    await until(() => second.log.sequence, (sequence) => sequence === EPOCH + 8);
    return { first, second, waiting };
  }

  test("is believed if the log has reached it, and no greater one", async () => {
    const { second, waiting } = await lagging();
    expect([read(second, 7), read(second, 8), read(second, 9)]).toEqual([believed(7), believed(8), refused]);
    second.client.receive();
    expect(await waiting).toBe(true);
  });

  test("is believed after a call that could not read the log, until one can", async () => {
    const { second } = await lagging();
    server.suspend();
    expect(await second.log.catchUp(5)).toBe(false);
    expect(read(second, 9)).toEqual(believed(9));
    server.resume();
    await until(async () => {
      await second.log.catchUp(50);
      return read(second, 9).missed === null;
    });
    expect(read(second, 8)).toEqual(believed(8));
  });

  test("is believed while Redis is away, and when it is back with nothing that it had", async () => {
    const { first, second } = await lagging();
    first.kill();
    await server.kill();
    await until(() => !second.link.isUp);
    expect(read(second, 8)).toEqual(believed(8));
    await server.start();
    await until(() => second.log.sequence, (sequence) => sequence === EPOCH + 5);
    expect(read(second, 8)).toEqual(believed(8));
  });
});
