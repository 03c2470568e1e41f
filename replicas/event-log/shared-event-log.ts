// The event log that the replicas of a group share on Redis: all replicas show the same events under the same numbers, also
// those from before their start.
//
// The idea. The engine numbers its events and sends each replica those that the acting user may see, so the event buffers of
// all replicas have nearly the same. They differ in where they begin, and in gaps: numbers whose events are lost to them. The
// log is one more buffer, on Redis, which outlives each of them. Whoever knows more gives it to the other:
//
//   buffer -> log   Any replica writes. The numbers are the engine's, so a copy of what is there is skipped.
//   log -> buffer   A replica reads before it first connects, while its connection to the engine is lost, and if the log has
//                   what is in a gap of the buffer. Otherwise it gets its events from the engine.
//
// There is one log for each history: engine, epoch, user, entity and permissions. A replica knows its history from the engine's
// welcome, so nobody reads events of other rights. newest-history.ts names the one to begin with.
//
// When. A round makes log and buffer agree (log-reconciler.ts). Rounds come one after the other, and calls share them.
//
//   after a turn with events   Only the replica with the lease: it writes at once.
//   every TICK_MS              The others, the followers, look whether the log has what they had a tick before. If not, they
//                              write without the lease, and get it if it is free. Without an engine, they read.
//   at a call (`catchUp`)      Writes without the lease, so what this client has seen is there for all other replicas.
//
// While Redis is unavailable nothing is kept for it: the buffer has what is missing, and after a long time the log is written
// anew. What Redis gives back is not trusted: a damaged log is written anew, too.
//
// To read next: log-reconciler.ts (how log and buffer agree), log-store.ts (what is on Redis, and the scripts), log-codec.ts
// (its texts), ../history/content.ts (what two processes know together).

import { within } from "../../common/within.ts";
import { type History, isSameHistory } from "../../core/market/event-content.ts";
import { newestHistory, setNewestHistory } from "../history/newest-history.ts";
import type { Keys } from "../redis/keys.ts";
import { type RedisLink, RedisUnavailable } from "../redis/redis-link.ts";
import { uptimeSeconds } from "../redis/redis-server-facts.ts";
import { SharedRun } from "../shared-run.ts";
import { DamagedLog } from "./log-codec.ts";
import { type LogClient, LogReconciler, type ReconcilerOptions } from "./log-reconciler.ts";
import { LogStore } from "./log-store.ts";

const TICK_MS = 250;
/** Steps in one round before it is given up until the next one. */
const MAX_STEPS = 12;
/** A Redis that has just started may have lost the log. The other replicas write it again within this time. */
const SETTLE_MS = 2_000;
const SETTLE_PAUSE_MS = 100;
const CLOSE_LIMIT_MS = 500;
/** After Redis was away, the log may lack for so long what another replica has given its clients. */
const REFILL_MS = 30_000;

interface SharedEventLogOptions extends ReconcilerOptions {
  readonly link: RedisLink;
  readonly keys: Keys;
}

/**
 * State:
 *
 *   field          begins as   changes
 *   #reconciler    null        one for each history of the client; null again if the client has none
 *   #announced     null        the session of which Redis was told that its history is the newest; null if Redis is another
 *   #isForced      false       true if a caller of the round that has not begun yet writes without the lease
 *   #atLastTick    0           the newest event at the last tick
 *   #backAt        null        when Redis last came back; long ago while it has not been away
 *   #failures      0           calls whose round failed or took too long
 *   #knowsLog      true        false after such a call, until a round that began after it succeeds
 *   #lastFailure   null        the failure that was logged last; null after a round that succeeded
 *   #isClosed      false       true for good
 */
export class SharedEventLog {
  readonly #options: SharedEventLogOptions;
  readonly #tick: ReturnType<typeof setInterval>;
  readonly #endOnUp: () => void;
  readonly #rounds = new SharedRun(() => this.#reconcile());
  /** Ends the wait for the next change of the buffer. */
  #endWait: () => void = () => {};
  #reconciler: LogReconciler | null = null;
  #announced: LogClient["session"] = null;
  #isForced = false;
  #atLastTick = 0;
  #backAt: number | null = null;
  #failures = 0;
  #knowsLog = true;
  #lastFailure: string | null = null;
  #isClosed = false;

