// Replicas of one user without sockets: an engine that numbers events, and connections to it that tests slow down and cut.
// Each replica has a real buffer, a real market cache, a real link to Redis, and a real event log.

import { expect } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { MarketCache } from "../../../core/backend/market-cache.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import type { History } from "../../../core/market/event-content.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import type { HistoryItem } from "../../../replicas/history/content.ts";
import type { LogClient } from "../../../replicas/event-log/log-reconciler.ts";
import { SharedEventLog } from "../../../replicas/event-log/shared-event-log.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import { DAY_MS } from "../../../protocol/time-units.ts";
import type { EventMessage, Welcome } from "../../../protocol/index.ts";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";

export const EPOCH = 1_772_463_600_000_000;
const USER_ID = "u-1";
const TIME = "2030-06-01T12:00:00.000Z";
const TYPES = ["change.user", "change.clock", "odd.thing", "change.credit", "halt.market"];

export const SECRET = "Secret";

type Rights = Pick<History, "entityId" | "capabilities">;

export function maySee({ capabilities }: Rights, { data }: Pick<EventMessage, "data">): boolean {
  return data["isSecret"] !== true || capabilities.includes(SECRET);
}

/** Numbers events, keeps the newest of them, and sends them to its connections. */
export class SmallEngine {
  engineId = "engine-1";
  epoch = EPOCH;
  sequence = EPOCH;
  rights: Rights = { entityId: "north", capabilities: ["Market.View"] };
  readonly connections = new Set<SmallConnection>();
  /** All events of this epoch that the user may see. */
  events: EventMessage[] = [];
  /** Events up to this number can't be sent again. */
  lostUpTo = EPOCH;

  /** `other`: the event is for other users only; `secret`: for users with the capability SECRET. */
  publish(kind: "open" | "secret" | "other" = "open"): void {
    this.sequence += 1;
    const { sequence } = this;
    if (kind === "other") return;
    const type = TYPES[sequence % TYPES.length]!;
    const data = { number: sequence, text: "Zoë", ...(kind === "secret" && { isSecret: true }) };
    const event: EventMessage = { kind: "event", sequence, type, time: TIME, data };
    this.events.push(event);
    for (const { rights, queue } of this.connections) if (maySee(rights, event)) queue.push(event);
  }

  /** Begins another history. */
  restart(): void {
    this.epoch = this.sequence + 1_000;
    this.sequence = this.epoch;
    this.lostUpTo = this.epoch;
    this.events = [];
    this.cutAll();
  }

  /** Forgets what it could have sent again. */
  forget(): void {
    this.lostUpTo = this.sequence;
  }

  cutAll(): void {
    for (const connection of [...this.connections]) connection.cut();
  }

  /** What a connection with these rights gets that resumes after this number. */
  after(sequence: number, rights: Rights): HistoryItem[] {
    const lost = Math.min(this.lostUpTo, this.sequence);
    const gap = sequence < lost ? [{ from: sequence + 1, to: lost }] : [];
    const first = Math.max(sequence, lost);
    const events = this.events.filter((event) => event.sequence > first && maySee(rights, event));
    return [...gap, ...events] as unknown as HistoryItem[];
  }
}

/** What is on the way from the engine to one replica. */
class SmallConnection {
  readonly queue: (EventMessage | HistoryItem)[] = [];
  /** Those of the user when the connection was made. */
  readonly rights: Rights;

  constructor(readonly engine: SmallEngine, readonly onCut: () => void) {
    this.rights = engine.rights;
    engine.connections.add(this);
  }

  cut(): void {
    this.engine.connections.delete(this);
    this.onCut();
  }
}

class SmallClient implements LogClient {
  readonly cache: MarketCache;
  status: LogClient["status"] = "disconnected";
  session: LogClient["session"] = null;
  #connection: SmallConnection | null = null;

  constructor(private readonly engine: SmallEngine, readonly events: EventBuffer) {
    this.cache = new MarketCache(new Snapshot(), events, new EngineClock(Date.now));
  }

  get history(): History | null {
    return this.cache.history;
  }

  get setbacks(): number {
    return this.cache.setbacks;
  }

