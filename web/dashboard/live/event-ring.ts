// The newest events, in a ring: adding costs as much as what is added, however many are kept.

import type { FeedEvent } from "../../contract/update.ts";

export class EventRing {
  readonly #events: (FeedEvent | undefined)[];
  /** Events added since the last `clear`; the next one is written at this place, modulo the capacity. */
  #added = 0;

  constructor(readonly capacity: number) {
    this.#events = new Array(capacity);
  }

  get length(): number {
    return Math.min(this.#added, this.capacity);
  }

  /** Oldest first. */
  add(events: readonly FeedEvent[]): void {
    for (const event of events) this.#events[this.#added++ % this.capacity] = event;
  }

  clear(): void {
    this.#events.fill(undefined);
    this.#added = 0;
  }

  /** At most `limit` events that match, newest first. Cost: the events that are looked at. */
  newest(limit: number, matches: (event: FeedEvent) => boolean = () => true): FeedEvent[] {
    const found: FeedEvent[] = [];
    for (const event of this) {
      if (found.length >= limit) break;
      if (matches(event)) found.push(event);
    }
    return found;
  }

  /** Newest first. */
  *[Symbol.iterator](): Generator<FeedEvent> {
    for (let index = this.#added - 1; index >= this.#added - this.length; index--) {
      yield this.#events[index % this.capacity]!;
    }
  }
}
