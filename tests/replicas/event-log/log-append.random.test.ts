// Random appends to a log on Redis against a plain model: batches that overlap, leave out or repeat what the log has, gaps,
// streams that are full, and a lease that nobody, this writer or another one has.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { logger } from "../../../common/logger.ts";
import { countsOf, type Gap, type History } from "../../../core/market/event-content.ts";
import type { BufferedEvent } from "../../../core/market/event-reader.ts";
import { categoryOf } from "../../../protocol/index.ts";
import { LogStore } from "../../../replicas/event-log/log-store.ts";
import { isGap, sequenceOf } from "../../../replicas/history/content.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { size } from "../../support/sizes.ts";

const program = findRedisServer("random appends to the log on Redis");
const HISTORY: History = { engineId: "engine-1", epoch: 0, userId: "u-1", entityId: null, capabilities: [] };
const KEYS = keysOf("mkt", "u-1");
const TYPES = ["odd.thing", "odd.thing", "odd.market", "odd.credit"];
const CAPACITY = 3;
const LEASE_MS = 1_000;

/** What a log has after the items that were taken. */
class PlainLog {
  top = 0;
  newest = 0;
  gaps: Gap[] = [];
  evicted = 0;
  readonly added: Record<string, number> = {};
  events: BufferedEvent[] = [];

  append(items: readonly (BufferedEvent | Gap)[]): void {
    for (const item of items) {
      const number = sequenceOf(item);
      if (number <= this.top) continue;
      if (isGap(item)) this.gaps.push({ from: Math.max(item.from, this.top + 1), to: item.to });
      else {
        this.events.push(item);
        this.added[item.category] = (this.added[item.category] ?? 0) + 1;
        this.newest = number;
      }
      this.top = number;
    }
    const isKept = (event: BufferedEvent) =>
      this.events.filter(({ category }) => category === event.category).slice(-(CAPACITY + 1)).includes(event);
    const kept = this.events.filter(isKept);
    for (const { sequence } of this.events) {
      if (!kept.some((event) => event.sequence === sequence)) this.evicted = Math.max(this.evicted, sequence);
    }
    this.events = kept;
  }
}

/** What there is after each number of the whole history: mostly an event, sometimes the end of a gap. */
const history = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...TYPES) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
  { minLength: 20, maxLength: 40 },
).map((drawn) => {
  let last = 0;
  return drawn.map((each): BufferedEvent | Gap => {
    if (typeof each === "number") return { from: last + 1, to: last += each };
    const time = "2030-06-01T12:00:00.000Z";
    return { sequence: last += 1, category: categoryOf(each), type: each, time, data: {}, book: null };
  });
});
function asGap(one: BufferedEvent | Gap, other: BufferedEvent | Gap): Gap {
  return { from: isGap(one) ? one.from : one.sequence, to: sequenceOf(other) };
}

const batch = fc.record({
  from: fc.integer({ min: -4, max: 2 }),
  length: fc.nat(9),
  lease: fc.constantFrom("nobody's", "own", "another's", "broken"),
  force: fc.boolean(),
  /** The writer has lost the first two of them, of which the log may have one. */
  isLost: fc.boolean(),
});

test.skipIf(program === null)(
  "a log takes what comes after its top, and keeps the newest of each category",
  async () => {
    const server = await startRedisServer(program!);
    const link = new BunRedisLink({ url: server.url, log: logger("test") });
    await link.connected(20_000);
    const property = fc.asyncProperty(
      history,
      fc.array(batch, { minLength: 5, maxLength: 12 }),
      async (all, batches) => {
        await link.send("FLUSHALL", []);
        const store = new LogStore(link, KEYS, HISTORY);
        const content = {
          epoch: 0,
          start: 0,
          top: 0,
          gaps: [],
          events: [],
          forgotten: countsOf(() => 0),
        };
        await store.prepare("g", content);
        expect(await store.replace("g", null)).toBe(true);
        const plain = new PlainLog();
        const lease = KEYS.lease(store.digest);
        let place = 0;
        for (const { from, length, lease: holder, force, isLost } of batches) {
          await link.send("DEL", [lease]);
          if (holder === "own" || holder === "another's") await link.send("SET", [lease, holder]);
          if (holder === "broken") await link.send("HSET", [lease, "a", "b"]);
          const first = Math.max(0, place + from);
          const known = all.slice(first, first + length);
          const items = isLost && known.length > 1 ? [asGap(known[0]!, known[1]!), ...known.slice(2)] : known;
          const after = first === 0 ? 0 : sequenceOf(all[first - 1] ?? all.at(-1)!);
          const batch = { generation: "g", writer: "own", force, after, items, capacity: CAPACITY };
          const { hasLease, ...position } = await store.append(batch);
          if ((holder !== "another's" || force) && plain.top >= after) {
            plain.append(items);
            place = Math.max(place, first + known.length);
          }
          const { top, newest, gaps, evicted, added } = plain;
          expect({ holder, hasLease, ...position }).toEqual({
            holder,
            hasLease: holder !== "another's",
            top,
            newest,
            gaps,
          });
          const leftMs = Number(await link.send("PTTL", [lease]));
          if (holder === "another's") expect(await link.send("GET", [lease])).toBe(holder);
          // It may have ended by now on a slow machine.
          else expect(leftMs === -2 || (leftMs >= 0 && leftMs <= LEASE_MS)).toBe(true);
          expect(await store.head()).toEqual({
            ...{ generation: "g", start: 0, top, newest, gaps, evicted },
            added: countsOf((category) => added[category] ?? 0),
          });
          const since = Math.max(0, top - 4);
          expect(await store.read("g", since)).toMatchObject({
            events: plain.events.filter(({ sequence }) => sequence > since),
            isWhole: evicted <= since,
          });
        }
        expect((await store.read("g", 0)).events).toEqual(plain.events);
      },
    );
    try {
      await fc.assert(property, { numRuns: size(20, 500) });
    } finally {
      link.close();
    }
  },
);
