// Measures how many bytes follow the last commit in a SQLite write-ahead log. SQLite reads a log up to the last commit
// before the first invalid frame, and does not report the frames that it skips.
//
// A log is a header (32 bytes) and frames (24 bytes and a page). Header and frames have the same two salts, and each frame
// has a checksum that continues the one before. A frame whose second word is not 0 ends a commit. Frames with other salts
// are left over from an earlier use of the file and are ignored.
// Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log

import { readFileSync } from "node:fs";
import { sizeOf } from "./read-only-database.ts";

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/** Bytes of the log after its last commit: an incomplete write, or frames after a damaged one. 0 if there is no log. */
export function bytesAfterLastCommit(path: string): number {
  if (sizeOf(path) === 0) return 0;
  const log = readFileSync(path);
  if (log.length < HEADER) return log.length;
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  const magic = view.getUint32(0);
  const pageSize = view.getUint32(8);
  const isHeader = (magic & ~1) === MAGIC && pageSize >= 512 && pageSize <= 65536;
  if (!isHeader) return log.length;
  const frame = FRAME_HEADER + pageSize;
  const sum = new RunningChecksum(view, (magic & 1) === 0);
  sum.add(0, 24);
  if (!sum.is(24)) return log.length;

  const isOurs = (at: number) =>
    view.getUint32(at + 8) === view.getUint32(16) && view.getUint32(at + 12) === view.getUint32(20);
  let committed = HEADER;
  let end = HEADER;
  let fits = true;
  for (let at = HEADER; at + FRAME_HEADER <= log.length; at += frame) {
    if (!isOurs(at)) {
      fits = false;
      continue;
    }
    end = Math.min(at + frame, log.length);
    if (!fits || at + frame > log.length) continue;
    sum.add(at, 8);
    sum.add(at + FRAME_HEADER, pageSize);
    fits = sum.is(at + 16);
    if (fits && view.getUint32(at + 4) !== 0) committed = at + frame;
  }
  return Math.max(0, end - committed);
}

class RunningChecksum {
  #first = 0;
  #second = 0;

  constructor(readonly view: DataView, readonly littleEndian: boolean) {}

  add(from: number, length: number): void {
    for (let at = from; at < from + length; at += 8) {
      this.#first = (this.#first + this.view.getUint32(at, this.littleEndian) + this.#second) >>> 0;
      this.#second = (this.#second + this.view.getUint32(at + 4, this.littleEndian) + this.#first) >>> 0;
    }
  }

  /** Whether the log has these sums at `at`. They are big-endian, whatever the order of the summed words. */
  is(at: number): boolean {
    return this.view.getUint32(at) === this.#first && this.view.getUint32(at + 4) === this.#second;
  }
}
