// The journal of a backup, kept in text files with one JSON value in each line: a backup is read as a stream, and what writes a
// journal, or upgrades one of an earlier format, takes its content when it wants it. The files are deleted in the end.

import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linesOf } from "../journal/checkpoint-file.ts";
import { JOURNAL_FILE } from "../journal/journal-tables.ts";
import { makePrivateFile } from "../journal/private-files.ts";
import type { JournalContent, JsonObject } from "../journal/upgrades/journal-upgrades.ts";

/** Characters that are written at once. */
const CHARACTERS = 1 << 20;

export class SpooledJournal {
  readonly #parts: LineFile;
  readonly #calls: LineFile;

  /** `header`: JSON. */
  constructor(directory: string, private readonly header: string) {
    this.#parts = new LineFile(join(directory, `${JOURNAL_FILE}-parts`));
    this.#calls = new LineFile(join(directory, `${JOURNAL_FILE}-calls`));
  }

  addPart(text: string): void {
    this.#parts.add(text);
  }

  addCall(text: string): void {
    this.#calls.add(text);
  }

  /** All of it. Nothing is added any more. */
  content(hasCheckpoint: boolean): JournalContent {
    const [parts, records] = [this.#parts.values(), this.#calls.values()];
    return { header: JSON.parse(this.header), parts: hasCheckpoint ? parts : null, records };
  }

  remove(): void {
    this.#parts.remove();
    this.#calls.remove();
  }
}

class LineFile {
  readonly #file: number;
  #lines: string[] = [];
  #characters = 0;

  constructor(private readonly path: string) {
    makePrivateFile(path);
    this.#file = openSync(path, "w");
  }

  add(line: string): void {
    this.#lines.push(line, "\n");
    this.#characters += line.length;
    if (this.#characters >= CHARACTERS) this.#write();
  }

  *values(): Generator<JsonObject, void, undefined> {
    this.#write();
    for (const line of linesOf(this.path)) yield JSON.parse(line);
  }

  remove(): void {
    closeSync(this.#file);
    rmSync(this.path);
  }

  #write(): void {
    writeFileSync(this.#file, this.#lines.join(""));
    this.#lines = [];
    this.#characters = 0;
  }
}