  get isQuiet(): boolean {
    return this.#connection === null;
  }

  resumeFrom(history: History): boolean {
    if (this.status !== "disconnected") return false;
    this.cache.resume(history);
    return true;
  }

  connect(): void {
    if (this.#connection !== null) return;
    const { engineId, epoch, sequence, rights } = this.engine;
    const point = this.cache.resumePoint();
    const connection = new SmallConnection(this.engine, () => {
      this.#connection = null;
      this.status = "reconnecting";
      this.cache.abandon();
    });
    this.#connection = connection;
    const welcome: Welcome = {
      kind: "welcome",
      ...{ engineId, epoch, sequence, userId: USER_ID, time: TIME },
      entityId: rights.entityId,
      capabilities: [...rights.capabilities],
    };
    this.cache.welcome(welcome);
    this.cache.snapshotEnd();
    this.status = "connected";
    this.session = { ...this.history! };
    if (point?.epoch === epoch) connection.queue.push(...this.engine.after(point.sequence, rights));
  }

  /** Reads up to `count` of the messages that are on the way. */
  receive(count = Infinity): void {
    const { queue } = this.#connection ?? { queue: [] };
    for (const message of queue.splice(0, count)) {
      if ("from" in message) this.cache.gap(message.from, message.to);
      else this.cache.event(message as EventMessage, null);
    }
  }

  cut(): void {
    this.#connection?.cut();
  }
}

export class Replica implements AsyncDisposable {
  readonly events: EventBuffer;
  readonly client: SmallClient;
  readonly link: BunRedisLink;
  readonly log: SharedEventLog;

  constructor(
    engine: SmallEngine,
    redisUrl: string,
    { size, name, namespace = "mkt" }: { size: number; name: string; namespace?: string },
  ) {
    this.events = new EventBuffer(size);
    this.client = new SmallClient(engine, this.events);
    this.link = new BunRedisLink({ url: redisUrl, log: logger("test") });
    const keys = keysOf(namespace, USER_ID);
    const parts = { client: this.client, events: this.events, log: logger("test"), writer: name };
    this.log = new SharedEventLog({ link: this.link, keys, ...parts });
  }

  /** What it shows, counted from the epoch. */
  get numbers(): number[] {
    return this.events.read({ since: EPOCH, limit: 1000 }).events.map(({ sequence }) => sequence - EPOCH);
  }

  /** As a process begins: with the log's events if Redis can be reached soon, then with the engine. */
  async start(): Promise<this> {
    await this.link.connected(1_500).catch(() => "it is away");
    await this.log.restore(USER_ID);
    this.client.connect();
    return this;
  }

  /** As a process that is killed. */
  kill(): void {
    this.client.cut();
    this.link.close();
    void this.log.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.cut();
    await this.log.close();
    this.link.close();
  }
}

/** The engine publishes events, and these replicas read all that is on the way to them. */
export function publish(engine: SmallEngine, count: number, ...replicas: readonly Replica[]): void {
  for (let number = 0; number < count; number += 1) engine.publish();
  for (const replica of replicas) replica.client.receive();
}

/** The replicas, one after the other, know all that is in the log, and the log has all that they know. */
export async function caughtUp(...replicas: readonly Replica[]): Promise<void> {
  for (const { log } of replicas) expect(await log.catchUp(20_000)).toBe(true);
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** The numbers of all entries of the streams of the one log, ascending. */
export async function entriesOn(server: { command(name: string, ...args: string[]): Promise<unknown> }) {
  const numbers: number[] = [];
  for (const key of await keysOn(server, "*:events:*")) {
    if (await server.command("PTTL", key) as number < DAY_MS) continue;
    const entries = await server.command("XRANGE", key, "-", "+") as [string, unknown][];
    numbers.push(...entries.map(([id]) => Number(id.split("-")[0]) - EPOCH));
  }
  return numbers.sort((one, other) => one - other);
}

export async function keysOn(
  server: { command(name: string, ...args: string[]): Promise<unknown> },
  pattern: string,
): Promise<string[]> {
  return await server.command("KEYS", pattern) as string[];
}
