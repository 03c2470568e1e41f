// Keeps an engine running on a full disk. Calls are applied before they are committed, so a commit must succeed even
// if the disk is full: it gives up a step of the reserve (storage-reserve.ts). From then on new changes are refused
// before they are applied; cancels too, because a rule about which changes deserve the last bytes would be hard to
// get right. They are accepted again once the reserve is whole and as much space is free besides.
//
// The rest of the reserve is for changes that can't be refused: those of the schedule, and connections that open and close.
// If the reserve is used up, or other programs take the space that it gave up, a commit fails and the engine ends. Nothing
// that it confirmed is lost.

import { SQLiteError } from "bun:sqlite";
import { errorMessage } from "../../common/error-message.ts";
import type { Logger } from "../../common/logger.ts";
import { rejected, type Rejection } from "../api/outcome.ts";
import { StorageFull } from "./journal.ts";
import { StorageReserve } from "./storage-reserve.ts";

export interface StorageGuard {
  /** The answer to new changes; null while they are accepted. */
  readonly refusal: Rejection | null;
  /** Does work that writes, and repeats it with more free space if the disk is full. The work must be all or nothing. */
  attempt(work: () => void): void;
  /** The disk is full: refuses changes, and gives up a step of the reserve. False if the reserve is used up. */
  makeSpace(): boolean;
  /** Refuses changes from now on, because the disk is full. */
  close(): void;
  /** Stops watching the disk. */
  stop(): void;
}

/** For journals and audit trails in memory. */
export const UNGUARDED: StorageGuard = {
  refusal: null,
  attempt: (work) => work(),
  makeSpace: () => false,
  close: () => {},
  stop: () => {},
};

/** How often the free space of a full disk is checked. */
const PROBE_MS = 2000;

interface DiskStorageGuardOptions {
  readonly directory: string;
  readonly log: Logger;
  readonly probeMs?: number;
}

export class DiskStorageGuard implements StorageGuard {
  readonly #options: DiskStorageGuardOptions;
  readonly #reserve: StorageReserve;
  #timer: ReturnType<typeof setInterval> | null = null;
  #isFull = false;

  /** Makes the reserve. If the disk is too full for it, changes are refused from the beginning. */
  constructor(options: DiskStorageGuardOptions) {
    this.#options = options;
    this.#reserve = new StorageReserve(options.directory);
    if (!this.#refill(0)) this.close();
  }

  get refusal(): Rejection | null {
    return this.#isFull ? STORAGE_FULL : null;
  }

  attempt(work: () => void): void {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isStorageFull(error) || !this.makeSpace()) throw error;
      }
    }
  }

  makeSpace(): boolean {
    if (this.#reserve.isUsedUp) return false;
    this.close();
    this.#reserve.giveUpStep();
    return true;
  }

  close(): void {
    if (this.#isFull) return;
    this.#isFull = true;
    const { directory, log, probeMs } = this.#options;
    log.error("the disk of {directory} is full: changes are refused until there is free space", { directory });
    this.#timer = setInterval(() => this.#probe(), probeMs ?? PROBE_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #probe(): void {
    if (!this.#refill(this.#reserve.size)) return;
    this.stop();
    this.#isFull = false;
    const { directory, log } = this.#options;
    log.warn("the disk of {directory} has free space again: changes are accepted", { directory });
  }

  /** False if the disk is too full. If the reserve can't be written for another reason, the guard works without it. */
  #refill(spare: number): boolean {
    try {
      return this.#reserve.refill(spare);
    } catch (error) {
      this.#options.log.warn("could not write the reserve for a full disk: {error}", {
        error: errorMessage(error),
      });
      return true;
    }
  }
}

const STORAGE_FULL = rejected(
  "storage_full",
  "The engine's disk is full: nothing was changed. Reads still work; changes are accepted again when there is free space.",
);

export function isStorageFull(error: unknown): boolean {
  return error instanceof StorageFull || isSqliteFull(error);
}

/** The last one: SQLite could not make the -shm file of a database as large as it must be. */
const DISK_FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "SQLITE_IOERR_SHMSIZE"]);

/** Whether the reason of an error is a full disk or an exceeded quota, of whatever file. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return isStorageFull(error) || DISK_FULL_CODES.has(code ?? "") || isDiskFull(error.cause);
}

/** SQLite reports an exceeded quota as a failed write. */
export function isSqliteFull(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code === "SQLITE_FULL" || error.code === "SQLITE_IOERR_WRITE");
}
