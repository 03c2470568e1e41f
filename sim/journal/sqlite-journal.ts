// A journal in a SQLite file, DIR/journal.sqlite.
//
// One transaction for each group of records, in WAL mode with synchronous=FULL: it is on the disk when `sync` returns.
// The lock is exclusive and taken at once, so that no two engines write one journal; it goes with its process, however
// that ends. Each text carries its length and CRC-32 beside SQLite's own; records from the first one that does not fit
// are deleted when the journal is loaded, since nothing after a damaged call can be trusted.
//
// user_version is the format's version. Another version, or a file of something else, is refused and left as it is.
// Limits: a text is at most 1 GB (SQLite's own limit).

import { Database, type SQLQueryBindings } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JournalCut, JournalHeader, JournalImage, JournalRecord, JournalStore, LoadedJournal } from "./journal.ts";

export const JOURNAL_FILE = "journal.sqlite";
export const FORMAT_VERSION = 4;

interface TextRow {
  readonly number: number;
  readonly length: number;
  readonly checksum: number;
  readonly text: string;
}

const TABLES = ["header", "image", "record"] as const;
type Table = (typeof TABLES)[number];
/** Rows read at a time, so that memory does not grow with the journal. */
const PAGE = 1000;

export class SqliteJournal implements JournalStore {
  readonly #database: Database;
  readonly #directory: string;
  #lastNumber = 0;
  #inTransaction = false;

  /** Makes the directory where it is not there. */
  static open(directory: string): SqliteJournal {
    try {
      mkdirSync(directory, { recursive: true });
      return new SqliteJournal(directory);
    } catch (error) {
      throw failure(directory, error);
    }
  }

