// The files of a tape: one for each table, and at the end run.json, which describes the run. A tape that was cut short has
// no run.json.
//
// A tape never replaces another: a directory that holds a file of a tape is refused. The directory itself is created, but
// not its parents.

import { existsSync, mkdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { isoTime } from "../../common/iso-time.ts";
import { CsvTable } from "./csv-table.ts";
import { OutputFile } from "./output-file.ts";
import { ParquetTable } from "./parquet-table.ts";
import {
  type Cell,
  type Columns,
  TABLE_NAMES,
  type TableFile,
  type TableName,
  TABLES,
  type TapeRows,
} from "./tables.ts";

export const TAPE_FORMATS = ["csv", "parquet"] as const;
export type TapeFormat = (typeof TAPE_FORMATS)[number];

export const RUN_FILE = "run.json";
/** What `mkt simulate --format json` prints of the run. */
export const REPORT_FILE = "report.json";
const WRITERS: Readonly<Record<TapeFormat, new (path: string, columns: Columns) => TableFile>> = {
  csv: CsvTable,
  parquet: ParquetTable,
};

export class TapeDirectory implements TapeRows {
  readonly #tables: Readonly<Record<TableName, TableFile>>;
  readonly #counts = Object.fromEntries(TABLE_NAMES.map((name) => [name, 0])) as Record<TableName, number>;
  /** Market time of the latest row. */
  #time: number | null = null;

  /** Whether the directory was made for this tape. */
  readonly #isNew: boolean;

  /** Throws an Error of one line if the directory can't be used. */
  constructor(readonly path: string, private readonly format: TapeFormat) {
    this.#isNew = !existsSync(path);
    try {
      if (this.#isNew) mkdirSync(path);
    } catch (error) {
      throw new Error(`tape ${path}: can't be created: ${fileErrorReason(error)}`, { cause: error });
    }
    const old = filesOfTapes().find((name) => existsSync(join(path, name)));
    if (old !== undefined) throw new Error(`tape ${path}: holds a tape already (${old}): choose another directory`);
    this.#tables = this.#open();
  }

  /** What its tables have on disk. */
  get bytes(): number {
    return TABLE_NAMES.reduce((sum, name) => sum + statSync(join(this.path, this.#fileOf(name))).size, 0);
  }

  append(table: TableName, time: number, row: readonly Cell[]): void {
    this.#time = time;
    this.#counts[table] += 1;
    try {
      this.#tables[table].append(row);
    } catch (error) {
      throw this.#failure(this.#fileOf(table), error);
    }
  }

  /** Writes what is left of the tables, then report.json, then run.json: `run` with the number of rows of each table. */
  finish(run: Readonly<Record<string, unknown>>, report: Readonly<Record<string, unknown>>): void {
    for (const table of TABLE_NAMES) {
      try {
        this.#tables[table].close();
      } catch (error) {
        throw this.#failure(this.#fileOf(table), error);
      }
    }
    this.#write(REPORT_FILE, JSON.stringify(report));
    this.#write(RUN_FILE, JSON.stringify({ ...run, format: this.format, rows: this.#counts }, null, 2));
  }

  /** Removes the files, and the directory if it was made for them: for a run that does not begin. */
  discard(): void {
    for (const table of TABLE_NAMES) {
      this.#tables[table].close();
      rmSync(join(this.path, this.#fileOf(table)));
    }
    if (this.#isNew) rmdirSync(this.path);
  }

  #write(name: string, json: string): void {
    try {
      const file = new OutputFile(join(this.path, name));
      file.write(Buffer.from(`${json}\n`));
      file.close();
    } catch (error) {
      throw this.#failure(name, error);
    }
  }

  #open(): Record<TableName, TableFile> {
    const Writer = WRITERS[this.format];
    const open = (name: TableName) => {
      const file = this.#fileOf(name);
      try {
        return new Writer(join(this.path, file), TABLES[name]);
      } catch (error) {
        throw new Error(`tape ${this.path}: ${file} can't be created: ${fileErrorReason(error)}`, { cause: error });
      }
    };
    return Object.fromEntries(TABLE_NAMES.map((name) => [name, open(name)])) as Record<TableName, TableFile>;
  }

  #fileOf(table: TableName): string {
    return `${table}.${this.format}`;
  }

  #failure(file: string, error: unknown): Error {
    const at = this.#time === null ? "" : ` at ${isoTime(this.#time)} of market time`;
    const written = TABLE_NAMES.map((name) => `${name} ${this.#tables[name].writtenRows}`).join(", ");
    return new Error(
      `tape ${this.path}: ${file} can't be written${at}: ${fileErrorReason(error)}; ` +
        `the tape is incomplete, with these rows on disk: ${written}`,
      { cause: error },
    );
  }
}

function filesOfTapes(): string[] {
  return [RUN_FILE, REPORT_FILE, ...TAPE_FORMATS.flatMap((format) => TABLE_NAMES.map((name) => `${name}.${format}`))];
}
