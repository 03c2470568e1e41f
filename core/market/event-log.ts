// The entries of one category, or of one type and product in it, by ascending sequence. An evicted entry stays without its
// event for a while, so that a reader can be told how many events it missed.
//
// Invariant: by sequence, forgotten < evicted < live.
// Cost: push, evict and forget are constant; each lookup is a binary search.

import { Deque } from "./deque.ts";
import type { BufferedEvent } from "./event-reader.ts";
import { lowerBound } from "./lower-bound.ts";

/** One event, shared by the logs that it is in. */
export class EventEntry {
  readonly sequence: number;
  /** Null once the event is evicted. */
  event: BufferedEvent | null;

  /** `facet`: the log of the event's type and product. */
  constructor(event: BufferedEvent, readonly facet: EventLog) {
    this.sequence = event.sequence;
    this.event = event;
  }
}

/** The entries of a log, oldest first: evicted ones, then live ones. */
export interface ReadableLog {
  /** The number of evicted entries. */
  readonly evictedLength: number;
  /** The number of all entries. */
  readonly size: number;
  entryAt(position: number): EventEntry;
}

export class EventLog implements ReadableLog {
  readonly #entries = new Deque<EventEntry>();
  #evicted = 0;
  #forgotten = 0;
  #firstForgotten = Infinity;
  #lastForgotten = -Infinity;

  /** The number of buffered events. */
  get length(): number {
    return this.#entries.length - this.#evicted;
  }

  get evictedLength(): number {
    return this.#evicted;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The sequence number of the newest forgotten entry. */
  get lastForgotten(): number {
    return this.#lastForgotten;
  }

  /** The number of evicted events whose entries are gone. */
  get forgottenLength(): number {
    return this.#forgotten;
  }

  entryAt(position: number): EventEntry {
    return this.#entries.at(position);
  }

  push(entry: EventEntry): void {
    this.#entries.push(entry);
  }

  /** Counts the oldest live entry as evicted, and returns it. */
  evict(): EventEntry {
    this.#evicted += 1;
    return this.#entries.at(this.#evicted - 1);
  }

  /** Counts `count` events, none of them before `first`, as forgotten without ever having had them. */
  forgetUnseen(count: number, first: number): void {
    this.#forgotten = count;
    this.#firstForgotten = first;
  }

  /** Removes the oldest evicted entry, and returns it. */
  forget(): EventEntry {
    const entry = this.#entries.shift();
    this.#evicted -= 1;
    if (this.#forgotten === 0) this.#firstForgotten = entry.sequence;
    this.#lastForgotten = entry.sequence;
    this.#forgotten += 1;
    return entry;
  }

  /**
   * The number of evicted events after `since`. Exact if the kept entries reach back to `since`, or if `since` is before
   * every event that was ever here. Otherwise a lower bound, of at least 1 unless events were forgotten unseen.
   */
  evictedAfter(since: number): number {
    if (this.#forgotten > 0 && since < this.#firstForgotten) return this.#forgotten + this.#evicted;
    if (since < this.#lastForgotten) return this.#evicted + 1;
    return this.#evicted - Math.min(this.#evicted, positionAfter(this, since));
  }
}

/** Position of the first entry after `since`, live or evicted; `size` if there is none. */
export function positionAfter(log: ReadableLog, since: number): number {
  return lowerBound(log.size, (position) => log.entryAt(position).sequence <= since);
}

/** Whether an entry, live or evicted, has this sequence number. */
export function hasEntry(log: ReadableLog, sequence: number): boolean {
  const position = positionAfter(log, sequence - 1);
  return position < log.size && log.entryAt(position).sequence === sequence;
}
