// The tables of a journal, and how their rows are chained and checked.
//
// Each row has its text, the text's length, and a checksum over the text that continues the checksum of the row before. So
// a row that is damaged, missing, or left over from another checkpoint does not match. The chains:
//
//   header          one row, from 0
//   record          from the header's checksum; after a checkpoint, from the checksum of the last record in the checkpoint
//   checkpoint      the parts of the state, from the checksum of the checkpoint's record number
//   checkpoint_end  one row, from the header's checksum: the checkpoint's record number and its number of parts
//
// A checkpoint is a saved state of the engine; SQLite's own checkpoint is called a WAL checkpoint.

import type { Database } from "bun:sqlite";

export const JOURNAL_FILE = "journal.sqlite";
export const WAL_FILE = `${JOURNAL_FILE}-wal`;
export const FORMAT_VERSION = 7;

const TABLES = ["header", "checkpoint", "checkpoint_end", "record"] as const;
type Table = (typeof TABLES)[number];

export interface TextRow {
  readonly number: number;
  readonly length: number;
  readonly checksum: number;
  readonly text: string;
}

/** Which records a checkpoint replaces, and how its parts end. */
export interface CheckpointEnd {
  /** Number of the last record that the checkpoint replaces. */
  readonly upTo: number;
  readonly parts: number;
  readonly partsChecksum: number;
  /** Checksum of record `upTo`. */
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

/** The checksum before the first part of a checkpoint. */
export function checkpointSeed(headerChecksum: number, upTo: number): number {
  return checksumAfter(headerChecksum, `checkpoint ${upTo}`);
}

/** Null if the row has this number and continues the checksum of the row before. */
export function rowFault(row: TextRow, number: number, previous: number): string | null {
  if (row.number !== number) return "is missing";
  if (typeof row.text !== "string" || row.text.length !== row.length) return "has the wrong length";
  return checksumAfter(previous, row.text) === row.checksum ? null : "has the wrong checksum";
}

/** Returns the row's checksum, which the next row continues. */
export function insertRow(database: Database, table: Table, number: number, text: string, previous: number): number {
  const checksum = checksumAfter(previous, text);
  database.query(`insert into ${table} values (?, ?, ?, ?)`).run(number, text.length, checksum, text);
  return checksum;
}

/** Replaces the checkpoint and deletes the records up to it. `record`: the checksum of record `upTo`. */
export function writeCheckpoint(
  database: Database,
  { upTo, parts }: { readonly upTo: number; readonly parts: Iterable<string> },
  { header, record }: { readonly header: number; readonly record: number },
): void {
  database.run("delete from checkpoint");
  database.run("delete from checkpoint_end");
  let count = 0;
  let checksum = checkpointSeed(header, upTo);
  for (const text of parts) checksum = insertRow(database, "checkpoint", ++count, text, checksum);
  const end: CheckpointEnd = { upTo, parts: count, partsChecksum: checksum, recordChecksum: record };
  insertRow(database, "checkpoint_end", 1, JSON.stringify(end), header);
  database.run("delete from record where number <= ?", [upTo]);
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
