// A table as CSV (RFC 4180, lines end with \n): a header, then a line for each row. Null is an empty field; a text is
// quoted if it holds a comma, a quote or a line break.
//
// Memory: 64 KB of text.

import { isoTime } from "../../common/iso-time.ts";
import { OutputFile } from "./output-file.ts";
import type { Cell, Columns, ColumnType, TableFile } from "./tables.ts";

const BUFFERED_CHARACTERS = 65_536;
const SPECIAL = /[",\r\n]/;

export class CsvTable implements TableFile {
  readonly #file: OutputFile;
  readonly #types: readonly ColumnType[];
  #text: string;
  #rows = 0;
  #writtenRows = 0;

  constructor(path: string, columns: Columns) {
    this.#file = new OutputFile(path);
    this.#types = Object.values(columns);
    this.#text = `${Object.keys(columns).join(",")}\n`;
  }

  get writtenRows(): number {
    return this.#writtenRows;
  }

  append(row: readonly Cell[]): void {
    let line = "";
    for (const [column, cell] of row.entries()) {
      if (column > 0) line += ",";
      if (cell !== null) line += fieldOf(cell, this.#types[column]);
    }
    this.#text += `${line}\n`;
    this.#rows += 1;
    if (this.#text.length >= BUFFERED_CHARACTERS) this.#flush();
  }

  close(): void {
    this.#flush();
    this.#file.close();
  }

  #flush(): void {
    this.#file.write(Buffer.from(this.#text));
    this.#text = "";
    this.#writtenRows = this.#rows;
  }
}

function fieldOf(cell: number | string, type: ColumnType | undefined): string {
  if (typeof cell === "number") return type === "time" ? isoTime(cell) : String(cell);
  return SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
