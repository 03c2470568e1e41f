// The tables of the engine's own audit trail.
//
// user_version is the version of the format. A trail of another version, or the file of another program, is refused and not
// changed.

import { Database } from "bun:sqlite";
import { formatVersion, tableCount } from "../journal/sqlite-values.ts";

export const AUDIT_FILE = "audit.sqlite";
export const AUDIT_WAL_FILE = `${AUDIT_FILE}-wal`;

const SCHEMA = [
  // Runs of events (audit-blocks.ts).
  `create table block (
    last_position integer primary key, first_position integer not null, checksum integer not null, lines blob not null
  ) strict`,
  // The blocks with an event that may be looked up by `key`: a name, a type of module, or an id of a module or order.
  "create table mention (key text, last_position integer, primary key (key, last_position)) strict, without rowid",
  "create table day (day text primary key, first_position integer not null) strict, without rowid",
  // The events up to this position were lost with an earlier trail.
  "create table beginning (only_row integer primary key check (only_row = 1), position integer not null) strict",
  "create table delivered (only_row integer primary key check (only_row = 1), position integer not null) strict",
] as const;

export const AUDIT_FORMAT_VERSION = 3;

/** Makes the file and the tables if they are missing. Throws if the file is not an audit trail. */
export function openAuditTables(path: string): Database {
  const database = new Database(path, { create: true, strict: true });
  try {
    // In exclusive mode no other reader can delay a WAL checkpoint, which makes events durable. If the mode is set before the
    // first query, SQLite needs no -shm file.
    database.run("pragma locking_mode = exclusive");
    const version = formatVersion(database);
    if (version === 0 && tableCount(database) > 0) throw new Error("it is not an audit trail of mkt");
    if (version !== 0 && version !== AUDIT_FORMAT_VERSION) {
      throw new Error(`it has format version ${version}, this mkt reads version ${AUDIT_FORMAT_VERSION}`);
    }
    database.run("pragma journal_mode = wal");
    database.run("pragma synchronous = normal");
    if (version === 0) makeTables(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeTables(database: Database): void {
  database.transaction(() => {
    for (const statement of SCHEMA) database.run(statement);
    database.run(`pragma user_version = ${AUDIT_FORMAT_VERSION}`);
  })();
}
