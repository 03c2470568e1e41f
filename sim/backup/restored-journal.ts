// Writes the journal of a data directory from a backup: checkpoint, calls and witness, as the engine would have written them.
// It is written from its beginning to its end, with `finish` or `discard` last.

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { CheckpointFile, checkpointFile } from "../journal/checkpoint-file.ts";
import { FORMAT_VERSION, insertRow, JOURNAL_FILE, makeTables, nameCheckpoint } from "../journal/journal-tables.ts";
import { JournalWitness } from "../journal/journal-witness.ts";
import { makePrivateFile } from "../journal/private-files.ts";

/** Characters of calls in a row of the journal. */
const ROW_CHARACTERS = 1 << 18;

export class RestoredJournal {
  readonly #directory: string;
  readonly #database: Database;
  readonly #headerChecksum: number;
  #checkpoint: CheckpointFile | null = null;
  #last: { readonly number: number; readonly checksum: number };
  /** Calls that are in no row yet. */
  #calls: string[] = [];
  #characters = 0;

  /**
   * @param header JSON
   * @param checkpoint number of the last call that the checkpoint replaces; null: there is none
   */
  constructor(directory: string, header: string, private readonly checkpoint: number | null) {
    this.#directory = directory;
    const path = join(directory, JOURNAL_FILE);
    makePrivateFile(path);
    this.#database = new Database(path, { strict: true });
    try {
      this.#database.run("pragma synchronous = full");
      this.#database.run("begin immediate");
      makeTables(this.#database);
      this.#headerChecksum = insertRow(this.#database, "header", 1, header, 0);
    } catch (error) {
      this.#database.close();
      throw error;
    }
    this.#last = { number: checkpoint ?? 0, checksum: this.#headerChecksum };
  }

  addPart(text: string): void {
    if (this.checkpoint === null) throw new Error("there is no checkpoint");
    const name = checkpointFile(this.checkpoint, "beside calls");
    this.#checkpoint ??= new CheckpointFile(this.#directory, name, this.checkpoint, this.#headerChecksum);
    this.#checkpoint.add(text);
  }

  addCall(text: string): void {
    this.#calls.push(text);
    this.#characters += text.length;
    if (this.#characters >= ROW_CHARACTERS) this.#writeRow();
  }

  /** Makes the journal durable, and closes it. */
  finish(): void {
    this.#writeRow();
    const header = this.#headerChecksum;
    if (this.#checkpoint !== null) {
      // The checksums of the rows begin anew after the checkpoint.
      const inUse = { ...this.#checkpoint.finish(), recordChecksum: header };
      nameCheckpoint(this.#database, inUse, header);
    }
    this.#database.run(`pragma user_version = ${FORMAT_VERSION}`);
    this.#database.run("commit");
    this.#database.close();
    JournalWitness.begin(this.#directory, { format: FORMAT_VERSION, header, ...this.#last }).close();
  }

  /** Closes the files. Their content is of no use. */
  discard(): void {
    this.#checkpoint?.discard();
    this.#database.close();
  }

  #writeRow(): void {
    const { number, checksum } = this.#last;
    if (this.#calls.length === 0) return;
    const last = number + this.#calls.length;
    this.#last = {
      number: last,
      checksum: insertRow(this.#database, "record", last, this.#calls.join("\n"), checksum),
    };
    this.#calls = [];
    this.#characters = 0;
  }
}
