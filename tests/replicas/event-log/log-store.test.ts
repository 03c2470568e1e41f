import { beforeEach, describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { countsOf, type History } from "../../../core/market/event-content.ts";
import type { BufferedEvent } from "../../../core/market/event-reader.ts";
import { Conflict, LogStore } from "../../../replicas/event-log/log-store.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import type { RedisLink } from "../../../replicas/redis/redis-link.ts";
import { atEnd } from "../../support/at-end.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";

const program = findRedisServer("tests of the log on Redis");
const HISTORY: History = { engineId: "engine-1", epoch: 0, userId: "u-1", entityId: null, capabilities: [] };

describe.skipIf(program === null)("the log on Redis", async () => {
  const server = program === null ? null! : await startRedisServer(program);
  beforeEach(() => server.clear());

  async function linkOf(): Promise<BunRedisLink> {
    const link = new BunRedisLink({ url: server.url, log: logger("test") });
    atEnd(() => link.close());
    await link.connected(20_000);
    return link;
  }

  test("is read without a hole if events are trimmed between two pages", async () => {
    const size = 300;
    const link = await linkOf();
    const writer = new LogStore(link, keysOf("mkt", "u-1"), HISTORY);
    const append = (after: number, count: number, more: { capacity: number; isPrepared?: boolean }) =>
      writer.append({ generation: "g", writer: "w", force: true, after, items: events(after + 1, count), ...more });
    const forgotten = countsOf(() => 0);
    await writer.prepare("g", { epoch: 0, start: 0, top: 0, gaps: [], events: [], forgotten });
    await append(0, size, { capacity: size, isPrepared: true });
    expect(await writer.replace("g", null)).toBe(true);
    let pages = 0;
    const paused: RedisLink = {
      isUp: true,
      run: (script, keys, args) => link.run(script, keys, args),
      onUp: () => () => {},
      send: async (command, args) => {
        const reply = await link.send(command, args);
        if (command !== "XREVRANGE" || (reply as readonly unknown[]).length === 0) return reply;
        pages += 1;
        if (pages === 1) await append(size, 150, { capacity: size - 1 });
        return reply;
      },
    };
    const { head, events: read, isWhole } = await new LogStore(paused, keysOf("mkt", "u-1"), HISTORY).read("g", 0);
    expect(pages).toBe(1);
    expect(head.top).toBe(size);
    // The first page. The second one would have begun with events that are gone.
    expect(read).toEqual(events(101, 200));
    expect(isWhole).toBe(false);
    expect(await writer.read("g", 149)).toMatchObject({ isWhole: false });
    expect(await writer.read("g", 150)).toMatchObject({ isWhole: true, events: events(151, 300) });
    expect(await writer.content("g")).toMatchObject({ start: 0, top: 450, forgotten: { other: 150 } });
  });

  test("is replaced only by a log that has its newest event, and only if it is the one that was meant", async () => {
    const store = new LogStore(await linkOf(), keysOf("mkt", "u-1"), HISTORY);
    const forgotten = countsOf(() => 0);
    const prepare = async (generation: string, count: number) => {
      await store.prepare(generation, { epoch: 0, start: 0, top: 0, gaps: [], events: [], forgotten });
      const batch = { generation, isPrepared: true, writer: "w", force: true, after: 0, capacity: 9 };
      await store.append({ ...batch, items: events(1, count) });
    };
    await prepare("g", 5);
    expect(await store.head()).toBeNull();
    expect(await store.replace("g", null)).toBe(true);
    await prepare("h", 4);
    expect(await store.replace("h", "g")).toBe(false);
    await expect(store.replace("h", null)).rejects.toThrow(Conflict);
    const streamOf = (generation: string) => keysOf("mkt", "u-1").stream(`${store.digest}.${generation}`, "other");
    const minutesLeft = async (generation: string) =>
      Math.ceil(Number(await server.command("PTTL", streamOf(generation))) / 60_000);
    const week = 7 * 24 * 60;
    expect([await minutesLeft("g"), await minutesLeft("h")]).toEqual([week, 1]);
    expect(await store.replace("h", "*")).toBe(true);
    // Readers of the old log have a minute more.
    expect([await minutesLeft("g"), await minutesLeft("h")]).toEqual([1, week]);
    expect(await store.head()).toMatchObject({ generation: "h", top: 4 });
    await expect(store.read("g", 0)).rejects.toThrow(Conflict);
  });
});

function events(first: number, count: number): BufferedEvent[] {
  return Array.from({ length: count }, (_, at) => event(first + at));
}

function event(sequence: number): BufferedEvent {
  return { sequence, category: "other", type: "odd.thing", time: "2030-06-01T12:00:00.000Z", data: {}, book: null };
}
