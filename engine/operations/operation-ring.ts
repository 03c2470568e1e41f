// Operations of one user, oldest first: each with its id, when it was answered, the fingerprint of its content, and the record
// of its answer (answer-record.ts). They are added at the end and forgotten from the front.
//
// The ids are kept whole and compared whole, so two ids with one hash are never confused. Users choose ids, so the hash has
// a key; otherwise a user could send ids that all fall on one place of the index, and each search would go through them all.
//
// Memory, for each operation: 16 bytes of columns, 11 to 21 of the index, the id (a UUID 17, any other text a byte for each
// character and one more), and the record. Pages are filled one after the other and are freed when their last operation is
// forgotten. The newest page may be half empty.
//
// Cost: O(1) amortised.

import type { Fingerprint } from "../api/fingerprint.ts";
import { IdIndex } from "./id-index.ts";
import type { KeyedHash } from "./keyed-hash.ts";
import { PackedBytes, type PackedReader } from "./packed-bytes.ts";

/** An operation's number is that of its page x PAGE_SIZE + its place in the page. */
const PAGE_SIZE = 1024;
/** Page numbers are used again after as many. The first page is one of the last, so tests also pass over the end. */
const PAGE_NUMBERS = 2 ** 21;
const FIRST_PAGE = PAGE_NUMBERS - 2;
/** A page with more bytes takes no further operation. */
const MAX_PAGE_BYTES = 2 ** 18;
const MAX_UINT32 = 2 ** 32 - 1;

/** The words of an operation in the columns of its page. */
const COLUMNS = 4;
const HIGH = 0;
const LOW = 1;
/** Milliseconds after the first operation of the page. */
const TIME = 2;
/** Where its bytes begin: its id, then the record of its answer. */
const START = 3;

interface Page {
  /** When its first operation was answered, in milliseconds since the epoch. */
  readonly firstTime: number;
  columns: Uint32Array;
  count: number;
  readonly bytes: PackedBytes;
}

/** A page in a checkpoint. `columns` and `bytes` are base64. */
export interface SavedPage {
  readonly firstTime: number;
  readonly columns: string;
  readonly bytes: string;
}

