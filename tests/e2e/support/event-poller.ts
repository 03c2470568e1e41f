// An agent that polls mkt_get_recent_events with `since`. An answer that failed, or that was lost, makes it ask again with
// the same `since`.
//
// Every page must continue the one before: numbers ascend, nothing is missed unless it may be, and the history stays the same.

import type { TestClient, ToolAnswer } from "../../support/clients.ts";
import { eventDigest } from "./engine-history.ts";

interface Page {
  readonly events: readonly {
    readonly sequence: number;
    readonly type: string;
    readonly time: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  readonly stats: { readonly latestSequence: number };
  readonly hasMore: boolean;
  readonly missed: number | null;
  readonly epoch: number;
  readonly stale?: boolean;
}

interface PollerOptions {
  /** Reads every field of each event, and makes digests of them. */
  readonly isFull?: boolean;
  readonly waitSeconds?: number;
  /** Whether events may be missed, and counted as such. */
  readonly mayMiss?: boolean;
  /** Before it asks again, unless there is more. */
  readonly pause?: () => Promise<void>;
}

const PAGE = 1000;
const PAUSE_MS = 50;

export class EventPoller {
  readonly sequences: number[] = [];
  /** Empty unless `isFull`. */
  readonly digests: number[] = [];
  pages = 0;
  stalePages = 0;
  missed = 0;
  /** How often a page could not be read, by reason. */
  readonly failures = new Map<string, number>();
  readonly #start: number;
  #since: number;
  #isEnded = false;
  readonly #polling: Promise<void>;

  constructor(
    readonly client: TestClient,
    since: number,
    readonly epoch: number,
    readonly options: PollerOptions = {},
  ) {
    this.#start = this.#since = since;
    this.#polling = this.#poll();
    // `end` reports a failure.
    this.#polling.catch(() => {});
  }

  /** The number up to which the last page was complete. */
  get since(): number {
    return this.#since;
  }

  /** Events that were neither seen nor counted as missed. The user must be allowed to see every event. */
  get unaccounted(): number {
    return this.#since - this.#start - this.sequences.length - this.missed;
  }

  /** Rejects as soon as a page does not continue the one before. */
  get failed(): Promise<never> {
    return this.#polling.then(() => new Promise<never>(() => {}));
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#polling;
  }

  async #poll(): Promise<void> {
    const { pause = () => Bun.sleep(PAUSE_MS) } = this.options;
    while (!this.#isEnded) {
      const page = await this.#page();
      if (page !== null) this.#take(page);
      if (page?.hasMore !== true) await pause();
    }
  }

  /** Null if it has to be asked for again. */
  async #page(): Promise<Page | null> {
    const { isFull = false, waitSeconds = 0 } = this.options;
    const input = { since: this.#since, limit: PAGE, waitSeconds, ...(isFull && { detail: "full" }) };
    let answer: ToolAnswer;
    try {
      answer = await this.client.call("mkt_get_recent_events", input);
    } catch (error) {
      const { name, message } = error as Error;
      return this.#failed(`${name}: ${message}`);
    }
    if (!answer.isError) return answer.value as unknown as Page;
    const { error } = answer.value as { error?: { code?: string } };
    return this.#failed(error?.code ?? answer.text);
  }

  #failed(reason: string): null {
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1);
    return null;
  }

  #take({ events, stats: { latestSequence }, missed, epoch, stale }: Page): void {
    const since = this.#since;
    if (epoch !== this.epoch) throw new Error(`a page after ${since} is of epoch ${epoch}, not ${this.epoch}`);
    if (missed === null || (missed !== 0 && this.options.mayMiss !== true)) {
      throw new Error(`a page after ${since} has missed ${missed}`);
    }
    this.missed += missed;
    if (stale) this.stalePages += 1;
    let last = since;
    for (const { sequence, type, time, data } of events) {
      if (sequence <= last) throw new Error(`event ${sequence} came after ${last}`);
      this.sequences.push(sequence);
      if (this.options.isFull) this.digests.push(eventDigest(type, time, data));
      last = sequence;
    }
    if (latestSequence < last) {
      throw new Error(`a page after ${since} is complete up to ${latestSequence}, before ${last}`);
    }
    this.#since = latestSequence;
    this.pages += 1;
  }
}
