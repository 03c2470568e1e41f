// The file of a checkpoint: DIR/checkpoint-N, where N is the number of the last record that it replaces; one of a stop ends
// with -stop, so it never has the name of one that is still being made. The journal names the file that counts; any other is
// left over from a process that ended, and is deleted.
//
// Each line is a part of the state: a checksum, which continues the one of the line before, a space, and the part as JSON.
// The journal has the number of parts and the last checksum, so a missing line is noticed too.
//
// A file is written once, from its beginning to its end, and synced before the journal names it. It is synced a little at a
// time: the disk would otherwise be busy with the whole file, and each commit of the journal would wait for that. Memory: one
// part.

import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type JournalCheckpoint, StorageFull, type WrittenCheckpoint } from "./journal.ts";
import { makePrivateFile, syncDirectory } from "./private-files.ts";

const NAME = /^checkpoint-\d+(-stop)?$/;
const READ_BYTES = 1 << 20;
/** Bytes written between two syncs: a disk takes a few milliseconds for them. */
const SYNC_BYTES = 1 << 20;
const LINE_BREAK = 10;

/** The name of the file for a checkpoint that is made while calls go on, or at a stop. */
export function checkpointFile(upTo: number, made: "beside calls" | "at a stop"): string {
  return `checkpoint-${upTo}${made === "at a stop" ? "-stop" : ""}`;
}

/** Names of the checkpoint files in a directory. */
export function checkpointFilesIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => NAME.test(name));
}

/** A part of the file is missing or changed. The message follows the file's name in a sentence. */
export class CheckpointDamage extends Error {}

function checksumAfter(previous: number, text: string): number {
  return Bun.hash.crc32(text, previous);
}

/** The checksum before the first part. `header` is the checksum of the journal's header. */
function seedOf(header: number, upTo: number): number {
  return checksumAfter(header, `checkpoint ${upTo}`);
}

/**
 * Writes a checkpoint durably. If that fails, the file is deleted, and the error is StorageFull if the disk is full.
 * @param header checksum of the journal's header
 */
export function writeCheckpointFile(
  directory: string,
  name: string,
  { upTo, parts }: JournalCheckpoint,
  header: number,
): WrittenCheckpoint {
  const path = join(directory, name);
  rmSync(path, { force: true });
  makePrivateFile(path);
  const file = openSync(path, "w");
  try {
    let count = 0;
    let unsynced = 0;
    let checksum = seedOf(header, upTo);
    for (const text of parts) {
      checksum = checksumAfter(checksum, text);
      count += 1;
      const bytes = Buffer.from(`${checksum} ${text}\n`);
      writeWhole(file, bytes);
      unsynced += bytes.length;
      if (unsynced < SYNC_BYTES) continue;
      fdatasyncSync(file);
      unsynced = 0;
    }
    fsyncSync(file);
    syncDirectory(directory);
    return { file: name, upTo, parts: count, partsChecksum: checksum };
  } catch (error) {
    rmSync(path, { force: true });
    throw isDiskFull(error) ? new StorageFull((error as Error).message, { cause: error }) : error;
  } finally {
    closeSync(file);
  }
}

/** The parts of a checkpoint. Throws CheckpointDamage where the file is not as it was written. */
export function* readCheckpointFile(
  directory: string,
  { file, upTo, parts, partsChecksum }: WrittenCheckpoint,
  header: number,
): Generator<string, void, undefined> {
  const path = join(directory, file);
  if (!existsSync(path)) throw new CheckpointDamage("is missing");
  let count = 0;
  let checksum = seedOf(header, upTo);
  for (const line of linesOf(path)) {
    const space = line.indexOf(" ");
    const text = line.slice(space + 1);
    count += 1;
    checksum = checksumAfter(checksum, text);
    if (space < 1 || line.slice(0, space) !== String(checksum)) {
      throw new CheckpointDamage(`is damaged: part ${count} of the checkpoint has the wrong checksum`);
    }
    if (count <= parts) yield text;
  }
  if (count !== parts || checksum !== partsChecksum) {
    throw new CheckpointDamage(`is damaged: the checkpoint has ${count} parts instead of ${parts}`);
  }
}

/** Deletes the checkpoint files except for `kept`. Does not hold up the thread while the disk frees them. */
export async function removeOtherCheckpoints(directory: string, kept: string | null): Promise<void> {
  for (const name of checkpointFilesIn(directory)) {
    if (name !== kept) await rm(join(directory, name), { force: true });
  }
}

/** The lines of a file, each up to its line break; also what follows the last one. */
export function* linesOf(path: string): Generator<string, void, undefined> {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    let rest: Buffer[] = [];
    for (;;) {
      const length = readSync(file, chunk, 0, READ_BYTES, null);
      if (length === 0) break;
      let from = 0;
      for (let end = 0; (end = chunk.subarray(0, length).indexOf(LINE_BREAK, from)) >= 0; from = end + 1) {
        const last = chunk.subarray(from, end);
        yield rest.length === 0 ? last.toString() : Buffer.concat([...rest, last]).toString();
        rest = [];
      }
      if (from < length) rest.push(Buffer.from(chunk.subarray(from, length)));
    }
    if (rest.length > 0) yield `${Buffer.concat(rest)}`;
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
}

function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
}
