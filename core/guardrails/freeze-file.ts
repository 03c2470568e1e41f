// The operator's kill switch: while the file MKT_FREEZE_FILE exists, this process changes nothing in the market. The text of
// the file is the reason, its modification time is the time of the freeze. `touch` works as well as `mkt freeze`.
//
// Invariants: every call checks the file, so a freeze takes effect from the next call on and survives a restart. A file that
// can't be read counts as frozen, so the kill switch fails safe. Cost: one lstat for each call, some microseconds.

import { closeSync, fsyncSync, lstatSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import type { Freeze } from "../tools/freeze.ts";

/** Bytes; the rest of the file is not read. */
const MAX_REASON_BYTES = 1000;

export class FreezeFile {
  constructor(readonly path: string) {}

  /** Null if not frozen. */
  read(): Freeze | null {
    try {
      if (lstatSync(this.path, { throwIfNoEntry: false }) === undefined) return this.#absent();
      const found = statSync(this.path);
      if (!found.isFile()) return unreadable(this.path, "it is not a file");
      return { reason: readStart(this.path) || null, since: found.mtime.toISOString() };
    } catch (error) {
      return unreadable(this.path, fileErrorReason(error));
    }
  }

  /** Atomic and durable: the file is synced, renamed into place, and the folder synced. Throws if it can't be written. */
  freeze(reason: string): void {
    const draft = `${this.path}.${crypto.randomUUID()}`;
    try {
      // Servers of other users on the host read it, too.
      const file = openSync(draft, "wx", 0o644);
      try {
        try {
          writeSync(file, reason);
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        renameSync(draft, this.path);
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
    } catch (error) {
      const why = fileErrorReason(error);
      throw new Error(`NOT frozen: ${this.path} can't be written: ${why}; mend that, or correct MKT_FREEZE_FILE`);
    }
    this.#syncDirectory();
  }

  /** False if it was not frozen. Throws if the file can't be removed. */
  thaw(): boolean {
    const found = this.read();
    if (found === null) return false;
    try {
      rmSync(this.path);
    } catch (error) {
      throw new Error(`still frozen: ${found.since === null ? found.reason : fileErrorReason(error)}`);
    }
    this.#syncDirectory();
    return true;
  }

  /** A missing folder counts as frozen, because nobody could freeze then. */
  #absent(): Freeze | null {
    const folder = statSync(dirname(this.path), { throwIfNoEntry: false });
    return folder?.isDirectory() ? null : unreadable(this.path, "its folder is not there");
  }

  /** Makes the new name survive a power failure. Windows can't open a folder. */
  #syncDirectory(): void {
    if (process.platform === "win32") return;
    const folder = openSync(dirname(this.path), "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }
}

function unreadable(path: string, why: string): Freeze {
  return {
    reason: `MKT_FREEZE_FILE ${path} can't be read, which counts as frozen: ${why}; mend that, or correct the variable`,
    since: null,
  };
}

/** The first bytes of the file, as text. */
function readStart(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(MAX_REASON_BYTES);
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes))).trim();
  } finally {
    closeSync(file);
  }
}