  constructor(options: SharedEventLogOptions) {
    this.#options = options;
    this.#tick = setInterval(() => this.#ticked(), TICK_MS);
    this.#tick.unref();
    options.events.followGroup(() => this.#reachedByGroup);
    this.#endOnUp = options.link.onUp(() => {
      this.#announced = null;
      this.#backAt = this.#backAt === null ? -Infinity : performance.now();
      void this.#round(true);
    });
    this.#awaitChange();
  }

  /** The newest event of the log that this replica knows of; null before the first history, and if unknown. */
  get sequence(): number | null {
    return this.#options.link.isUp ? this.#reconciler?.position.top ?? null : null;
  }

  /**
   * Before each connect as this user, while disconnected: fills the buffer with the group's newest history of this user and
   * makes the client resume after it. Null, without any change, if there is none, if Redis is unavailable, or if the client
   * has a connection or an attempt.
   */
  async restore(userId: string): Promise<History | null> {
    const { link, client, log } = this.#options;
    if (!link.isUp) return null;
    try {
      for (const since = performance.now();;) {
        const history = await this.#restore(userId);
        if (history !== null || client.status !== "disconnected") return history;
        if (performance.now() - since > SETTLE_MS || await uptimeSeconds(link) * 1_000 >= SETTLE_MS) return null;
        await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS));
      }
    } catch (error) {
      this.#failed(error);
      log.warn("began without the shared event log: {why}", { why: (error as Error).message });
      return null;
    }
  }

  /**
   * Writes everything that the buffer has and the log lacks, and then reads what the log has and the buffer lacks while the
   * connection to the engine is lost. Resolves when the buffer has every event that the log had at the call, at most after
   * `limitMs`. True if there is no history yet. False: the buffer lacks some, or Redis is unavailable. Never throws.
   */
  async catchUp(limitMs: number): Promise<boolean> {
    const { client, events, link } = this.#options;
    if (client.history === null || client.status === "disconnected") return true;
    if (!link.isUp) return false;
    const deadline = performance.now() + limitMs;
    const { incarnation } = events;
    const failures = this.#failures;
    if (await within(limitMs, this.#round(true)) !== true) {
      this.#failures += 1;
      this.#knowsLog = false;
      return false;
    }
    this.#knowsLog ||= failures === this.#failures;
    // Above the newest event of the log there can only be a gap, and a replica that has no gap there never gets as far.
    const newest = this.#reconciler?.position.newest ?? 0;
    while (events.latestSequence < newest && events.incarnation === incarnation) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = events.onNext({}, resolve);
      await within(leftMs, promise);
      end();
    }
    return true;
  }

  /** Ends reading and writing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#options.client.history !== null && this.#options.link.isUp) {
      await within(CLOSE_LIMIT_MS, this.#round(true));
    }
    this.#isClosed = true;
    clearInterval(this.#tick);
    this.#endWait();
    this.#endOnUp();
  }

  /**
   * The newest event that a replica can have given a client: each has written it to the log before, unless Redis was away.
   * Infinite if this replica does not know how far the log is.
   */
  get #reachedByGroup(): number {
    const isRefilled = performance.now() - (this.#backAt ?? -Infinity) > REFILL_MS;
    return isRefilled && this.#knowsLog ? this.sequence ?? Infinity : Infinity;
  }

  /** Begins a round after each turn in which the buffer has changed. */
  #awaitChange(): void {
    this.#endWait = this.#options.events.onNext({}, () =>
      queueMicrotask(() => {
        if (this.#isClosed) return;
        this.#awaitChange();
        if (this.#reconciler === null || this.#reconciler.hasLease) void this.#round(false);
      }));
  }

  #ticked(): void {
    const { client, events, link } = this.#options;
    const before = this.#atLastTick;
    this.#atLastTick = events.latestSequence;
    if (!link.isUp || client.history === null) return;
    const reads = client.isQuiet && client.status !== "disconnected";
    const lags = this.#reconciler === null || this.#reconciler.position.top < events.latestSequence;
    if (!reads && !lags) return;
    void this.#round(false).then(() => {
      const top = this.#reconciler?.position.top ?? 0;
      if (before <= events.latestSequence && top < before) void this.#round(true);
    });
  }

  /** A round that begins after this call. `force`: it writes without the lease, too. False: it failed. Never rejects. */
  #round(force: boolean): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    this.#isForced ||= force;
    return this.#rounds.next();
  }

  async #reconcile(): Promise<boolean> {
    const isForced = this.#isForced;
    this.#isForced = false;
    const { link, client } = this.#options;
    if (!link.isUp) return false;
    try {
      for (let step = 0; step < MAX_STEPS; step += 1) {
        await this.#announce();
        const { history } = client;
        this.#reconciler = history === null ? null : this.#reconcilerOf(history);
        if (this.#reconciler === null || await this.#reconciler.step(isForced)) {
          this.#lastFailure = null;
          return true;
        }
      }
    } catch (error) {
      this.#failed(error);
    }
    return false;
  }

  /** Tells Redis that the history of this session is the newest one. */
  async #announce(): Promise<void> {
    const { link, keys, client: { history, session, status } } = this.#options;
    if (history === null || status !== "connected" || session === this.#announced) return;
    const before = await setNewestHistory(link, keys, history);
    if (before !== null) await new LogStore(link, keys, before).expire();
    this.#announced = session;
  }

  #reconcilerOf(history: History): LogReconciler {
    const current = this.#reconciler;
    if (current !== null && isSameHistory(current.history, history)) return current;
    const { link, keys } = this.#options;
    return new LogReconciler(new LogStore(link, keys, history), this.#options);
  }

  async #restore(userId: string): Promise<History | null> {
    const { link, keys, client, events } = this.#options;
    if (client.status !== "disconnected") return null;
    const history = await newestHistory(link, keys, userId);
    if (history === null) return null;
    // What this process has of the same history is put together with the log.
    if (client.history === null || !isSameHistory(client.history, history)) {
      const head = await new LogStore(link, keys, history).head();
      if (head === null || !client.resumeFrom(history)) return null;
      events.begin(history.epoch, head.start);
    }
    return await this.#round(true) ? history : null;
  }

  #failed(error: unknown): void {
    if (!(error instanceof Error)) throw error;
    if (error instanceof RedisUnavailable || error.message === this.#lastFailure) return;
    this.#lastFailure = error.message;
    const what = error instanceof DamagedLog ? "is damaged" : "can't be read or written";
    this.#options.log.error(`the shared event log ${what}: {why}; trying again`, { why: error.message });
  }
}
