// What happens when the disk is full. Commands are carried out before they are committed, so a commit that has no room must
// still succeed: a reserve of space in the data directory, DIR/storage.reserve, is given up for it a step at a time. From then
// on changes are refused before they are carried out, until there is room for the whole reserve again, and as much beside it.
//
// What is left of the reserve is for what can't be refused: the schedule, and connections that come and go. If it is used up,
// or other programs take what was given up, the commit fails and the engine ends; nothing that it confirmed is lost.

import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SQLiteError } from "bun:sqlite";
import type { Logger } from "../../common/logger.ts";
import { rejected, type Rejection } from "../engine/api/outcome.ts";
import { StorageFull } from "./journal.ts";
import { makePrivateFile } from "./private-files.ts";

export interface StorageGate {
  /** What new changes are refused with; null: they are taken. */
  readonly refusal: Rejection | null;
  /** Does work that writes; if there is no room, makes some and does it again. The work must be whole or not done. */
  attempt(work: () => void): void;
  /** From now on changes are refused: a write found no room. */
  close(): void;
  /** Ends the waiting for room. */
  stop(): void;
}

/** Of a journal that no disk holds. */
export const OPEN_GATE: StorageGate = { refusal: null, attempt: (work) => work(), close: () => {}, stop: () => {} };

export const RESERVE_FILE = "storage.reserve";
const GREATEST_RESERVE = 8 << 20;
const LEAST_RESERVE = 256 << 10;
/** Of a small file system the reserve takes this part. */
const SHARE_OF_DISK = 8;
const STEPS = 8;
/** How often a full disk is looked at. */
const PROBE_MS = 2000;

export interface DiskGateOptions {
  readonly directory: string;
  readonly log: Logger;
  readonly probeMs?: number;
}

export class DiskGate implements StorageGate {
  readonly #options: DiskGateOptions;
  readonly #path: string;
  /** Bytes. */
  readonly #wholeReserve: number;
  #reserve: number;
  #isFull = false;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** Makes the reserve. If there is no room for it, changes are refused from the beginning. */
  constructor(options: DiskGateOptions) {
    this.#options = options;
    this.#path = join(options.directory, RESERVE_FILE);
    const { blocks, bsize } = statfsSync(options.directory);
    const share = Math.max(LEAST_RESERVE, Math.floor(blocks * bsize / SHARE_OF_DISK));
    this.#wholeReserve = Math.min(GREATEST_RESERVE, share);
    this.#reserve = sizeOf(this.#path);
    if (this.#reserve > this.#wholeReserve) this.#setReserve(this.#wholeReserve);
    if (!this.#refill(0)) this.close();
  }

  /** Before anything else is done in a directory on a disk without any room. */
  static makeRoomToStart(directory: string): void {
    const path = join(directory, RESERVE_FILE);
    if (!existsSync(path)) return;
    const reserve = sizeOf(path);
    const needed = LEAST_RESERVE / 2;
    if (reserve > 0 && freeBytes(directory) < needed) {
      setSize(path, Math.max(0, reserve - Math.max(needed, reserve / STEPS)));
    }
  }

  get refusal(): Rejection | null {
    return this.#isFull ? STORAGE_FULL : null;
  }

  attempt(work: () => void): void {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isStorageFull(error) || this.#reserve === 0) throw error;
        this.close();
        this.#setReserve(Math.max(0, this.#reserve - this.#wholeReserve / STEPS));
      }
    }
  }

  close(): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#options.log.error("the disk of {directory} is full: changes are refused until there is room", {
      directory: this.#options.directory,
    });
    this.#timer = setInterval(() => this.#probe(), this.#options.probeMs ?? PROBE_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #probe(): void {
    if (!this.#refill(this.#wholeReserve)) return;
    this.stop();
    this.#isFull = false;
    this.#options.log.warn("the disk of {directory} has room again: changes are taken", {
      directory: this.#options.directory,
    });
  }

  /** Makes the reserve whole if that leaves `spare` bytes; false: there is no room. */
  #refill(spare: number): boolean {
    const { directory, log } = this.#options;
    const missing = this.#wholeReserve - this.#reserve;
    if (freeBytes(directory) < missing + spare) return false;
    if (missing === 0) return true;
    try {
      makePrivateFile(this.#path);
      fill(this.#path, this.#wholeReserve);
      this.#reserve = this.#wholeReserve;
      return true;
    } catch (error) {
      this.#setReserve(0);
      if (isNoRoom(error)) return false;
      log.warn("there is no reserve for a full disk: {error}", { error: (error as Error).message });
      return true;
    }
  }

  #setReserve(bytes: number): void {
    setSize(this.#path, Math.floor(bytes));
    this.#reserve = Math.floor(bytes);
  }
}

const STORAGE_FULL = rejected(
  "storage_full",
  "The engine's disk is full: nothing was changed. Reading goes on; changes are taken again once there is room.",
);

export function isStorageFull(error: unknown): boolean {
  return error instanceof StorageFull || isSqliteFull(error);
}

/** No room for more. SQLite takes a full quota for a write that failed. */
export function isSqliteFull(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code === "SQLITE_FULL" || error.code === "SQLITE_IOERR_WRITE");
}

function isNoRoom(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function setSize(path: string, bytes: number): void {
  const file = openSync(path, "a");
  try {
    ftruncateSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** With bytes that no file system stores in less room. */
function fill(path: string, size: number): void {
  const noise = crypto.getRandomValues(new Uint8Array(64 << 10));
  const file = openSync(path, "r+");
  try {
    for (let at = 0; at < size;) at += writeSync(file, noise, 0, Math.min(noise.length, size - at), at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
