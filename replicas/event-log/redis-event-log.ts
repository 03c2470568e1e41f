// The shared event log of a group on Redis.
//
// One step at a time: a round writes what the log lacks and reads what the buffer lacks (joined-log.ts). Callers that come
// during a round share the next one. The replica with the lease has a round after each turn in which events came. The others
// look every TICK_MS whether the log has what they had a tick before; if not, they write it themselves. A call that must know
// more has a round of its own (`catchUp`), which writes whoever has the lease.
//
// While Redis is unavailable nothing is kept for it: the buffer has what is missing, and after a long time the log is written
// anew.

import type { Logger } from "../../common/logger.ts";
import { within } from "../../common/within.ts";
import type { EventBuffer } from "../../core/market/event-buffer.ts";
import { type History, isSameHistory } from "../../core/market/event-content.ts";
import type { Keys } from "../redis/keys.ts";
import { type RedisLink, RedisUnavailable } from "../redis/redis-link.ts";
import type { SharedEventLog } from "./shared-event-log.ts";
import { JoinedLog, type LogClient } from "./joined-log.ts";
import { LogStore } from "./log-store.ts";
import { newestHistory, setNewestHistory } from "./newest-history.ts";
import { DamagedLog } from "./log-item-codec.ts";

const TICK_MS = 250;
/** Steps in one round before it is given up until the next one. */
const MAX_STEPS = 12;
/** How long a first connect waits for Redis. */
const RESTORE_LIMIT_MS = 1_500;
/** A Redis that has started since may have lost the log. The other replicas write it again within this time. */
const SETTLED_AFTER_SECONDS = 2;
const SETTLE_PAUSE_MS = 100;
const CLOSE_LIMIT_MS = 500;

interface RedisEventLogOptions {
  readonly link: RedisLink;
  readonly keys: Keys;
  readonly client: LogClient;
  /** The buffer of `client`. The log becomes its observer. */
  readonly events: EventBuffer;
  readonly log: Logger;
  /** Names this replica; random if absent. */
  readonly replicaId?: string;
}

export class RedisEventLog implements SharedEventLog {
  readonly #options: RedisEventLogOptions;
  readonly #writer: string;
  readonly #tick: ReturnType<typeof setInterval>;
  readonly #endOnUp: () => void;
  readonly #endOnDown: () => void;
  readonly #reached = new Set<() => void>();
  #joined: JoinedLog | null = null;
  /** The session of which Redis was told that its history is the newest. */
  #named: LogClient["session"] = null;
  /** The round that has not begun yet. */
  #next: PromiseWithResolvers<boolean> | null = null;
  #isForced = false;
  /** Rounds and restores, one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** The newest event at the last tick. */
  #atLastTick = 0;
  #lastFailure: string | null = null;
  #isClosed = false;

