// A lock file: one process at a time holds it, and it is free again when that process has ended, however it ended.
//
// On Windows the file can't be deleted while the lock is held.

import { Database } from "bun:sqlite";
import { makePrivateFile } from "./private-files.ts";

/** Holds the lock until it is closed. Throws SQLITE_BUSY if another process holds it. */
export function exclusiveLock(path: string): Database {
  makePrivateFile(path);
  const lock = new Database(path, { create: true, strict: true });
  try {
    // Nothing is written, so no file beside it is needed.
    lock.run("pragma journal_mode = memory");
    lock.run("pragma locking_mode = exclusive");
    lock.run("begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}
