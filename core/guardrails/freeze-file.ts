// The operator's kill switch: while the file that MKT_FREEZE_FILE names is there, this process changes nothing in the
// market. Its text is the reason, the time it was written is since when; `touch` freezes as well as `mkt freeze` does.
//
// Invariants: it is looked at on every call, so that it holds from the next one on and over a restart. What can't be read
// counts as frozen: a switch that fails must fail safe. Cost: one lstat a call, some microseconds.

import { closeSync, fsyncSync, lstatSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Freeze } from "../tools/context.ts";

/** Bytes of the file that are read as the reason. */
const LONGEST_REASON = 1000;

export class FreezeFile {
  constructor(readonly path: string) {}

  /** Null where the market is not frozen. */
  read(): Freeze | null {
    try {
      if (lstatSync(this.path, { throwIfNoEntry: false }) === undefined) return this.#absent();
      const found = statSync(this.path);
      if (!found.isFile()) return unreadable(this.path, "it is not a file");
      return { reason: readStart(this.path) || null, since: found.mtime.toISOString() };
    } catch (error) {
      return unreadable(this.path, (error as Error).message);
    }
  }

  /** Whole or not at all, also where the power fails. Throws where it can't be written. */
  freeze(reason: string): void {
    const draft = `${this.path}.${crypto.randomUUID()}`;
    try {
      const file = openSync(draft, "wx", 0o644);
      try {
        writeSync(file, reason);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, this.path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw new Error(`NOT frozen: ${(error as Error).message}`);
    }
    this.#syncDirectory();
  }

  /** False where it was not frozen. Throws where the file can't be removed. */
  thaw(): boolean {
    if (this.read() === null) return false;
    try {
      rmSync(this.path);
    } catch (error) {
      throw new Error(`still frozen: ${(error as Error).message}`);
    }
    this.#syncDirectory();
    return true;
  }

  /** Without its folder nobody could freeze: that is no thawed market. */
  #absent(): Freeze | null {
    const folder = statSync(dirname(this.path), { throwIfNoEntry: false });
    return folder?.isDirectory() ? null : unreadable(this.path, "its folder is not there");
  }

  /** So that the name, too, outlives a power failure; not every system lets a folder be opened. */
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
  return { reason: `MKT_FREEZE_FILE ${path} can't be read, which counts as frozen: ${why}`, since: null };
}

/** Never more than the first bytes, whatever somebody put there. */
function readStart(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(LONGEST_REASON);
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes))).trim();
  } finally {
    closeSync(file);
  }
}
