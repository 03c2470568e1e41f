// Reads a SQLite file without changing it or its write-ahead log. Opening a database for writing and closing it moves the
// log into the file and deletes the log, but damaged files must be kept as they are.
//
// The reader makes an empty log and a -shm file if they are missing, and removes them afterwards. It removes them only if it
// has locked the database, or if the database is damaged: otherwise they could belong to an engine that has just started.
//
// Throws Unreadable if the file or its log is damaged. Other errors, such as a file in use by another process, are passed
// on.

import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";

/** A file is damaged. */
export class Unreadable extends Error {}

/** SQLite error codes that mean damage. SQLITE_ERROR: a table is missing. */
const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|ERROR|FORMAT|MISMATCH|TOOBIG|NOMEM|CONSTRAINT|CANTOPEN|IOERR_SHORT_READ)/;

export function readDatabase<Result>(path: string, look: (database: Database) => Result): Result {
  // Fails now if the file may not be written, which SQLite would report as damage.
  closeSync(openSync(path, "r+"));
  const isLogThere = existsSync(`${path}-wal`);
  let database: Database | null = null;
  let isOurs = false;
  try {
    database = new Database(path, { readonly: true, strict: true });
    // The first read takes the lock. A database with a log keeps it until it is closed.
    database.query("pragma schema_version").get();
    isOurs = true;
    return look(database);
  } catch (error) {
    const translated = asUnreadable(error);
    isOurs ||= translated instanceof Unreadable;
    throw translated;
  } finally {
    if (isOurs && process.platform !== "win32") {
      rmSync(`${path}-shm`, { force: true });
      if (!isLogThere) rmSync(`${path}-wal`, { force: true });
    }
    database?.close();
  }
}

/** The first fault in the file's structure; null if it is sound. Reads the whole file. */
export function structureFault(database: Database, pragma: "quick_check" | "integrity_check"): string | null {
  const row = database.query<Record<string, string>, []>(`pragma ${pragma}(1)`).get();
  const answer = Object.values(row ?? {})[0] ?? "no result";
  return answer === "ok" ? null : answer.replaceAll(/\s+/g, " ");
}

/** Bytes; 0 if the file is missing. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function asUnreadable(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || !DAMAGE_CODES.test(error.code ?? "")) return error;
  return new Unreadable(error.message.replaceAll(/\s+/g, " "), { cause: error });
}
