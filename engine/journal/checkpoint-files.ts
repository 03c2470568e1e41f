// The files of a checkpoint, where N is the number of the last record that it replaces:
//
//   DIR/checkpoint-N             the state
//   DIR/checkpoint-N-operations  the operations that were remembered since the checkpoint before
//
// A checkpoint also has the operations files of earlier ones, so only what is new is written. Once there are
// MOST_OPERATIONS_FILES, the next checkpoint writes all operations that are still remembered to one file, in place of them.
//
// The names of a stop end with -stop, so they are never those of a checkpoint that is still being made. The journal names the
// files that count; any other is left over from a process that ended, and is deleted.

import { readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bothCopies, readCheckpointFile, writeCheckpointFile } from "./checkpoint-file.ts";
import type { NewCheckpoint, OperationsFile, WrittenCheckpoint } from "./journal.ts";

const NAME = /^checkpoint-\d+(-stop)?(-operations)?(\.copy)?$/;
const MOST_OPERATIONS_FILES = 32;

/** The name of the state's file for a checkpoint that is made while calls go on, or at a stop. */
export function checkpointFile(upTo: number, made: "beside calls" | "at a stop"): string {
  return `checkpoint-${upTo}${made === "at a stop" ? "-stop" : ""}`;
}

/** Names of the checkpoint files in a directory. */
export function checkpointFilesIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => NAME.test(name));
}

/** Names of the files of a checkpoint. */
export function filesOf(checkpoint: WrittenCheckpoint | null): string[] {
  return checkpoint === null
    ? []
    : [checkpoint.state, ...checkpoint.operations].flatMap(({ file }) => bothCopies(file));
}

/** The operations files of the checkpoint in use that the next one keeps: all or none. */
export function keptOperations(inUse: WrittenCheckpoint | null): readonly OperationsFile[] {
  return inUse === null || inUse.operations.length >= MOST_OPERATIONS_FILES ? [] : inUse.operations;
}

/** Writes a checkpoint durably, in place of the one in use. Throws as `writeCheckpointFile`. */
export function writeCheckpoint(
  directory: string,
  name: string,
  { upTo, state, operations, time }: NewCheckpoint,
  inUse: WrittenCheckpoint | null,
  header: number,
): WrittenCheckpoint {
  const kept = keptOperations(inUse);
  const since = kept.at(-1)?.until ?? -Infinity;
  const added = writeCheckpointFile(directory, `${name}-operations`, operations(since), header);
  try {
    const written = writeCheckpointFile(directory, name, state, header);
    return { upTo, state: written, operations: [...kept, { ...added, until: time }] };
  } catch (error) {
    for (const each of bothCopies(added.file)) rmSync(join(directory, each), { force: true });
    throw error;
  }
}

/**
 * All parts: those of the state, then those of the operations. Throws CheckpointDamage.
 * @param handles open files by name, which may have lost their names; the others are opened
 */
export function* readCheckpoint(
  directory: string,
  { state, operations }: WrittenCheckpoint,
  header: number,
  handles: ReadonlyMap<string, number> = new Map(),
): Generator<string, void, undefined> {
  for (const file of [state, ...operations]) yield* readCheckpointFile(directory, file, header, handles.get(file.file));
}

/** Deletes the checkpoint files except those of `kept`. Does not hold up the thread while the disk frees them. */
export async function removeOtherCheckpoints(directory: string, kept: WrittenCheckpoint | null): Promise<void> {
  const names = filesOf(kept);
  for (const name of checkpointFilesIn(directory)) {
    if (!names.includes(name)) await rm(join(directory, name), { force: true });
  }
}
