// Copies the engine's own audit trail to another store, such as table storage: oldest first, in batches, each repeated until
// it is confirmed. The engine never waits for it.
//
// After each batch the trail is marked with the delivered position. A batch that was written but not marked when the
// process ended is written again by the next process; stores ignore repeated events. A trail in a directory keeps all
// undelivered events. A trail in memory keeps only its capacity; lost events are counted and logged.
//
// A failed batch is tried again after 250 ms, then after waits that double up to 30 s (Backoff).

import { numberOf } from "../../common/audit/audit-id.ts";
import type { AuditStore } from "../../common/audit/audit-store.ts";
import { errorMessage } from "../../common/error-message.ts";
import type { Logger } from "../../common/logger.ts";
import { Backoff } from "../../protocol/client/backoff.ts";
import type { EngineAuditStore } from "./engine-audit-store.ts";

/** Events in one batch: as many as a transaction of table storage takes. */
const BATCH = 100;
/** How often an idle delivery looks for new events. */
const IDLE_MS = 250;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;

interface AuditDeliveryOptions {
  readonly source: EngineAuditStore;
  readonly target: AuditStore;
  readonly log: Logger;
  /** From 0 to below 1; default Math.random. */
  readonly random?: () => number;
}

export class AuditDelivery {
  readonly #options: AuditDeliveryOptions;
  readonly #running: Promise<void>;
  readonly #backoff: Backoff;
  #stopping = false;
  /** Ends the current wait. */
  #wake: () => void = () => {};
  /** Wait before the next attempt; null if the last one succeeded. */
  #retryMs: number | null = null;
  #delivered: number;
  /** Whether the other store has accepted a batch. The first batch is sent even if empty, so faults show at the start. */
  #isReady = false;

  constructor(options: AuditDeliveryOptions) {
    this.#options = options;
    this.#backoff = new Backoff(FIRST_WAIT_MS, MAX_WAIT_MS, options.random);
    this.#delivered = options.source.beginDelivery();
    this.#running = this.#run();
  }

  /** Events that the other store does not have yet. */
  get undelivered(): number {
    return this.#options.source.lastPosition - this.#delivered;
  }

  /** Delivers the rest for at most `graceMs`, without retries, and logs how many events were not delivered. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#wake();
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, graceMs);
    await Promise.race([this.#running, grace.promise]);
    clearTimeout(timer);
    if (this.undelivered === 0) return;
    const { source, log } = this.#options;
    const fate = source.isDurable ? "will be at the next start" : "are lost";
    log.warn("audit events not delivered: {undelivered}; they {fate}", { undelivered: this.undelivered, fate });
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

  /** True if there was nothing to deliver. Never throws, so a failure here does not stop the engine. */
  async #deliverBatch(): Promise<boolean> {
    const { source, target, log } = this.#options;
    try {
      const events = await source.after(this.#delivered, BATCH);
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
        log.info("audit events are delivered again; left: {undelivered}", { undelivered: this.undelivered });
      }
      this.#retryMs = null;
      this.#backoff.reset();
      return last === undefined;
    } catch (error) {
      const facts = { reason: errorMessage(error), undelivered: this.undelivered };
      if (this.#retryMs === null) log.warn("audit events wait to be delivered: {undelivered}; {reason}", facts);
      else log.debug("audit events still wait: {undelivered}; {reason}", facts);
      this.#retryMs = this.#backoff.nextMs();
      return false;
    }
  }

  /** Ends early on `stop`. */
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
