// Refuses changes while the storage can't keep them: on a full disk, and if the files are no longer where they were opened.
//
// A full disk: calls are applied before they are committed, so a commit must succeed even then: it gives up a step of the
// reserve (storage-reserve.ts). From then on new changes are refused before they are applied; cancels too, because a rule
// about which changes deserve the last bytes would be hard to get right. They are accepted again once the reserve is whole
// and as much space is free besides.
//
// The rest of the reserve is for changes that can't be refused: those of the schedule, and connections that open and close.
// If the reserve is used up, or other programs take the space that it gave up, a commit fails and the engine ends. Nothing
// that it confirmed is lost.
//
// Files that were deleted or moved (open-files.ts): what is written to them may be gone when the engine ends, so its memory
// is all that is left of the market, and a backup saves it. The files are looked at every two seconds, and before a change
// if nobody has looked for MOST_UNSEEN_MS. So at most the changes of these milliseconds are confirmed and not kept.

import { SQLiteError } from "bun:sqlite";
import { errorMessage } from "../../common/error-message.ts";
import type { Logger } from "../../common/logger.ts";
import { rejected, type Rejection } from "../api/outcome.ts";
import { StorageFull } from "./journal.ts";
import { OpenFiles } from "./open-files.ts";
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
  /** Stops watching the disk and the files. */
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

/** How often the files are looked at, and the free space of a full disk. */
const PROBE_MS = 2000;
/** A look takes some tens of microseconds, so it is not made for each change of a busy engine. */
const MOST_UNSEEN_MS = 10;

interface DiskStorageGuardOptions {
  readonly directory: string;
  /** Names of the files in it that are open now. */
  readonly files: () => readonly string[];
  readonly log: Logger;
  readonly probeMs?: number;
}

export class DiskStorageGuard implements StorageGuard {
  readonly #options: DiskStorageGuardOptions;
  readonly #reserve: StorageReserve;
  readonly #files: OpenFiles;
  readonly #timer: ReturnType<typeof setInterval>;
  #isFull = false;
  /** What is no longer in its place; null if everything is. */
  #fault: string | null = null;
  #lookedAt = performance.now();

  /** Makes the reserve. If the disk is too full for it, changes are refused from the beginning. */
  constructor(options: DiskStorageGuardOptions) {
    this.#options = options;
    this.#reserve = new StorageReserve(options.directory);
    this.#files = new OpenFiles(options.directory, options.files);
    if (!this.#refill(0)) this.close();
    this.#timer = setInterval(() => this.#probe(), options.probeMs ?? PROBE_MS);
    this.#timer.unref();
  }

  get refusal(): Rejection | null {
    if (performance.now() - this.#lookedAt > MOST_UNSEEN_MS) this.#look();
    if (this.#fault !== null) return STORAGE_MISSING;
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
    const { directory, log } = this.#options;
    log.error("the disk of {directory} is full: changes are refused until there is free space", { directory });
  }

  stop(): void {
    clearInterval(this.#timer);
    // SQLite deletes its logs when the files are closed, so nobody looks any more.
    this.#lookedAt = Infinity;
  }

  #look(): void {
    this.#lookedAt = performance.now();
    const fault = this.#files.fault();
    if (fault === this.#fault) return;
    this.#fault = fault;
    const { directory, log } = this.#options;
    if (fault === null) log.warn(BACK, { directory });
    else log.error(MISSING, { directory, fault });
  }

  #probe(): void {
    this.#look();
    if (!this.#isFull || this.#fault !== null || !this.#refill(this.#reserve.size)) return;
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

const BACK = "the files in {directory} are in their place again";
const MISSING =
  "the files in {directory} are no longer in their place, so changes are refused: {fault}. Take a backup " +
  "now (mkt backup), before this engine ends: what it has confirmed may be in its memory only";

const STORAGE_MISSING = rejected(
  "storage_missing",
  "The engine's data files were deleted or moved: nothing was changed. Reads still work. Its operator must take a backup " +
    "now (mkt backup), before the engine ends.",
);

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
