// An agent that keeps polling mkt_get_recent_events with `since`: it must see every event once, in order, or in `missed`.

import type { TestClient } from "../../support/clients.ts";
import { succeed } from "../../support/clients.ts";

interface Page {
  readonly events: readonly { readonly sequence: number }[];
  readonly stats: { readonly latestSequence: number };
  readonly missed: number | null;
  readonly stale?: boolean;
}

export class EventFollower {
  seen = 0;
  missed = 0;
  stalePages = 0;
  #start = 0;
  #since = 0;
  #following: Promise<void> | null = null;
  #ended = false;

  constructor(readonly client: TestClient, readonly untilPoll: () => Promise<void>) {}

  /** Starts with the newest event. */
  async start(): Promise<void> {
    const { stats } = await this.#poll({ limit: 1 });
    this.#start = this.#since = stats.latestSequence;
    this.#following = this.#follow();
    // `stop` reports a failure.
    this.#following.catch(() => {});
  }

  /** The number of the last event it knows of. */
  get since(): number {
    return this.#since;
  }

  /** Events that were neither seen nor counted as missed. The user must be allowed to see every event. */
  get unaccounted(): number {
    return this.#since - this.#start - this.seen - this.missed;
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#ended) {
      const { events, stats, missed, stale } = await this.#poll({ since: this.#since, limit: 1000 });
      if (missed === null) throw new Error(`another history after ${this.#since}`);
      let last = this.#since;
      for (const { sequence } of events) {
        if (sequence <= last) throw new Error(`event ${sequence} came after ${last}`);
        last = sequence;
      }
      if (stats.latestSequence < last) throw new Error(`complete up to ${stats.latestSequence}, but ${last} was there`);
      this.seen += events.length;
      this.missed += missed;
      if (stale) this.stalePages += 1;
      this.#since = stats.latestSequence;
      await this.untilPoll();
    }
  }

  async #poll(input: Record<string, unknown>): Promise<Page> {
    return await succeed(this.client, "mkt_get_recent_events", input) as unknown as Page;
  }
}
