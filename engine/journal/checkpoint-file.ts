// A file of a checkpoint. It is written twice, as NAME and NAME.copy, so that one damaged disk block loses nothing: whoever
// reads it takes the copy from the first damaged part on.
//
// Each line is a part: a checksum, which continues the one of the line before, a space, and the part as JSON. The journal has
// the number of parts and the last checksum, so a missing line is noticed too.
//
// A file is written once, from its beginning to its end, and synced before the journal names it. It is synced a little at a
// time: the disk would otherwise be busy with the whole file, and each commit of the journal would wait for that. Memory: one
// part.

import { closeSync, copyFileSync, fdatasyncSync, fsyncSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { type CheckpointFile, type StorageFault, StorageFull } from "./journal.ts";
import { changeDurably, makePrivateFile, syncDirectory } from "./private-files.ts";

const COPY = ".copy";
const READ_BYTES = 1 << 20;
/** Bytes written between two syncs: a disk takes a few milliseconds for them. */
const SYNC_BYTES = 1 << 19;
const LINE_BREAK = 10;

/** A file is missing or changed. The message follows the file's name in a sentence. */
export class CheckpointDamage extends Error {}

/** The names under which a file is written. */
export function bothCopies(file: string): [string, string] {
  return [file, `${file}${COPY}`];
}

/**
 * Writes a file durably. If that fails, it is deleted, and the error is StorageFull if the disk is full.
 * @param header checksum of the journal's header
 */
export function writeCheckpointFile(
  directory: string,
  file: string,
  parts: Iterable<string>,
  header: number,
): CheckpointFile {
  const paths = bothCopies(file).map((name) => join(directory, name));
  const open: number[] = [];
  try {
    for (const path of paths) open.push(newFile(path));
    let count = 0;
    let unsynced = 0;
    let checksum = seedOf(header, file);
    for (const text of parts) {
      checksum = checksumAfter(checksum, text);
      count += 1;
      const bytes = Buffer.from(`${checksum} ${text}\n`);
      for (const each of open) writeWhole(each, bytes);
      unsynced += bytes.length;
      if (unsynced < SYNC_BYTES) continue;
      open.forEach(fdatasyncSync);
      unsynced = 0;
    }
    open.forEach(fsyncSync);
    syncDirectory(directory);
    return { file, parts: count, checksum };
  } catch (error) {
    for (const path of paths) rmSync(path, { force: true });
    throw isDiskFull(error) ? new StorageFull((error as Error).message, { cause: error }) : error;
  } finally {
    open.forEach(closeSync);
  }
}

/**
 * The parts of a file. Throws CheckpointDamage if both copies are damaged.
 * @param handle the open file, which may have lost its name; default: the file is opened by its name
 */
export function* readCheckpointFile(
  directory: string,
  described: CheckpointFile,
  header: number,
  handle?: number,
): Generator<string, void, undefined> {
  let given = 0;
  let damage: unknown = null;
  const [path, copy] = bothCopies(described.file).map((name) => join(directory, name)) as [string, string];
  for (const source of [handle ?? path, copy]) {
    let number = 0;
    try {
      for (const text of partsOf(source, described, header)) {
        if (number++ < given) continue;
        given = number;
        yield text;
      }
      return;
    } catch (error) {
      damage ??= error;
    }
  }
  throw damage;
}

/** The copies of a file that are not as they were written. */
export function damagedCopies(directory: string, described: CheckpointFile, header: number): StorageFault[] {
  return bothCopies(described.file).flatMap((file) => {
    try {
      for (const _ of partsOf(join(directory, file), described, header));
      return [];
    } catch (error) {
      return [{ file, fault: (error as CheckpointDamage).message }];
    }
  });
}

/** Replaces a damaged file by its other copy. */
export function replaceByCopy(directory: string, file: string): void {
  const other = file.endsWith(COPY) ? file.slice(0, -COPY.length) : `${file}${COPY}`;
  const path = join(directory, file);
  makePrivateFile(path);
  copyFileSync(join(directory, other), path);
  changeDurably(path, "r+", () => {});
  syncDirectory(directory);
}

/** The parts of one copy. Throws CheckpointDamage before the first part that is not as it was written. */
function* partsOf(
  source: string | number,
  { file, parts, checksum }: CheckpointFile,
  header: number,
): Generator<string, void, undefined> {
  let count = 0;
  let last = seedOf(header, file);
  for (const line of readableLines(source)) {
    const space = line.indexOf(" ");
    const text = line.slice(space + 1);
    count += 1;
    last = checksumAfter(last, text);
    if (space < 1 || line.slice(0, space) !== String(last)) {
      throw new CheckpointDamage(`is damaged: part ${count} of the checkpoint has the wrong checksum`);
    }
    if (count <= parts) yield text;
  }
  if (count !== parts || last !== checksum) {
    throw new CheckpointDamage(`is damaged: the checkpoint has ${count} parts instead of ${parts}`);
  }
}

function* readableLines(source: string | number): Generator<string, void, undefined> {
  try {
    yield* linesOf(source);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new CheckpointDamage(isMissing ? "is missing" : `can't be read: ${fileErrorReason(error)}`, { cause: error });
  }
}

function checksumAfter(previous: number, text: string): number {
  return Bun.hash.crc32(text, previous);
}

/** The checksum before the first part. `header` is the checksum of the journal's header. */
function seedOf(header: number, file: string): number {
  return checksumAfter(header, file);
}

function newFile(path: string): number {
  rmSync(path, { force: true });
  makePrivateFile(path);
  return openSync(path, "w");
}

/** The lines of a file, each up to its line break; also what follows the last one. An open file stays open. */
export function* linesOf(source: string | number): Generator<string, void, undefined> {
  const file = typeof source === "number" ? source : openSync(source, "r");
  try {
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    let rest: Buffer[] = [];
    for (let at = 0;;) {
      // Another thread may read an open file meanwhile, so its own position is not used.
      const length = readSync(file, chunk, 0, READ_BYTES, at);
      if (length === 0) break;
      at += length;
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
    if (file !== source) closeSync(file);
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
}

function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
}
