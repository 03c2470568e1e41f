// A journal in a SQLite file, DIR/journal.sqlite, with its witness beside it.
//
// One transaction for each group of records, in WAL mode with synchronous=FULL, and then the witness: when `sync` returns,
// both are on the disk. The lock is exclusive and taken at once, so that no two engines write one journal; it goes with its
// process, however that ends. A journal is inspected before it is opened for writing: inspect-journal.ts says what is
// damage. Another version, or a file of something else, is refused and left as it is.
//
// Limits: a text is at most 1 GB (SQLite's own limit).

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { inspectJournal, type JournalInspection } from "./inspect-journal.ts";
import {
  checkpointSeed,
  faultOf,
  FORMAT_VERSION,
  insertRow,
  JOURNAL_FILE,
  makeTables,
  rowsOf,
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
import { makePrivateDirectory, makePrivateFile } from "./private-files.ts";
import { Unreadable } from "./read-only-database.ts";
import { isSqliteFull } from "./storage-guard.ts";

export class SqliteJournal implements JournalStore {
  readonly #directory: string;
  readonly #inspection: JournalInspection;
  readonly #database: Database;
  /** Null until the journal has begun. */
  #witness: JournalWitness | null = null;
  #headerChecksum = 0;
  #lastNumber = 0;
  #lastChecksum = 0;
  /** As of the last commit. */
  #committed = { number: 0, checksum: 0 };

  /**
   * Makes the directory if it is not there. Throws JournalDamage, and otherwise an Error of one line.
   * @param inspected what `inspectDirectory` found, if it has been called already
   */
  static open(directory: string, inspected?: JournalInspection): SqliteJournal {
    const inspection = inspected ?? inspectDirectory(directory);
    if (inspection.faults.length > 0) throw new JournalDamage(inspection.faults);
    try {
      return new SqliteJournal(directory, inspection);
    } catch (error) {
      throw failure(directory, error);
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
      if (readable !== null) this.#goOn(readable);
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
        : { upTo, parts: this.#texts("checkpoint", 0, checkpointSeed(headerChecksum, upTo)) },
      records: this.#records(upTo, recordSeed),
      lastNumber: this.#lastNumber,
      tornWrite,
    };
  }

  create(header: JournalHeader): void {
    this.#guard(() => {
      let checksum = 0;
      this.#database.transaction(() => {
        makeTables(this.#database);
        checksum = insertRow(this.#database, "header", 1, JSON.stringify(header), 0);
        this.#database.run(`pragma user_version = ${FORMAT_VERSION}`);
      }).immediate();
      // Without its log the file then still says whose journal it is.
      this.#database.run("pragma wal_checkpoint(truncate)");
      this.#begin(checksum, 0, checksum);
    });
  }

  append(records: readonly JournalRecord[]): void {
    this.#guard(() => {
      if (!this.#database.inTransaction) this.#database.run("begin");
      for (const { number, text } of records) {
        if (number !== this.#lastNumber + 1) {
          throw new Error(`record ${number} can't follow record ${this.#lastNumber}`);
        }
        this.#lastChecksum = insertRow(this.#database, "record", number, text, this.#lastChecksum);
        this.#lastNumber = number;
      }
    });
  }

  sync(): void {
    if (!this.#database.inTransaction) return;
    this.#guard(() => this.#database.run("commit"));
    this.#committed = { number: this.#lastNumber, checksum: this.#lastChecksum };
    this.#guard(() => this.#witness?.write(this.#lastNumber, this.#lastChecksum));
  }

  saveCheckpoint(checkpoint: JournalCheckpoint): void {
    const checksums = { header: this.#headerChecksum, record: this.#lastChecksum };
    this.#guard(() =>
      this.#database.transaction(() => writeCheckpoint(this.#database, checkpoint, checksums)).immediate()
    );
  }

  close(): void {
    this.#database.close();
    this.#witness?.close();
    this.#witness = null;
  }

  /** Nobody can have written since the inspection, unless another engine ran meanwhile. */
  #goOn({ headerChecksum, lastNumber, lastChecksum }: NonNullable<JournalInspection["readable"]>): void {
    const { witness } = this.#inspection;
    const last = this.#database.query<{ number: number | null }, []>("select max(number) as number from record").get();
    if ((last?.number ?? lastNumber) !== lastNumber) throw new Error("another engine has just used it; start again");
    if (witness.kind !== "read") return this.#begin(headerChecksum, lastNumber, lastChecksum);
    this.#place(headerChecksum, lastNumber, lastChecksum);
    this.#witness = JournalWitness.open(this.#directory, witness);
    this.#witness.write(lastNumber, lastChecksum);
  }

  #begin(header: number, number: number, checksum: number): void {
    this.#place(header, number, checksum);
    this.#witness = JournalWitness.begin(this.#directory, { format: FORMAT_VERSION, header, number, checksum });
  }

  #place(header: number, number: number, checksum: number): void {
    this.#headerChecksum = header;
    this.#lastNumber = number;
    this.#lastChecksum = checksum;
    this.#committed = { number, checksum };
  }

  *#records(after: number, seed: number): Generator<JournalRecord, void, undefined> {
    let number = after;
    for (const text of this.#texts("record", after, seed)) yield { number: ++number, text };
  }

  /** The inspection has found them whole; a disk may still give others the next time. */
  *#texts(table: "checkpoint" | "record", after: number, seed: number): Generator<string, void, undefined> {
    let [number, checksum] = [after, seed];
    for (const row of rowsOf(this.#database, table, after)) {
      const fault = faultOf(row, number + 1, checksum);
      if (fault !== null) throw failure(this.#directory, new Error(`${table} ${number + 1} ${fault}`));
      number += 1;
      checksum = row.checksum;
      yield row.text;
    }
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isSqliteFull(error)) throw failure(this.#directory, error);
      if (this.#database.inTransaction) this.#database.run("rollback");
      this.#lastNumber = this.#committed.number;
      this.#lastChecksum = this.#committed.checksum;
      throw new StorageFull(failure(this.#directory, error).message, { cause: error });
    }
  }
}

/** As `inspectJournal`, in a directory that is made if it is not there; every failure names the directory. */
export function inspectDirectory(directory: string): JournalInspection {
  try {
    makePrivateDirectory(directory);
    return inspectJournal(directory);
  } catch (error) {
    throw failure(directory, error instanceof Unreadable ? error.cause : error);
  }
}

function openForWriting(path: string): Database {
  const database = new Database(path, { create: true, strict: true });
  try {
    // Exclusive mode takes the lock with the first transaction; beginning one that writes nothing is enough.
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

function failure(directory: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
  if (reason.startsWith(`journal in ${directory}: `)) return error as Error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const told = code === "SQLITE_BUSY" ? "another engine is using it" : reason;
  return new Error(`journal in ${directory}: ${told}`, { cause: error });
}
