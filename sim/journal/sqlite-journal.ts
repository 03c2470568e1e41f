// A journal in a SQLite file, DIR/journal.sqlite, with its witness beside it.
//
// Each group of records is one transaction, in WAL mode with synchronous=FULL; then the witness is written. When `sync`
// returns, both are on the disk. The database is locked exclusively when it is opened, so two engines never write the same
// journal; the lock ends with its process. A journal is inspected before it is opened for writing (inspect-journal.ts). A
// journal of another version, or the file of another program, is refused and not changed.
//
// Limits: a text is at most 1 GB (SQLite's own limit).

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { inspectDirectory, journalError, type JournalInspection } from "./inspect-journal.ts";
import {
  checkpointSeed,
  FORMAT_VERSION,
  insertRow,
  JOURNAL_FILE,
  makeTables,
  rowFault,
  rowsOf,
  type TextRow,
  writeCheckpoint,
} from "./journal-tables.ts";
import { JournalWitness } from "./journal-witness.ts";
import {
  type JournalCheckpoint,
  JournalDamage,
  type JournalHeader,
  type JournalRecord,
  type JournalStore,
  type LoadedJournal,
  StorageFull,
} from "./journal.ts";
import { makePrivateFile } from "./private-files.ts";
import { readNumber } from "./sqlite-values.ts";
import { isSqliteFull } from "./storage-guard.ts";

export class SqliteJournal implements JournalStore {
  readonly #directory: string;
  readonly #inspection: JournalInspection;
  readonly #database: Database;
  /** Null until the journal has begun. */
  #witness: JournalWitness | null = null;
  #headerChecksum = 0;
  /** The last appended record. */
  #last = { number: 0, checksum: 0 };
  /** The last committed record. */
  #committed = this.#last;

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
    const { header, headerChecksum, checkpoint } = readable;
    const upTo = checkpoint?.upTo ?? 0;
    const recordSeed = checkpoint?.recordChecksum ?? headerChecksum;
    return {
      header,
      checkpoint: checkpoint === null
        ? null
        : { upTo, parts: this.#rows("checkpoint", 0, checkpointSeed(headerChecksum, upTo)).map(({ text }) => text) },
      records: this.#rows("record", upTo, recordSeed).map(({ number, text }) => ({ number, text })),
      lastNumber: this.#last.number,
      tornWrite,
    };
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
      this.#beginWitness(checksum, 0, checksum);
    });
  }

  append(records: readonly JournalRecord[]): void {
    this.#attempt(() => {
      if (!this.#database.inTransaction) this.#database.run("begin");
      for (const { number, text } of records) {
        const { number: last, checksum } = this.#last;
        if (number !== last + 1) throw new Error(`record ${number} can't follow record ${last}`);
        this.#last = { number, checksum: insertRow(this.#database, "record", number, text, checksum) };
      }
    });
  }

  sync(): void {
    if (!this.#database.inTransaction) return;
    this.#attempt(() => this.#database.run("commit"));
    this.#committed = this.#last;
    this.#attempt(() => this.#witness?.write(this.#last.number, this.#last.checksum));
  }

  saveCheckpoint(checkpoint: JournalCheckpoint): void {
    const checksums = { header: this.#headerChecksum, record: this.#last.checksum };
    this.#attempt(() =>
      this.#database.transaction(() => writeCheckpoint(this.#database, checkpoint, checksums)).immediate()
    );
  }

  close(): void {
    this.#database.close();
    this.#witness?.close();
    this.#witness = null;
  }

  /** Continues the inspected journal. Throws if another engine has written to it in between. */
  #resume({ headerChecksum, lastNumber, lastChecksum }: NonNullable<JournalInspection["readable"]>): void {
    const { witness } = this.#inspection;
    const last = readNumber(this.#database, "select max(number) as number from record") ?? lastNumber;
    if (last !== lastNumber) throw new Error("another engine has just used it; start again");
    if (witness.kind !== "read") return this.#beginWitness(headerChecksum, lastNumber, lastChecksum);
    this.#setPosition(headerChecksum, lastNumber, lastChecksum);
    this.#witness = JournalWitness.open(this.#directory, witness);
    this.#witness.write(lastNumber, lastChecksum);
  }

  #beginWitness(header: number, number: number, checksum: number): void {
    this.#setPosition(header, number, checksum);
    this.#witness = JournalWitness.begin(this.#directory, { format: FORMAT_VERSION, header, number, checksum });
  }

  #setPosition(header: number, number: number, checksum: number): void {
    this.#headerChecksum = header;
    this.#committed = this.#last = { number, checksum };
  }

  /** Checks each row again: the disk may return other bytes than at the inspection. */
  *#rows(table: "checkpoint" | "record", after: number, seed: number): Generator<TextRow, void, undefined> {
    let [number, checksum] = [after, seed];
    for (const row of rowsOf(this.#database, table, after)) {
      const fault = rowFault(row, number + 1, checksum);
      if (fault !== null) throw journalError(this.#directory, new Error(`${table} ${number + 1} ${fault}`));
      number += 1;
      checksum = row.checksum;
      yield row;
    }
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isSqliteFull(error)) throw journalError(this.#directory, error);
      if (this.#database.inTransaction) this.#database.run("rollback");
      this.#last = this.#committed;
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
