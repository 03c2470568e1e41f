// Looks at all books at some times of a run: at chosen times the last look before each, otherwise looks at equal distances.
//
// Memory: at most 64 looks; when there are more, every other one is dropped.

import type { Cell } from "../tape/tables.ts";

/** Prices in cents/MWh, volumes in MW; the best level first. */
export interface BookLevels {
  readonly bids: (readonly [price: number, megawatts: number])[];
  readonly asks: (readonly [price: number, megawatts: number])[];
}

export interface BookLook {
  readonly time: number;
  /** By contract; contracts that had no order are missing. */
  readonly books: ReadonlyMap<string, BookLevels>;
}

interface GrowingLook extends BookLook {
  readonly books: Map<string, BookLevels>;
}

const MOST = 64;
const LOOK_MS = 300_000;

export class BookLooks {
  #looks: GrowingLook[] = [];
  #distance = LOOK_MS;
  #latest: GrowingLook | null = null;

  /** `times`: null: chosen when the end is known. */
  constructor(private readonly start: number, private readonly times: readonly number[] | null) {}

  /** A row of the tape's depth. Times only grow. */
  add(time: number, [, contractId, side, , price, volume]: readonly Cell[]): void {
    const { books } = this.#latest === null || this.#latest.time !== time ? this.#begin(time) : this.#latest;
    const id = String(contractId);
    let book = books.get(id);
    if (book === undefined) books.set(id, book = { bids: [], asks: [] });
    (side === "BUY" ? book.bids : book.asks).push([Number(price), Number(volume)]);
  }

  /** In the order of time, each once. */
  shown(end: number): BookLook[] {
    const all = [...this.#looks, ...(this.#latest === null ? [] : [this.#latest])];
    const first = all[0];
    if (first === undefined) return [];
    const wanted = this.times ?? [first.time, (this.start + end) / 2, end];
    const chosen = wanted.map((time) => all.findLast((look) => look.time <= time) ?? first);
    return [...new Set(chosen)].sort((a, b) => a.time - b.time);
  }

  #begin(time: number): GrowingLook {
    const before = this.#latest;
    if (before !== null) this.#keep(before, time);
    return this.#latest = { time, books: new Map() };
  }

  /** Keeps a look if it may be shown. `next`: time of the look after it. */
  #keep(look: GrowingLook, next: number): void {
    if (this.times !== null) {
      if (this.#looks.length === 0 || this.times.some((each) => each >= look.time && each < next)) {
        this.#looks.push(look);
      }
      return;
    }
    if (this.#looks.length > 0 && (look.time - this.start) % this.#distance !== 0) return;
    this.#looks.push(look);
    if (this.#looks.length <= MOST) return;
    this.#distance *= 2;
    this.#looks = this.#looks.filter((each, at) => at === 0 || (each.time - this.start) % this.#distance === 0);
  }
}
