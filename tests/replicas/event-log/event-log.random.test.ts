// Random lives of replicas that share a log, against what the engine has published.
//
// Clients poll with `since` through whichever replica. A page must be ascending, after `since`, of events that the replica's
// user may see, and complete up to its `latestSequence`, unless it says that something is missed. In worlds that lose nothing,
// nothing may be missed either. At the end all replicas, and one that starts then, have the same content.

import { describe, expect, test } from "bun:test";
import type { EventBuffer } from "../../../core/market/event-buffer.ts";
import type { EventContent } from "../../../core/market/event-content.ts";
import { contentOf } from "../../../replicas/history/content.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { findRedisServer, type RedisServer, startRedisServer } from "../../support/redis-server.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { until } from "../../support/until.ts";
import { maySee, Replica, SECRET, SmallEngine } from "./replica-world.ts";

const program = findRedisServer("random tests of the shared event log");
const RUNS = size(1, 25);
const STEPS = size(40, 600);
const REPLICAS = 3;
const CLIENTS = 3;

interface World {
  readonly name: string;
  /** Events of each category that a buffer keeps. */
  readonly bufferSize: number;
  /** Whether events, histories and the data of Redis may be lost. */
  readonly isLossy: boolean;
}

const WORLDS: readonly World[] = [
  { name: "of events that can all be sent again", bufferSize: 100_000, isLossy: false },
  { name: "of lost events, rights that change, and a Redis that loses its data", bufferSize: 100_000, isLossy: true },
  { name: "of the same, with small buffers", bufferSize: 12, isLossy: true },
];

class Draws {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  below(limit: number): number {
    return this.#random.integer(0, limit - 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

/** Polls with the `latestSequence` of its last page. */
interface Client {
  since: number;
  epoch: number | null;
  /** Events that it was sent in this epoch. */
  seen: number[];
  /** The first `since` of this epoch. */
  from: number;
}

class Life {
  readonly engine = new SmallEngine();
  readonly replicas: Replica[] = [];
  readonly clients: Client[] = Array.from({ length: CLIENTS }, () => ({ since: 0, epoch: null, seen: [], from: 0 }));
  #names = 0;
  #isSuspended = false;
  polls = 0;

  constructor(
    private readonly draws: Draws,
    private readonly redis: RedisServer,
    private readonly world: World,
    private readonly namespace: string,
    private readonly steps: LastSteps,
  ) {}

  async run(): Promise<void> {
    for (let at = 0; at < REPLICAS; at += 1) this.replicas.push(await this.#born());
    for (let step = 0; step < STEPS; step += 1) {
      await this.#step();
      for (const replica of this.replicas) this.#check(replica);
    }
    await this.#end();
  }

  async #born(): Promise<Replica> {
    const { namespace, world: { bufferSize } } = this;
    const name = `r-${this.#names += 1}`;
    return await new Replica(this.engine, this.redis.url, { size: bufferSize, name, namespace }).start();
  }

  async #step(): Promise<void> {
    const { draws, engine, replicas, world: { isLossy } } = this;
    const replica = draws.of(replicas);
    const drawn = draws.below(1_000);
    this.steps.add(`${replicas.indexOf(replica)}: ${drawn}`);
    if (drawn < 300) { for (let count = draws.below(8); count >= 0; count -= 1) engine.publish(this.#kind()); }
    else if (drawn < 600) replica.client.receive(1 + draws.below(10));
    else if (drawn < 850) await this.#poll(draws.of(this.clients), replica);
    else if (drawn < 890) replica.client.cut();
    else if (drawn < 940) replica.client.connect();
    else if (drawn < 960) await this.#replace(draws.below(REPLICAS));
    else if (drawn < 970) await Bun.sleep(draws.below(300));
    else if (drawn < 975) await this.#restartRedis();
    else if (drawn < 980) this.#suspendRedis();
    else if (isLossy && drawn < 984) await this.redis.command("FLUSHALL").catch(() => "it is away");
    else if (isLossy && drawn < 990) engine.forget();
    else if (isLossy && drawn < 993) engine.restart();
    else if (isLossy && drawn < 1_000) this.#changeRights();
  }

  #kind(): "open" | "secret" | "other" {
    if (this.draws.chance(20)) return "other";
    return this.world.isLossy && this.draws.chance(30) ? "secret" : "open";
  }

  #changeRights(): void {
    this.engine.rights = { entityId: "north", capabilities: this.draws.chance(50) ? [SECRET] : [] };
    if (this.draws.chance(50)) this.engine.cutAll();
  }

  /** A replica dies, and another one begins. Where nothing may be lost, it finds the log. */
  async #replace(at: number): Promise<void> {
    if (!this.world.isLossy) this.#resumeRedis();
    this.replicas[at]!.kill();
    this.replicas[at] = await this.#born();
  }

