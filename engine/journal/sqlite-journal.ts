// A journal in a SQLite file, DIR/journal.sqlite, with its witness and its checkpoint beside it.
//
// Each commit is one row, in WAL mode with synchronous=FULL; then the witness is written. When `sync` returns, both are on
// the disk. The database is locked exclusively when it is opened, so two engines never write the same journal; the lock ends
// with its process. A journal is inspected before it is opened for writing (inspect-journal.ts). A journal of another
// version, or the file of another program, is refused and not changed.
//
// A checkpoint has files of its own (checkpoint-files.ts). It counts once the journal names it, in one small transaction. Its
// files stay open while it counts, so a backup can be made even after somebody has deleted them.
//
// Limits: the text of a commit is at most 1 GB (SQLite's own limit).

import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inspectDirectory, journalError, type JournalInspection } from "./inspect-journal.ts";
import { replaceByCopy } from "./checkpoint-file.ts";
import {
  checkpointFile,
  checkpointFilesIn,
  filesOf,
  removeOtherCheckpoints,
  writeCheckpoint,
} from "./checkpoint-files.ts";
import {
  type CheckpointInUse,
  deleteRows,
  FORMAT_VERSION,
  insertRow,
  JOURNAL_FILE,
  makeTables,
  nameCheckpoint,
  someRows,
} from "./journal-tables.ts";
import type { ReadableJournal } from "./journal-scan.ts";
import { JournalWitness } from "./journal-witness.ts";
import {
  JournalDamage,
  type JournalHeader,
  type JournalRecord,
  type JournalStore,
  type LoadedJournal,
  type NewCheckpoint,
  type RecordSlice,
  StorageFull,
  type WrittenCheckpoint,
} from "./journal.ts";
import { makePrivateFile } from "./private-files.ts";
import { readJournal } from "./read-journal.ts";
import { readNumber } from "./sqlite-values.ts";
import { isSqliteFull } from "./storage-guard.ts";

/** Characters of record text that are read, or deleted, at a time: some tenths of a millisecond. */
const SLICE = 1 << 18;

/** What a thread needs to make a checkpoint from the one in use and the records after it. */
export interface CheckpointOrigin {
  readonly directory: string;
  readonly header: JournalHeader;
  readonly headerChecksum: number;
  readonly inUse: CheckpointInUse | null;
  /** Its open files by name. Threads may read them, at positions of their own, until what replaces them is in use. */
  readonly handles: ReadonlyMap<string, number>;
}

export class SqliteJournal implements JournalStore {
  readonly #directory: string;
  readonly #inspection: JournalInspection;
  readonly #database: Database;
  /** Null until the journal has begun. */
  #witness: JournalWitness | null = null;
  #header: JournalHeader | null = null;
  #headerChecksum = 0;
  #checkpoint: CheckpointInUse | null = null;
  /** Open files of this checkpoint, and of earlier ones that a thread may still read, by name. */
  readonly #handles = new Map<string, number>();
  /** The last committed record. */
  #last = { number: 0, checksum: 0 };
  /** Texts of the records after it. */
  #appended: string[] = [];

  /**
   * Makes the directory if it is missing. Throws JournalDamage or an Error of one line.
   * @param inspected the result of `inspectDirectory`, if it has been called already
   */
  static open(directory: string, inspected?: JournalInspection): SqliteJournal {
    const inspection = inspected ?? inspectDirectory(directory);
    if (inspection.faults.length > 0) throw new JournalDamage(inspection.faults);
    try {
      return new SqliteJournal(directory, inspection);
    } catch (error) {
      throw journalError(directory, error);
    }
  }

