// The tables of a journal, and how their rows are chained and checked.
//
// Each row has its text, the text's length, and a checksum over the text that continues the checksum of the row before. So
// a row that is damaged or missing does not match. The chains:
//
//   header      one row, from 0
//   record      a row for each commit, with its records one a line, under the number of the last one; from the header's
//               checksum. Rows up to the checkpoint's record no longer count, and are deleted in small steps
//   checkpoint  at most one row, from the header's checksum: which checkpoint file the journal begins with
//
// A checkpoint is a saved state of the engine; SQLite's own checkpoint is called a WAL checkpoint.

import type { Database } from "bun:sqlite";
import type { WrittenCheckpoint } from "./journal.ts";

export const JOURNAL_FILE = "journal.sqlite";
export const WAL_FILE = `${JOURNAL_FILE}-wal`;
/** A new one needs a step (upgrades/journal-upgrades.ts), and a fixture that the version before wrote. */
export const FORMAT_VERSION = 12;

const TABLES = ["header", "checkpoint", "record"] as const;
type Table = (typeof TABLES)[number];

interface TextRow {
  readonly number: number;
  readonly length: number;
  readonly checksum: number;
  readonly text: string;
}

/** The checkpoint that a journal begins with. */
export interface CheckpointInUse extends WrittenCheckpoint {
  /** Checksum of the row that ends with record `upTo`. */
  readonly recordChecksum: number;
}

/** Rows read at a time: memory does not grow with the journal. */
const PAGE = 1000;

export function makeTables(database: Database): void {
  for (const table of TABLES) {
    database.run(
      `create table ${table} (number integer primary key, length integer, checksum integer, text text) strict`,
    );
  }
}

function checksumAfter(previous: number, text: string): number {
  return Bun.hash.crc32(text, previous);
}

/** Null if the row has this number and continues the checksum of the row before. */
export function rowFault(row: TextRow, number: number, previous: number): string | null {
  if (row.number !== number) return "is missing";
  if (typeof row.text !== "string" || row.text.length !== row.length) return "has the wrong length";
  return checksumAfter(previous, row.text) === row.checksum ? null : "has the wrong checksum";
}

/** Null if the row has the records of a commit that follows record `last`. Otherwise the fault of the first of them. */
export function commitFault(row: TextRow, last: number, previous: number): string | null {
  const expected = typeof row.text === "string" ? last + linesIn(row.text) : row.number;
  return rowFault(row, expected, previous);
}

function linesIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Returns the row's checksum, which the next row continues. */
export function insertRow(database: Database, table: Table, number: number, text: string, previous: number): number {
  const checksum = checksumAfter(previous, text);
  database.query(`insert into ${table} values (?, ?, ?, ?)`).run(number, text.length, checksum, text);
  return checksum;
}

/** Names the checkpoint that the journal begins with. */
export function nameCheckpoint(database: Database, checkpoint: CheckpointInUse, headerChecksum: number): void {
  database.run("delete from checkpoint");
  insertRow(database, "checkpoint", 1, JSON.stringify(checkpoint), headerChecksum);
}

/** Some rows after `after`, in their order: at least one if there is any, and further ones up to `characters` of text. */
export function someRows(database: Database, after: number, characters: number): TextRow[] {
  const query = database.query<TextRow, [number]>(
    "select number, length, checksum, text from record where number > ? order by number limit 1",
  );
  const rows: TextRow[] = [];
  for (let left = characters; left > 0;) {
    const row = query.get(rows.at(-1)?.number ?? after);
    if (row === null) break;
    rows.push(row);
    left -= row.length;
  }
  return rows;
}

/** Deletes some of the rows up to `upTo`, at most `characters` of text or one row. False if none are left. */
export function deleteRows(database: Database, upTo: number, characters: number): boolean {
  const lengths = database.query<{ number: number; length: number }, [number]>(
    "select number, length from record where number <= ? order by number limit 200",
  );
  let last = 0;
  let left = characters;
  for (const { number, length } of lengths.all(upTo)) {
    if (left <= 0) break;
    last = number;
    left -= length;
  }
  if (last > 0) database.query("delete from record where number <= ?").run(last);
  return last > 0 && last < upTo;
}

export function* rowsOf(database: Database, table: Table, after: number): Generator<TextRow, void, undefined> {
  const page = database.query<TextRow, [number]>(
    `select number, length, checksum, text from ${table} where number > ? order by number limit ${PAGE}`,
  );
  for (let last = after;;) {
    const rows = page.all(last);
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.number ?? last;
  }
}