  private constructor(directory: string) {
    this.#directory = directory;
    this.#database = new Database(join(directory, JOURNAL_FILE), { create: true, strict: true });
    try {
      this.#database.run("pragma locking_mode = exclusive");
      this.#lock();
      this.#checkVersion();
      this.#database.run("pragma journal_mode = wal");
      this.#database.run("pragma synchronous = full");
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  load(): LoadedJournal | null {
    return this.#guard(() => {
      if (this.#version() === 0) return null;
      const [headerText] = this.#texts("header");
      if (headerText === undefined) throw new Error("the header is missing");
      const imageNumber = this.#imageNumber();
      const cut = this.#cutDamaged(imageNumber ?? 0);
      return {
        header: JSON.parse(headerText) as JournalHeader,
        image: imageNumber === null ? null : { upTo: imageNumber, parts: this.#texts("image") },
        records: this.#records(imageNumber ?? 0),
        lastNumber: this.#lastNumber,
        cut,
      };
    });
  }

  create(header: JournalHeader): void {
    this.#transaction(() => {
      for (const table of TABLES) {
        this.#database.run(
          `create table ${table} (number integer primary key, length integer, checksum integer, text text) strict`,
        );
      }
      this.#database.run("create table image_number (number integer) strict");
      this.#insert("header", 1, JSON.stringify(header));
      this.#database.run(`pragma user_version = ${FORMAT_VERSION}`);
    });
  }

  append(records: readonly JournalRecord[]): void {
    this.#guard(() => {
      if (!this.#inTransaction) this.#database.run("begin");
      this.#inTransaction = true;
      for (const { number, text } of records) {
        if (number !== this.#lastNumber + 1) {
          throw new Error(`record ${number} can't follow record ${this.#lastNumber}`);
        }
        this.#insert("record", number, text);
        this.#lastNumber = number;
      }
    });
  }

  sync(): void {
    if (!this.#inTransaction) return;
    this.#guard(() => this.#database.run("commit"));
    this.#inTransaction = false;
  }

  saveImage({ upTo, parts }: JournalImage): void {
    this.#transaction(() => {
      this.#database.run("delete from image");
      this.#database.run("delete from image_number");
      let number = 0;
      for (const text of parts) this.#insert("image", ++number, text);
      this.#database.run("insert into image_number values (?)", [upTo]);
      this.#database.run("delete from record where number <= ?", [upTo]);
    });
  }

  close(): void {
    this.#database.close();
  }

  /** Exclusive mode takes the lock with the first transaction; beginning one that writes nothing is enough. */
  #lock(): void {
    this.#database.run("begin exclusive");
    this.#database.run("commit");
  }

  #checkVersion(): void {
    const version = this.#version();
    if (version === FORMAT_VERSION) return;
    if (version !== 0) {
      throw new Error(`it has format version ${version}, this mkt reads version ${FORMAT_VERSION}`);
    }
    if (this.#number("select count(*) as number from sqlite_schema") > 0) throw new Error("it is not a journal of mkt");
  }

  #version(): number {
    return this.#number("select user_version as number from pragma_user_version");
  }

  /** Number of the record that the image stands at; null without one. */
  #imageNumber(): number | null {
    const row = this.#database.query<{ number: number }, []>("select number from image_number").get();
    return row?.number ?? null;
  }

  /** Finds the first record that is damaged, or out of place, and deletes it and all after it. */
  #cutDamaged(imageNumber: number): JournalCut | null {
    this.#lastNumber = imageNumber;
    for (const row of this.#rows("record", imageNumber)) {
      const fault = row.number === this.#lastNumber + 1 ? faultOf(row) : "is missing";
      if (fault === null) {
        this.#lastNumber = row.number;
        continue;
      }
      const from = this.#lastNumber + 1;
      const records = this.#number("select count(*) as number from record where number >= ?", [from]);
      this.#transaction(() => this.#database.run("delete from record where number >= ?", [from]));
      return { from, records, reason: `record ${from} ${fault}` };
    }
    return null;
  }

  *#records(imageNumber: number): Generator<JournalRecord, void, undefined> {
    for (const { number, text } of this.#rows("record", imageNumber)) yield { number, text };
  }

  /** The texts of a table that can't do without any of them. */
  *#texts(table: Exclude<Table, "record">): Generator<string, void, undefined> {
    for (const row of this.#rows(table, 0)) {
      const fault = faultOf(row);
      if (fault !== null) throw failure(this.#directory, new Error(`part ${row.number} of its ${table} ${fault}`));
      yield row.text;
    }
  }

  *#rows(table: Table, after: number): Generator<TextRow, void, undefined> {
    const page = this.#database.query<TextRow, [number]>(
      `select number, length, checksum, text from ${table} where number > ? order by number limit ${PAGE}`,
    );
    for (let last = after;;) {
      const rows = this.#guard(() => page.all(last));
      yield* rows;
      if (rows.length < PAGE) return;
      last = rows.at(-1)?.number ?? last;
    }
  }

  #insert(table: Table, number: number, text: string): void {
    this.#database.query(`insert into ${table} values (?, ?, ?, ?)`).run(
      number,
      text.length,
      Bun.hash.crc32(text),
      text,
    );
  }

  #number(query: string, parameters: SQLQueryBindings[] = []): number {
    const row = this.#database.query<{ number: number }, SQLQueryBindings[]>(query).get(...parameters);
    if (row === null) throw new Error(`no answer to ${query}`);
    return row.number;
  }

  /** All or nothing, and durable. */
  #transaction(work: () => void): void {
    this.#guard(() => this.#database.transaction(work).immediate());
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw failure(this.#directory, error);
    }
  }
}

function faultOf({ length, checksum, text }: TextRow): string | null {
  if (typeof text !== "string" || text.length !== length) return "has not its length";
  return Bun.hash.crc32(text) === checksum ? null : "has not its checksum";
}

function failure(directory: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
  if (reason.startsWith(`journal in ${directory}: `)) return error as Error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const told = code === "SQLITE_BUSY" ? "another engine is using it" : reason;
  return new Error(`journal in ${directory}: ${told}`, { cause: error });
}