  private constructor(directory: string, inspection: JournalInspection) {
    this.#directory = directory;
    this.#inspection = inspection;
    const path = join(directory, JOURNAL_FILE);
    makePrivateFile(path);
    this.#database = openForWriting(path);
    try {
      const { readable } = inspection;
      if (readable !== null) this.#resume(readable);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  load(): LoadedJournal | null {
    const { readable, tornWrite } = this.#inspection;
    if (readable === null) return null;
    const content = readJournal(this.#directory, this.#database, readable);
    return { ...content, lastNumber: this.#last.number, tornWrite };
  }

  /** Null before the journal has begun. */
  get origin(): CheckpointOrigin | null {
    if (this.#header === null) return null;
    const [header, headerChecksum, inUse] = [this.#header, this.#headerChecksum, this.#checkpoint];
    return { directory: this.#directory, header, headerChecksum, inUse, handles: this.#handles };
  }

  create(header: JournalHeader): void {
    this.#attempt(() => {
      let checksum = 0;
      this.#database.transaction(() => {
        makeTables(this.#database);
        checksum = insertRow(this.#database, "header", 1, JSON.stringify(header), 0);
        this.#database.run(`pragma user_version = ${FORMAT_VERSION}`);
      }).immediate();
      // So the file has the header even if its log is lost.
      this.#database.run("pragma wal_checkpoint(truncate)");
      this.#header = header;
      this.#beginWitness(checksum, 0, checksum);
    });
  }

  append(records: readonly JournalRecord[]): void {
    for (const { number, text } of records) {
      const last = this.#last.number + this.#appended.length;
      if (number !== last + 1) throw new Error(`record ${number} can't follow record ${last}`);
      this.#appended.push(text);
    }
  }

  sync(): void {
    const texts = this.#appended;
    if (texts.length === 0) return;
    this.#appended = [];
    const number = this.#last.number + texts.length;
    this.#attempt(() => {
      const checksum = insertRow(this.#database, "record", number, texts.join("\n"), this.#last.checksum);
      this.#last = { number, checksum };
    });
    this.#attempt(() => this.#witness?.write(number, this.#last.checksum));
  }

  recordsAfter(after: number): RecordSlice {
    const rows = someRows(this.#database, after, SLICE);
    return { texts: rows.map(({ text }) => text).join("\n"), last: rows.at(-1)?.number ?? after };
  }

  writeCheckpoint(checkpoint: NewCheckpoint): WrittenCheckpoint {
    try {
      const name = checkpointFile(checkpoint.upTo, "at a stop");
      return writeCheckpoint(this.#directory, name, checkpoint, this.#checkpoint, this.#headerChecksum);
    } catch (error) {
      throw error instanceof StorageFull ? error : journalError(this.#directory, error);
    }
  }

  useCheckpoint(checkpoint: WrittenCheckpoint): void {
    this.#attempt(() => {
      const { upTo } = checkpoint;
      const missing = filesOf(checkpoint).find((file) => !existsSync(join(this.#directory, file)));
      if (missing !== undefined) throw new Error(`${missing} is missing`);
      const recordChecksum = readNumber(this.#database, "select checksum as number from record where number = ?", upTo);
      if (recordChecksum === null) throw new Error(`no commit ends with record ${upTo}`);
      const inUse = { ...checkpoint, recordChecksum };
      this.#database.transaction(() => nameCheckpoint(this.#database, inUse, this.#headerChecksum)).immediate();
      this.#openCheckpoint(inUse);
    });
  }

  deleteReplaced(): boolean {
    let isMoreLeft = false;
    this.#attempt(() => isMoreLeft = deleteRows(this.#database, this.#checkpoint?.upTo ?? 0, SLICE));
    return isMoreLeft;
  }

  async removeReplacedFile(): Promise<void> {
    this.#closeHandles(this.#checkpoint);
    await removeOtherCheckpoints(this.#directory, this.#checkpoint);
  }

  close(): void {
    this.#database.close();
    this.#closeHandles(null);
    this.#witness?.close();
    this.#witness = null;
  }

  /** Continues the inspected journal. Throws if another engine has written to it in between. */
  #resume({ header, headerChecksum, checkpoint, lastNumber, lastChecksum }: ReadableJournal): void {
    const { witness } = this.#inspection;
    const last = readNumber(this.#database, "select max(number) as number from record") ?? lastNumber;
    if (last !== lastNumber) throw new Error("another engine has just used it; start again");
    this.#header = header;
    for (const { file } of this.#inspection.replaceable) replaceByCopy(this.#directory, file);
    if (checkpoint !== null) this.#openCheckpoint(checkpoint);
    this.#removeLeftFiles();
    if (witness.kind !== "read") return this.#beginWitness(headerChecksum, lastNumber, lastChecksum);
    this.#setPosition(headerChecksum, lastNumber, lastChecksum);
    this.#witness = JournalWitness.open(this.#directory, witness);
    this.#witness.write(lastNumber, lastChecksum);
  }

  #openCheckpoint(checkpoint: CheckpointInUse): void {
    for (const { file } of [checkpoint.state, ...checkpoint.operations]) {
      if (!this.#handles.has(file)) this.#handles.set(file, openSync(join(this.#directory, file), "r"));
    }
    this.#checkpoint = checkpoint;
  }

  #closeHandles(kept: WrittenCheckpoint | null): void {
    const names = filesOf(kept);
    for (const [file, handle] of this.#handles) {
      if (names.includes(file)) continue;
      this.#handles.delete(file);
      closeSync(handle);
    }
  }

  #beginWitness(header: number, number: number, checksum: number): void {
    this.#setPosition(header, number, checksum);
    this.#witness = JournalWitness.begin(this.#directory, { format: FORMAT_VERSION, header, number, checksum });
  }

  #setPosition(header: number, number: number, checksum: number): void {
    this.#headerChecksum = header;
    this.#last = { number, checksum };
  }

  /** Deletes the checkpoints that a process has left which ended while it made one, or before it deleted the one before. */
  #removeLeftFiles(): void {
    const names = filesOf(this.#checkpoint);
    for (const name of checkpointFilesIn(this.#directory)) {
      if (!names.includes(name)) rmSync(join(this.#directory, name));
    }
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isSqliteFull(error)) throw journalError(this.#directory, error);
      if (this.#database.inTransaction) this.#database.run("rollback");
      throw new StorageFull(journalError(this.#directory, error).message, { cause: error });
    }
  }
}

function openForWriting(path: string): Database {
  const database = new Database(path, { create: true, strict: true });
  try {
    // In exclusive mode the first transaction takes the lock, even if it writes nothing.
    database.run("pragma locking_mode = exclusive");
    database.run("begin exclusive");
    database.run("commit");
    database.run("pragma journal_mode = wal");
    database.run("pragma synchronous = full");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