  constructor(options: RedisEventLogOptions) {
    this.#options = options;
    this.#writer = options.replicaId ?? crypto.randomUUID();
    const { link, events } = options;
    this.#tick = setInterval(() => this.#ticked(), TICK_MS);
    this.#tick.unref();
    this.#endOnUp = link.onUp(() => void this.#round(true));
    this.#endOnDown = link.onDown(() => {
      this.#joined?.forgetLease();
      this.#named = null;
    });
    events.observe(() => this.#changed());
  }

  get sequence(): number | null {
    return this.#options.link.isUp ? this.#joined?.top ?? null : null;
  }

  async restore(userId: string): Promise<History | null> {
    const { link, log } = this.#options;
    if (!await isUp(link, RESTORE_LIMIT_MS)) return null;
    try {
      const since = performance.now();
      for (;;) {
        const history = await this.#alone(() => this.#restore(userId));
        const waitedMs = performance.now() - since;
        if (history !== null || waitedMs > SETTLED_AFTER_SECONDS * 1_000 || !await this.#hasJustStarted()) {
          return history;
        }
        await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS));
      }
    } catch (error) {
      this.#failed(error);
      log.warn("began without the shared event log: {why}", { why: (error as Error).message });
      return null;
    }
  }

  async catchUp(limitMs: number): Promise<boolean> {
    const { client, events, link } = this.#options;
    if (client.history === null || client.status === "disconnected") return true;
    if (!link.isUp) return false;
    const deadline = performance.now() + limitMs;
    const { incarnation } = events;
    if (await within(limitMs, this.#round(true)) !== true) return false;
    // Above the newest event of the log there can only be a gap, and a replica that has no gap there never gets as far.
    const newest = this.#joined?.newest ?? 0;
    while (events.latestSequence < newest && events.incarnation === incarnation) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return false;
      await within(leftMs, this.#nextChange());
    }
    return true;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#options.client.history !== null && this.#options.link.isUp) {
      await within(CLOSE_LIMIT_MS, this.#round(true));
    }
    this.#isClosed = true;
    clearInterval(this.#tick);
    this.#options.events.observe(null);
    this.#endOnUp();
    this.#endOnDown();
    await within(CLOSE_LIMIT_MS, this.#last);
  }

  /** The buffer has changed in this turn. */
  #changed(): void {
    for (const wake of [...this.#reached]) wake();
    if (this.#joined === null || this.#joined.isWriter) void this.#round(false);
  }

  /** Resolves at the next change of the buffer, or at the next tick. */
  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#reached.delete(wake);
        resolve();
      };
      this.#reached.add(wake);
    });
  }

  #ticked(): void {
    const { client, events, link } = this.#options;
    for (const wake of [...this.#reached]) wake();
    const before = this.#atLastTick;
    this.#atLastTick = events.latestSequence;
    if (!link.isUp || client.history === null) return;
    const reads = client.isQuiet && client.status !== "disconnected";
    const lags = this.#joined === null || this.#joined.top < events.latestSequence;
    if (!reads && !lags) return;
    void this.#round(false).then(() => {
      if (before <= events.latestSequence && (this.#joined?.top ?? 0) < before) void this.#round(true);
    });
  }

  /** A round that begins after this call. False: it failed. Never rejects. */
  #round(force: boolean): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    this.#isForced ||= force;
    if (this.#next !== null) return this.#next.promise;
    const next = Promise.withResolvers<boolean>();
    this.#next = next;
    void this.#alone(async () => {
      const isForced = this.#isForced;
      this.#next = null;
      this.#isForced = false;
      next.resolve(await this.#tried(isForced));
    });
    return next.promise;
  }

  async #tried(force: boolean): Promise<boolean> {
    if (!this.#options.link.isUp) return false;
    try {
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const joined = await this.#join();
        if (joined === null) return true;
        const { history } = this.#options.client;
        if (history === null || !isSameHistory(joined.history, history)) continue;
        if (await joined.step(force) === "done") {
          this.#lastFailure = null;
          return true;
        }
      }
      return false;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** The log of the client's history; null if it has none. */
  async #join(): Promise<JoinedLog | null> {
    const { link, keys, client, events, log } = this.#options;
    const { history } = client;
    if (history === null) return this.#joined = null;
    if (this.#joined === null || !isSameHistory(this.#joined.history, history)) {
      const store = new LogStore(link, keys, history);
      this.#joined = new JoinedLog({ store, client, events, writer: this.#writer, log });
    }
    const { session } = client;
    if (client.status === "connected" && session !== this.#named) {
      await setNewestHistory(link, keys, history);
      this.#named = session;
    }
    return this.#joined;
  }

  async #restore(userId: string): Promise<History | null> {
    const { link, keys, client, events, log } = this.#options;
    if (client.status !== "disconnected") return null;
    const history = await newestHistory(link, keys, userId);
    if (history === null) return null;
    // What this process already has is put together with the log.
    if (client.history !== null && isSameHistory(client.history, history)) {
      return await this.#tried(true) ? client.history : null;
    }
    const store = new LogStore(link, keys, history);
    const joined = new JoinedLog({ store, client, events, writer: this.#writer, log });
    const generation = await store.generation();
    const content = generation === null ? null : await joined.resumableContent(generation);
    if (content === null || !client.resumeFrom(history, content)) return null;
    this.#joined = null;
    log.info("began with {count} events of the shared log", { count: content.events.length });
    return history;
  }

  /** Whether Redis may still be without what the replicas have. */
  async #hasJustStarted(): Promise<boolean> {
    const { link, client } = this.#options;
    if (client.status !== "disconnected") return false;
    const facts = String(await link.send("INFO", ["server"]));
    const uptime = /^uptime_in_seconds:(\d+)/m.exec(facts)?.[1];
    return uptime !== undefined && Number(uptime) < SETTLED_AFTER_SECONDS;
  }

  #failed(error: unknown): void {
    if (!(error instanceof Error)) throw error;
    if (error instanceof RedisUnavailable || error.message === this.#lastFailure) return;
    this.#lastFailure = error.message;
    const what = error instanceof DamagedLog ? "is damaged" : "can't be read or written";
    this.#options.log.error(`the shared event log ${what}: {why}; trying again`, { why: error.message });
  }

  /** Runs after all that was asked for before. */
  async #alone<Result>(run: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      return await run();
    } finally {
      resolve();
    }
  }
}

/** Whether Redis can be reached, now or within this time. */
async function isUp(link: RedisLink, limitMs: number): Promise<boolean> {
  if (link.isUp) return true;
  const { promise, resolve } = Promise.withResolvers<true>();
  const end = link.onUp(() => resolve(true));
  try {
    return await within(limitMs, promise) ?? false;
  } finally {
    end();
  }
}
