// Brings the engine's own audit trail to another store as well, such as table storage: oldest first, a batch at a time,
// each until it is confirmed, and never in the way of the engine.
//
// How far it has come is marked in the trail, after each batch. What is written and not yet marked when the process ends is
// written again by the next one; stores take an event once. The trail keeps what is not yet delivered: in a directory
// however much it is, in memory only the newest (its capacity), and what is lost there is counted and logged.
//
// A failed batch is tried again after 250 ms, then after waits that double up to 30 s (Backoff).

import { numberOf } from "../../common/audit/audit-id.ts";
import type { AuditStore } from "../../common/audit/audit-store.ts";
import type { Logger } from "../../common/logger.ts";
import { Backoff } from "../../protocol/client/backoff.ts";
import type { SqliteAuditStore } from "./sqlite-audit-store.ts";

/** Events in one batch: as many as a transaction of table storage takes. */
const BATCH = 100;
/** How often an idle delivery looks for new events. */
const IDLE_MS = 250;
const FIRST_WAIT_MS = 250;
const GREATEST_WAIT_MS = 30_000;

export interface AuditDeliveryOptions {
  readonly source: SqliteAuditStore;
  readonly target: AuditStore;
  readonly log: Logger;
  /** From 0 to below 1; Math.random where absent. */
  readonly random?: () => number;
}

export class AuditDelivery {
  readonly #options: AuditDeliveryOptions;
  readonly #running: Promise<void>;
  #stopping = false;
  #wake: () => void = () => {};
  readonly #backoff: Backoff;
  /** Until the next attempt, if the last one failed; else null. */
  #retryMs: number | null = null;
  #delivered: number;
  /** Whether the other store has been found to take events: what is wrong with it is told at the start. */
  #isReady = false;

  constructor(options: AuditDeliveryOptions) {
    this.#options = options;
    this.#backoff = new Backoff(FIRST_WAIT_MS, GREATEST_WAIT_MS, options.random);
    this.#delivered = options.source.beginDelivery();
    this.#running = this.#run();
  }

  /** Events that the other store does not have yet. */
  get backlog(): number {
    return this.#options.source.lastPosition - this.#delivered;
  }

  /** Delivers what is left, without trying again and for at most `graceMs`, and says what could not be. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#wake();
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, graceMs);
    await Promise.race([this.#running, grace.promise]);
    clearTimeout(timer);
    if (this.backlog === 0) return;
    const { source, log } = this.#options;
    const fate = source.isDurable ? "will be at the next start" : "are lost";
    log.warn("audit events not delivered: {backlog}; they {fate}", { backlog: this.backlog, fate });
  }

  async #run(): Promise<void> {
    for (;;) {
      const isLast = this.#stopping;
      const isIdle = await this.#deliverBatch();
      if (isLast && (isIdle || this.#retryMs !== null)) return;
      if (this.#retryMs !== null) await this.#wait(this.#retryMs);
      else if (isIdle) await this.#wait(IDLE_MS);
    }
  }

  /** True where there was nothing to deliver. Never throws: the engine goes on whatever happens here. */
  async #deliverBatch(): Promise<boolean> {
    const { source, target, log } = this.#options;
    try {
      const events = source.after(this.#delivered, BATCH);
      const [first, last] = [events[0], events.at(-1)];
      if (last !== undefined || !this.#isReady) await target.append(events);
      this.#isReady = true;
      const lost = first === undefined ? 0 : numberOf(first.id) - this.#delivered - 1;
      if (lost > 0) log.error("audit events lost before they could be delivered: {lost}", { lost });
      if (last !== undefined) {
        this.#delivered = numberOf(last.id);
        source.markDelivered(this.#delivered);
      }
      if (this.#retryMs !== null) {
        log.info("audit events are delivered again; left: {backlog}", { backlog: this.backlog });
      }
      this.#retryMs = null;
      this.#backoff.reset();
      return last === undefined;
    } catch (error) {
      const facts = { reason: error instanceof Error ? error.message : String(error), backlog: this.backlog };
      if (this.#retryMs === null) log.warn("audit events wait to be delivered: {backlog}; {reason}", facts);
      else log.debug("audit events still wait: {backlog}; {reason}", facts);
      this.#retryMs = this.#backoff.nextMs();
      return false;
    }
  }

  /** Ends early when it is to stop. */
  async #wait(waitMs: number): Promise<void> {
    if (this.#stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
