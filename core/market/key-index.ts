// Indexes the entries of one category by an id in their events: a contract, an entity or an order.
//
// Every few events there is a new order. Dropping its entries one by one would cost more than the rest of the buffer, so the
// log of an id only grows, and logs are dropped in bulk. There are two generations of logs. A new generation begins after as
// many entries as the category keeps; by then all entries of the older generation are forgotten, and it is dropped.
//
// Invariant: a log holds at least the entries of its id that are not forgotten, by ascending sequence.
// Cost: `add` is one lookup. Memory: at most twice the entries that the category keeps.

import type { EventEntry, ReadableLog } from "./event-log.ts";
import { lowerBound } from "./lower-bound.ts";

type Generation = Map<string, EventEntry[]>;

const NONE: readonly EventEntry[] = [];

export class KeyIndex {
  #older: Generation = new Map();
  #newer: Generation = new Map();

  /** Puts the newest entry into the log of `id`, once. Ignores an `id` that is not a string. */
  add(id: unknown, entry: EventEntry): void {
    if (typeof id !== "string") return;
    const entries = this.#newer.get(id);
    if (entries === undefined) this.#newer.set(id, [entry]);
    else if (entries[entries.length - 1] !== entry) entries.push(entry);
  }

  /** Drops the older generation. All entries from before the previous call must be forgotten by now. */
  beginGeneration(): void {
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  /** As of now. `lastForgotten`: the newest forgotten sequence number of the category. */
  logOf(id: string, lastForgotten: number): ReadableLog {
    return new KeyLog(this.#older.get(id) ?? NONE, this.#newer.get(id) ?? NONE, lastForgotten);
  }
}

/** One id's entries in both generations. */
export class KeyLog implements ReadableLog {
  readonly #forgotten: number;
  readonly size: number;
  readonly evictedLength: number;

  constructor(
    private readonly older: readonly EventEntry[],
    private readonly newer: readonly EventEntry[],
    lastForgotten: number,
  ) {
    const total = older.length + newer.length;
    this.#forgotten = lowerBound(total, (position) => this.#at(position).sequence <= lastForgotten);
    this.size = total - this.#forgotten;
    this.evictedLength = lowerBound(this.size, (position) => this.entryAt(position).event === null);
  }

  entryAt(position: number): EventEntry {
    return this.#at(this.#forgotten + position);
  }

  #at(index: number): EventEntry {
    const { length } = this.older;
    return (index < length ? this.older[index] : this.newer[index - length])!;
  }
}
