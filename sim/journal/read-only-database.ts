// Looks at a SQLite file without changing it or its write-ahead log. A database that is opened for writing and closed
// again takes its log into the file and deletes it: what is damaged must be kept as it is.
//
// The reader makes an empty log and a -shm file if they are missing, and removes them. It does so only while it holds its
// lock on the database, or if the database is damaged: else they could be those of an engine that has just started.
//
// Throws Unreadable if the file or its log is damaged. Other failures, such as another process that uses the file, stay
// what they are.

import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";

/** A file does not hold what it should. */
export class Unreadable extends Error {}

/** Codes of SQLite by which a file is not what it should be. SQLITE_ERROR: a table that is missing. */
const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|ERROR|FORMAT|MISMATCH|TOOBIG|NOMEM|CONSTRAINT|CANTOPEN|IOERR_SHORT_READ)/;

export function readDatabase<Result>(path: string, look: (database: Database) => Result): Result {
  // Opening it for writing tells now what SQLite would call damage later: a file that may not be written.
  closeSync(openSync(path, "r+"));
  const isLogThere = existsSync(`${path}-wal`);
  let database: Database | null = null;
  let isOurs = false;
  try {
    database = new Database(path, { readonly: true, strict: true });
    // The first read takes the lock, which a database with a log keeps until it is closed.
    database.query("pragma schema_version").get();
    isOurs = true;
    return look(database);
  } catch (error) {
    const told = asUnreadable(error);
    isOurs ||= told instanceof Unreadable;
    throw told;
  } finally {
    if (isOurs && process.platform !== "win32") {
      rmSync(`${path}-shm`, { force: true });
      if (!isLogThere) rmSync(`${path}-wal`, { force: true });
    }
    database?.close();
  }
}

/** The first thing that is wrong with the file's structure; null: nothing. Reads the whole file. */
export function structureFault(database: Database, pragma: "quick_check" | "integrity_check"): string | null {
  const row = database.query<Record<string, string>, []>(`pragma ${pragma}(1)`).get();
  const answer = Object.values(row ?? {})[0] ?? "no answer";
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
