// The reserve of disk space in a data directory: the file DIR/storage.reserve. When the disk is full, the file is shortened
// step by step.

import { existsSync, ftruncateSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { changeDurably, makePrivateFile } from "./private-files.ts";
import { sizeOf } from "./read-only-database.ts";

export const RESERVE_FILE = "storage.reserve";
const MAX_RESERVE = 8 << 20;
const MIN_RESERVE = 256 << 10;
/** On a small file system the reserve is this fraction of it. */
const SHARE_OF_DISK = 8;
const STEPS = 8;

/** Sizes in bytes. */
export class StorageReserve {
  readonly #directory: string;
  readonly #path: string;
  /** Size of the whole reserve. */
  readonly size: number;
  #left: number;

  constructor(directory: string) {
    this.#directory = directory;
    this.#path = join(directory, RESERVE_FILE);
    const { blocks, bsize } = statfsSync(directory);
    const share = Math.max(MIN_RESERVE, Math.floor(blocks * bsize / SHARE_OF_DISK));
    this.size = Math.min(MAX_RESERVE, share);
    this.#left = sizeOf(this.#path);
    if (this.#left > this.size) this.#shrinkTo(this.size);
  }

  /** If the disk is full, gives up enough of the reserve to start an engine in the directory. */
  static freeSpaceToStart(directory: string): void {
    const path = join(directory, RESERVE_FILE);
    if (!existsSync(path)) return;
    const left = sizeOf(path);
    const needed = MIN_RESERVE / 2;
    if (left > 0 && freeBytes(directory) < needed) truncate(path, Math.max(0, left - Math.max(needed, left / STEPS)));
  }

  get isUsedUp(): boolean {
    return this.#left === 0;
  }

  giveUpStep(): void {
    this.#shrinkTo(Math.max(0, this.#left - this.size / STEPS));
  }

  /** Makes the reserve whole if at least `spare` bytes stay free; false if the disk is too full. */
  refill(spare: number): boolean {
    const missing = this.size - this.#left;
    if (freeBytes(this.#directory) < missing + spare) return false;
    if (missing === 0) return true;
    try {
      makePrivateFile(this.#path);
      fill(this.#path, this.size);
      this.#left = this.size;
      return true;
    } catch (error) {
      this.#shrinkTo(0);
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC" || code === "EDQUOT") return false;
      throw error;
    }
  }

  #shrinkTo(bytes: number): void {
    this.#left = Math.floor(bytes);
    truncate(this.#path, this.#left);
  }
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

function truncate(path: string, bytes: number): void {
  changeDurably(path, "a", (file) => ftruncateSync(file, Math.floor(bytes)));
}

/** Writes random bytes, which no file system compresses. */
function fill(path: string, size: number): void {
  const noise = crypto.getRandomValues(new Uint8Array(64 << 10));
  changeDurably(path, "r+", (file) => {
    for (let at = 0; at < size;) at += writeSync(file, noise, 0, Math.min(noise.length, size - at), at);
  });
}