export class OperationRing {
  /** Oldest first; none is empty. */
  readonly #pages: Page[] = [];
  /** Number of the first page. */
  #firstPage = FIRST_PAGE;
  /** How many operations of the first page are forgotten. */
  #forgotten = 0;
  #size = 0;
  /** Kept here because each request asks for it, and the oldest page is far from the processor. */
  #oldestTime = Infinity;
  readonly #hash: KeyedHash;
  readonly #index = new IdIndex((operation, id) =>
    this.#pageOf(operation).bytes.holdsTextAt(this.#column(operation, START), id)
  );

  constructor(hash: KeyedHash) {
    this.#hash = hash;
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the operation with an id; null if there is none. It holds until an operation is forgotten. */
  find(id: string): number | null {
    return this.#size === 0 ? null : this.#index.find(id, this.#hash.of(id));
  }

  timeOf(operation: number): number {
    return this.#pageOf(operation).firstTime + this.#column(operation, TIME);
  }

  fingerprintOf(operation: number): Fingerprint {
    return { high: this.#column(operation, HIGH), low: this.#column(operation, LOW) };
  }

  /** Reads the record of its answer; must be used before anything else is read. */
  recordOf(operation: number): PackedReader {
    const reader = this.#recordWithId(operation);
    reader.skipText();
    return reader;
  }

  /** Adds the latest operation. There must be none with its id. The caller then writes the record of its answer. */
  add(id: string, { high, low }: Fingerprint, time: number): PackedBytes {
    const bytes = this.#begin(high, low, time);
    bytes.text(id);
    this.#indexNewest(id);
    return bytes;
  }

  /** Makes an id unknown. Its memory is freed with that of the operations around it. */
  remove(id: string): void {
    const operation = this.find(id);
    if (operation !== null) this.#index.remove(operation, this.#hash.of(id));
  }

  /** When the oldest operation was answered; Infinity if there is none. */
  get oldestTime(): number {
    return this.#oldestTime;
  }

  forgetOldest(): void {
    const oldest = this.#numberOf(0, this.#forgotten);
    this.#index.remove(oldest, this.#hash.of(this.#recordWithId(oldest).text()));
    this.#size -= 1;
    this.#forgotten += 1;
    if (this.#forgotten === this.#pages[0]?.count) {
      this.#pages.shift();
      this.#firstPage = (this.#firstPage + 1) % PAGE_NUMBERS;
      this.#forgotten = 0;
    }
    this.#oldestTime = this.#timeOfOldest();
  }

  /** The operations that were answered at `since` or later, in milliseconds since the epoch. */
  *save(since: number): Generator<SavedPage, void, undefined> {
    for (const [place, { firstTime, columns, count, bytes }] of this.#pages.entries()) {
      let from = place === 0 ? this.#forgotten : 0;
      while (from < count && firstTime + (columns[from * COLUMNS + TIME] ?? 0) < since) from += 1;
      if (from === count) continue;
      const kept = columns.slice(from * COLUMNS, count * COLUMNS);
      const [after, start] = [kept[TIME] ?? 0, kept[START] ?? 0];
      for (let at = 0; at < kept.length; at += COLUMNS) {
        kept[at + TIME] = (kept[at + TIME] ?? 0) - after;
        kept[at + START] = (kept[at + START] ?? 0) - start;
      }
      const saved = new Uint8Array(kept.buffer).toBase64();
      yield { firstTime: firstTime + after, columns: saved, bytes: bytes.slice(start).toBase64() };
    }
  }

  /** Adds the operations of saved pages, which come in their order. An operation may come twice. */
  restore(saved: SavedPage): void {
    const columns = new Uint32Array(Uint8Array.fromBase64(saved.columns).buffer);
    const bytes = new PackedBytes(Uint8Array.fromBase64(saved.bytes));
    for (let at = 0; at < columns.length; at += COLUMNS) {
      const start = columns[at + START] ?? 0;
      const id = bytes.readerAt(start).text();
      const time = saved.firstTime + (columns[at + TIME] ?? 0);
      const known = this.find(id);
      if (known !== null && this.timeOf(known) === time) continue;
      if (known !== null) this.#index.remove(known, this.#hash.of(id));
      const added = this.#begin(columns[at + HIGH] ?? 0, columns[at + LOW] ?? 0, time);
      added.append(bytes.slice(start, columns[at + COLUMNS + START]));
      this.#indexNewest(id);
    }
  }

  /** Adds an operation, of which the caller writes id and record, and then calls `#indexNewest`. */
  #begin(high: number, low: number, time: number): PackedBytes {
    if (this.#size === 0) this.#oldestTime = time;
    const page = this.#pageFor(time);
    const { count, bytes } = page;
    if (page.columns.length === count * COLUMNS) page.columns = grown(page.columns);
    const { columns } = page;
    const first = count * COLUMNS;
    columns[first + HIGH] = high;
    columns[first + LOW] = low;
    columns[first + TIME] = time - page.firstTime;
    columns[first + START] = bytes.length;
    page.count += 1;
    this.#size += 1;
    return bytes;
  }

  #indexNewest(id: string): void {
    const page = this.#pages.length - 1;
    this.#index.add(this.#numberOf(page, this.#pages[page]!.count - 1), this.#hash.of(id));
  }

  #timeOfOldest(): number {
    return this.#size === 0 ? Infinity : this.timeOf(this.#numberOf(0, this.#forgotten));
  }

  /** The page of the next operation. */
  #pageFor(time: number): Page {
    const newest = this.#pages[this.#pages.length - 1];
    if (newest !== undefined) {
      const after = time - newest.firstTime;
      const isFull = newest.count === PAGE_SIZE || newest.bytes.length >= MAX_PAGE_BYTES;
      if (!isFull && after >= 0 && after <= MAX_UINT32) return newest;
      newest.columns = newest.columns.slice(0, newest.count * COLUMNS);
      newest.bytes.trim();
    }
    // It will probably be as long as the last one. Growing by doubling would copy it several times.
    const columns = new Uint32Array(newest?.columns.length ?? COLUMNS);
    const bytes = new PackedBytes(new Uint8Array(newest?.bytes.length ?? 0), 0);
    const page: Page = { firstTime: time, columns, count: 0, bytes };
    this.#pages.push(page);
    return page;
  }

  #numberOf(page: number, place: number): number {
    return (this.#firstPage + page) % PAGE_NUMBERS * PAGE_SIZE + place;
  }

  #pageOf(operation: number): Page {
    const page = this.#pages[(Math.floor(operation / PAGE_SIZE) - this.#firstPage + PAGE_NUMBERS) % PAGE_NUMBERS];
    if (page === undefined) throw new RangeError(`there is no operation ${operation}`);
    return page;
  }

  #recordWithId(operation: number): PackedReader {
    return this.#pageOf(operation).bytes.readerAt(this.#column(operation, START));
  }

  #column(operation: number, column: number): number {
    return this.#pageOf(operation).columns[operation % PAGE_SIZE * COLUMNS + column] ?? 0;
  }
}

function grown(columns: Uint32Array): Uint32Array {
  const larger = new Uint32Array(Math.min(2 * columns.length, PAGE_SIZE * COLUMNS));
  larger.set(columns);
  return larger;
}
