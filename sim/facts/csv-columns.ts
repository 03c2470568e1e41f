// Reads some columns of a CSV file into typed arrays. Columns that are not asked for are skipped, so a large file with few
// wanted columns is read quickly.
//
// Limits: lines of at most 4 MB, a header line, fields without quotes, lines that end with a line feed, as sim/tape writes
// them. Cost: about 100 ns for a row of six wanted columns. Memory: one chunk of the file, and its wanted columns.

import { closeSync, openSync, readSync } from "node:fs";
import { type ColumnKind, type ColumnReader, type NameColumn, readerOf } from "./csv-fields.ts";

export type Columns<Wanted extends Readonly<Record<string, ColumnKind>>> =
  & { readonly length: number }
  & { readonly [Name in keyof Wanted]: Wanted[Name] extends "name" ? NameColumn : Float64Array };

const CHUNK_BYTES = 1 << 22;
const [COMMA, LINE_FEED, QUOTE] = [44, 10, 34];

interface Chunk<Wanted extends Readonly<Record<string, ColumnKind>>> {
  readonly columns: Columns<Wanted>;
  /** Read from the file for these rows, about. */
  readonly bytes: number;
}

/**
 * The rows of some megabytes at a time; the columns are valid until the next ones are asked for. Throws if the file can't be
 * read, has no such column, or has quoted fields.
 */
export function* columnChunks<Wanted extends Readonly<Record<string, ColumnKind>>>(
  path: string,
  wanted: Wanted,
): Generator<Chunk<Wanted>> {
  const rows = new RowReader(path, wanted);
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let kept = 0;
    for (;;) {
      const bytes = readSync(file, buffer, kept, CHUNK_BYTES - kept, null);
      if (bytes === 0) break;
      const used = rows.take(buffer.subarray(0, kept + bytes));
      buffer.copyWithin(0, used, kept + bytes);
      kept = kept + bytes - used;
      yield { columns: rows.result() as Columns<Wanted>, bytes };
      rows.forget();
    }
    // A run that was ended may leave an incomplete last line, which is ignored. A file without a header throws here.
    rows.result();
  } finally {
    closeSync(file);
  }
}

class RowReader {
  /** By place in a row; undefined: skipped. */
  readonly #readers: (ColumnReader | undefined)[] = [];
  readonly #places = new Map<string, number>();
  #length = 0;
  #lastWanted = -1;

  constructor(private readonly path: string, private readonly wanted: Readonly<Record<string, ColumnKind>>) {}

  /** Reads the complete lines. Returns how many bytes they have. */
  take(bytes: Buffer): number {
    let start = 0;
    if (this.#lastWanted < 0) {
      const end = bytes.indexOf(LINE_FEED);
      if (end < 0) return 0;
      this.#readHeader(bytes.toString("utf8", 0, end));
      start = end + 1;
    }
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    while (start < end) start = this.#readRow(bytes, start);
    return Math.max(start, end);
  }

  /** The rows so far; names keep their codes. */
  forget(): void {
    this.#length = 0;
    for (const reader of this.#readers) reader?.forget();
  }

  result(): Record<string, unknown> {
    if (this.#lastWanted < 0) throw new Error(`${this.path} has no header line`);
    const columns = [...this.#places].map(([name, place]) => [name, this.#readers[place]?.result()]);
    return { length: this.#length, ...Object.fromEntries(columns) };
  }

  #readHeader(line: string): void {
    const header = line.split(",");
    for (const [name, kind] of Object.entries(this.wanted)) {
      const place = header.indexOf(name);
      if (place < 0) throw new Error(`${this.path} has no column ${name}`);
      this.#places.set(name, place);
      this.#readers[place] = readerOf(kind);
      this.#lastWanted = Math.max(this.#lastWanted, place);
    }
  }

  /** Returns where the next row begins. */
  #readRow(bytes: Buffer, start: number): number {
    let at = start;
    for (let place = 0; place <= this.#lastWanted; place++) {
      const from = at;
      while (bytes[at] !== COMMA && bytes[at] !== LINE_FEED) at += 1;
      if (bytes[from] === QUOTE) throw new Error(`${this.path} has a quoted field in row ${this.#length + 1}`);
      this.#readers[place]?.add(bytes, from, at);
      if (bytes[at] === COMMA) at += 1;
    }
    this.#length += 1;
    return bytes.indexOf(LINE_FEED, at) + 1;
  }
}
