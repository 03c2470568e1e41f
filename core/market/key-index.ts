// The entries of one category by an id that their events name: a contract, an entity or an order.
//
// An order is new every few events, so a log of its own that drops entries one by one would cost more than the rest of the
// buffer. So a log of an id only grows, and all logs are dropped together: they are kept in two generations, and a new one
// begins after as many entries as the category keeps. Then all entries of the older one are forgotten.
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

  /** Puts the newest entry into the log of `id`, once. A value that is no text is no id. */
  add(id: unknown, entry: EventEntry): void {
    if (typeof id !== "string") return;
    const entries = this.#newer.get(id);
    if (entries === undefined) this.#newer.set(id, [entry]);
    else if (entries[entries.length - 1] !== entry) entries.push(entry);
  }

  /** Call it when all entries before the last call of it are forgotten. */
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
