// The rows of a tape's CSV files, for whoever sums them up.
//
// Limits: lines of at most 4 MB, a header line, fields without quotes, as sim/tape writes them. An incomplete last line,
// which a run that was ended may leave, is ignored. Cost: about a microsecond for a row. Memory: the lines of one chunk.

import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { type Cell, type ColumnType, TABLE_NAMES, type TableName, TABLES, type TapeRows } from "../tape/tables.ts";

const CHUNK_BYTES = 1 << 22;
const LINE_FEED = 10;

interface Column {
  readonly type: ColumnType;
  /** In the file's rows. */
  readonly place: number;
}

/**
 * Feeds all rows, table by table. Throws if a file can't be read, lacks a column, or has quoted fields. `onBytes`: bytes read
 * so far.
 */
export function feedRows(directory: string, rows: TapeRows, onBytes: (done: number) => void = () => {}): void {
  let done = 0;
  for (const table of TABLE_NAMES) {
    feedTable(directory, table, rows, (bytes) => onBytes(done += bytes));
  }
}

/** `onBytes`: bytes of the rows that were fed since the last call. */
export function feedTable(
  directory: string,
  table: TableName,
  rows: TapeRows,
  onBytes: (bytes: number) => void = () => {},
): void {
  const path = join(directory, `${table}.csv`);
  const cellOf = cellReader();
  let columns: readonly Column[] | null = null;
  let row = 0;
  for (const { lines, bytes } of chunksOf(path)) {
    for (const line of lines) {
      const fields = line.split(",");
      if (columns === null) {
        columns = columnsOf(path, table, fields);
        continue;
      }
      row += 1;
      if (line.includes('"')) throw new Error(`${path} has a quoted field in row ${row}`);
      const cells = columns.map(({ type, place }) => cellOf(type, fields[place] ?? ""));
      rows.append(table, Number(cells[0]), cells);
    }
    onBytes(bytes);
  }
  if (columns === null) throw new Error(`${path} has no header line`);
}

function columnsOf(path: string, table: TableName, header: readonly string[]): Column[] {
  return Object.entries(TABLES[table]).map(([name, type]) => {
    const place = header.indexOf(name);
    if (place < 0) throw new Error(`${path} has no column ${name}`);
    return { type, place };
  });
}

/** The whole lines of some megabytes at a time. */
function* chunksOf(path: string): Generator<{ readonly lines: readonly string[]; readonly bytes: number }> {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let kept = 0;
    for (;;) {
      const bytes = readSync(file, buffer, kept, CHUNK_BYTES - kept, null);
      if (bytes === 0) return;
      const read = kept + bytes;
      const whole = buffer.subarray(0, read).lastIndexOf(LINE_FEED) + 1;
      if (whole > 0) yield { lines: buffer.toString("utf8", 0, whole - 1).split("\n"), bytes };
      buffer.copyWithin(0, whole, read);
      kept = read - whole;
    }
  } finally {
    closeSync(file);
  }
}

/** Remembers the latest time and the few different texts of a table: reading them again takes longer. */
function cellReader(): (type: ColumnType, field: string) => Cell {
  const texts = new Map<string, string>();
  let [timeText, time] = ["", NaN];
  return (type, field) => {
    if (field === "") return null;
    if (type === "text") return texts.get(field) ?? copied(texts, field);
    if (type !== "time") return Number(field);
    if (field !== timeText) [timeText, time] = [field, Date.parse(field)];
    return time;
  };
}

/** A copy, because a part of a text keeps the whole chunk in memory. */
function copied(texts: Map<string, string>, field: string): string {
  const copy = Buffer.from(field).toString();
  texts.set(copy, copy);
  return copy;
}
