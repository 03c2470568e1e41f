// A table as Parquet, with a row group for every 65,536 rows, compressed by Snappy. Times are timestamps in milliseconds
// UTC, integers INT64, numbers DOUBLE, and texts strings with a dictionary. Every column may be null.
//
// A Parquet file that was cut short can't be read: its index is at its end.
//
// Memory: one row group, and the index: about 1 KB for each row group written.

import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { OutputFile } from "./output-file.ts";
import type { Cell, Columns, ColumnType, TableFile } from "./tables.ts";

const ROWS_OF_GROUP = 65_536;

const TYPES: Readonly<Record<ColumnType, Omit<SchemaElement, "name">>> = {
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

export class ParquetTable implements TableFile {
  readonly #file: OutputFile;
  readonly #writer: ParquetWriter;
  readonly #columns: readonly { readonly name: string; readonly type: ColumnType; readonly cells: Cell[] }[];
  #rows = 0;
  #writtenRows = 0;

  constructor(path: string, columns: Columns) {
    this.#file = new OutputFile(path);
    const fields = Object.entries(columns);
    this.#columns = fields.map(([name, type]) => ({ name, type, cells: [] }));
    const schema: SchemaElement[] = [
      { name: "root", num_children: fields.length },
      ...fields.map(([name, type]): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...TYPES[type] })),
    ];
    this.#writer = new ParquetWriter({ writer: new FileBytes(this.#file), schema, createdBy: "mkt" });
  }

  get writtenRows(): number {
    return this.#writtenRows;
  }

  append(row: readonly Cell[]): void {
    for (const [column, cell] of row.entries()) this.#columns[column]?.cells.push(cell);
    this.#rows += 1;
    if (this.#rows === ROWS_OF_GROUP) this.#writeGroup();
  }

  close(): void {
    if (this.#rows > 0) this.#writeGroup();
    void this.#writer.finish();
    this.#file.close();
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(({ name, type, cells }): ColumnSource => ({
      name,
      data: type === "integer" ? cells.map((cell) => cell === null ? null : BigInt(cell)) : cells,
    }));
    void this.#writer.write({ columnData, rowGroupSize: ROWS_OF_GROUP });
    this.#writtenRows += this.#rows;
    this.#rows = 0;
    for (const { cells } of this.#columns) cells.length = 0;
  }
}

/** The library's output: written to the file after each row group, and at the end. */
class FileBytes extends ByteWriter {
  constructor(private readonly file: OutputFile) {
    super();
  }

  flush(): void {
    this.file.write(this.getBytes());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}
