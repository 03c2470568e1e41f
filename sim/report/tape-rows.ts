// The rows of a tape's CSV files, for whoever sums them up. Texts of columns that nobody needs are not read.

import { join } from "node:path";
import { columnChunks } from "../facts/csv-columns.ts";
import type { ColumnKind } from "../facts/csv-fields.ts";
import { type Cell, type TableName, TABLES, type TapeRows } from "../tape/tables.ts";

/** What is read of each table; other columns are empty. */
const WANTED: { readonly [Table in TableName]?: readonly (keyof (typeof TABLES)[Table] & string)[] } = {
  trades: ["time", "contractId", "price", "quantity", "aggressorSide", "buyer", "seller"],
  quotes: ["time", "contractId", "bestBid", "bestAsk"],
  orders: ["time"],
  spot: ["time", "node", "price", "regime"],
  events: ["time", "type", "node", "size", "until"],
  depth: ["time", "contractId", "side", "level", "price", "volume"],
  positions: ["time", "persona", "contractId", "positionMw", "cash"],
  forecasts: ["time", "contractId", "forecaster", "price"],
};

/** Feeds all rows, table by table. Throws if a file can't be read. `onBytes`: bytes read so far. */
export function feedRows(directory: string, rows: TapeRows, onBytes: (done: number) => void = () => {}): void {
  let done = 0;
  for (const [table, wanted] of Object.entries(WANTED) as [TableName, readonly string[]][]) {
    for (const bytes of feedTable(directory, table, wanted, rows)) onBytes(done += bytes);
  }
}

function* feedTable(
  directory: string,
  table: TableName,
  wanted: readonly string[],
  rows: TapeRows,
): Generator<number> {
  const types: Readonly<Record<string, string>> = TABLES[table];
  const places = Object.keys(types);
  const kinds = Object.fromEntries(wanted.map((name) => [name, kindOf(types[name] ?? "text")]));
  for (const { columns, bytes } of columnChunks(join(directory, `${table}.csv`), kinds)) {
    const { length, ...fields } = columns;
    const readers = places.map((name) => readerOf(fields[name]));
    const time = fields["time"] as Float64Array;
    for (let row = 0; row < length; row++) {
      rows.append(table, time[row] ?? NaN, readers.map((read) => read(row)));
    }
    yield bytes;
  }
}

function kindOf(type: string): ColumnKind {
  return type === "time" ? "time" : type === "text" ? "name" : "number";
}

function readerOf(column: Float64Array | { codes: Int32Array; names: readonly string[] } | undefined) {
  if (column === undefined) return (): Cell => null;
  if (column instanceof Float64Array) {
    return (row: number): Cell => {
      const value = column[row] ?? NaN;
      return Number.isNaN(value) ? null : value;
    };
  }
  const { codes, names } = column;
  return (row: number): Cell => names[codes[row] ?? 0] || null;
}