  async #restartRedis(): Promise<void> {
    this.#resumeRedis();
    await (this.draws.chance(50) ? this.redis.stop() : this.redis.kill());
    if (this.draws.chance(50)) await this.#poll(this.draws.of(this.clients), this.draws.of(this.replicas));
    await this.redis.start();
  }

  #suspendRedis(): void {
    if (this.#isSuspended) return this.#resumeRedis();
    this.redis.suspend();
    this.#isSuspended = true;
  }

  #resumeRedis(): void {
    if (!this.#isSuspended) return;
    this.redis.resume();
    this.#isSuspended = false;
  }

  async #poll(client: Client, replica: Replica): Promise<void> {
    const waits = replica.log.catchUp(this.draws.below(200));
    if (this.draws.chance(50)) replica.client.receive();
    await waits;
    if (replica.client.history !== null) this.#read(client, replica, 1 + this.draws.below(20));
  }

  #read(client: Client, { events, client: { history } }: Replica, limit: number): boolean {
    const isFirst = client.epoch !== history!.epoch;
    if (isFirst && client.epoch !== null && client.epoch > history!.epoch) return false;
    const since = isFirst ? events.start : client.since;
    const page = events.read({ since, limit });
    this.polls += 1;
    const got = page.events.map(({ sequence }) => sequence);
    expect(got).toEqual(got.toSorted((one, other) => one - other));
    for (const { sequence, data } of page.events) {
      expect(sequence).toBeGreaterThan(since);
      expect(data["number"]).toBe(sequence);
      expect(maySee(history!, { data: { ...data } })).toBe(true);
    }
    if (this.engine.epoch === history!.epoch) {
      const due = this.engine.events.filter((event) =>
        event.sequence > since && event.sequence <= page.latestSequence && maySee(history!, event)
      );
      if (page.missed === 0) expect(got).toEqual(due.map(({ sequence }) => sequence));
      if (page.missed === 0 || !this.world.isLossy) expect(page.missed).toBe(0);
    }
    if (isFirst) Object.assign(client, { epoch: history!.epoch, seen: [], from: since });
    client.seen.push(...got);
    client.since = page.latestSequence;
    return page.hasMore;
  }

  /** After `wholeAfter`, and outside gaps, the buffer has every event that the user may see. */
  #check({ events, client: { history } }: Replica): void {
    if (history === null || history.epoch !== this.engine.epoch) return;
    const { wholeAfter, gaps, latestSequence } = events;
    const due = this.engine.events.filter((event) =>
      event.sequence > wholeAfter && event.sequence <= latestSequence && maySee(history, event) &&
      !gaps.some(({ from, to }) => from <= event.sequence && event.sequence <= to)
    );
    const held = contentOf(events).events.filter(({ sequence }) => sequence > wholeAfter);
    expect(held.map(({ sequence }) => sequence)).toEqual(due.map(({ sequence }) => sequence));
  }

  /** What replicas must agree on. What is lost among evicted events may be counted differently, but never as 0. */
  #shown(buffer: EventBuffer): Partial<EventContent> {
    const { epoch, start, top, gaps, events, forgotten } = contentOf(buffer);
    return { epoch, start, top, events, ...(!this.world.isLossy && { gaps, forgotten }) };
  }

  /** Everything arrives; then all replicas are the same. */
  async #end(): Promise<void> {
    const { engine, replicas } = this;
    this.#resumeRedis();
    engine.cutAll();
    for (const { client } of replicas) client.connect();
    // A replica that began without the log does not know whether the numbers just before were events that it may see.
    engine.publish();
    await until(async () => {
      for (const { client } of replicas) client.receive();
      const caughtUp = await Promise.all(replicas.map(({ log }) => log.catchUp(1_000)));
      return caughtUp.every(Boolean) &&
        replicas.every(({ events }) => Bun.deepEquals(this.#shown(events), this.#shown(replicas[0]!.events)));
    }, "all replicas to have the same content").catch((error: Error) => {
      const contents = replicas.map(({ events }) => briefly(contentOf(events)));
      throw new Error([error.message, ...contents].join("\n"), { cause: error });
    });
    const content = contentOf(replicas[0]!.events);
    const late = await this.#born();
    replicas.push(late);
    expect(await late.log.catchUp(10_000)).toBe(true);
    expect(this.#shown(late.events)).toEqual(this.#shown(replicas[0]!.events));
    const known = content.events.map(({ sequence }) => sequence);
    expect(known).toEqual(engine.events.map(({ sequence }) => sequence).filter((sequence) => known.includes(sequence)));
    if (this.world.isLossy) return;
    expect(known).toEqual(engine.events.map(({ sequence }) => sequence));
    for (const client of this.clients) {
      while (this.#read(client, this.draws.of(replicas), 50));
      const due = engine.events.filter(({ sequence }) => sequence > client.from).map(({ sequence }) => sequence);
      expect(client.seen).toEqual(due);
    }
  }

  async close(): Promise<void> {
    this.#resumeRedis();
    for (const replica of this.replicas) replica.kill();
    await this.redis.clear();
  }
}

/** With numbers from the epoch. */
function briefly({ epoch, start, top, gaps, events, forgotten }: EventContent): string {
  return JSON.stringify({
    ...{ start: start - epoch, top: top - epoch, gaps: gaps.map(({ from, to }) => [from - epoch, to - epoch]) },
    ...{ forgotten, events: events.map(({ sequence }) => sequence - epoch).join(" ") },
  });
}

describe.skipIf(program === null)("replicas of a shared event log", () => {
  for (const [at, world] of WORLDS.entries()) {
    test(`in a world ${world.name} show each event once and in order`, async () => {
      const redis = await startRedisServer(program!, { appendOnly: !world.isLossy });
      for (let run = 0; run < RUNS; run += 1) {
        const seed = SEED + 1_000 * run + at;
        await withSeedInFailures(async (steps) => {
          const life = new Life(new Draws(seed), redis, world, `run-${run}`, steps);
          await life.run().finally(() => life.close());
          expect(life.polls).toBeGreaterThan(STEPS / 10);
        });
      }
    });
  }
});
