// Restores a backup into a data directory that is absent or empty. Everything is built and checked in a folder within it, and
// then moved into place: the journal last, which makes the directory one of an engine. The folder is within the directory
// because that is often a mounted volume, beside which nothing may be written.
//
// While the folder exists, no engine starts in the directory. A restore that was killed is repeated from its beginning: it
// deletes what the one before left.

import type { Database } from "bun:sqlite";
import { createReadStream, existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { UsageError } from "../../common/command-line.ts";
import { errorLine } from "../../common/error-message.ts";
import { fileErrorReason } from "../../common/file-error.ts";
import { AUDIT_FILES } from "../audit/inspect-audit.ts";
import { exclusiveLock } from "../journal/exclusive-lock.ts";
import { JOURNAL_FILE } from "../journal/journal-tables.ts";
import { changeDurably, makePrivateDirectory, syncDirectory } from "../journal/private-files.ts";
import { journalFiles } from "../journal/rebuild-journal.ts";
import { isDiskFull } from "../journal/storage-guard.ts";
import { UNFINISHED_RESTORE } from "../journal/unfinished-restore.ts";
import { readBackup } from "./backup-reader.ts";
import { type BackupDescription, BackupFault } from "./backup-format.ts";
import { buildRestoredData, type RestoredData } from "./restored-data.ts";

const LOCK_FILE = "lock";
const NEW_FILES = "data";
/** What a new file system has. */
const OF_FILE_SYSTEM = "lost+found";

/** Throws an Error of one line; UsageError if the directory is not empty. After an error the directory is as it was. */
export async function restoreBackup(file: string, directory: string, now: () => number): Promise<RestoredData> {
  // Damaged entries must not get to the stores, and the checksum is at the end.
  await readWhole(file);
  const wasThere = existsSync(directory);
  const folder = begunFolder(directory);
  const lock = lockedFolder(folder);
  try {
    removeLeftovers(directory);
    const built = join(folder, NEW_FILES);
    makePrivateDirectory(built);
    const restored = await named(file, () => buildRestoredData(built, readBackup(bytesOf(file)), now));
    putInPlace(built, directory);
    lock.close();
    rmSync(folder, { recursive: true });
    syncDirectory(directory);
    return restored;
  } catch (error) {
    lock.close();
    rmSync(folder, { recursive: true, force: true });
    if (!wasThere && readdirSync(directory).length === 0) rmdirSync(directory);
    if (!isDiskFull(error)) throw error;
    const advice = "free some space, or name a directory on another disk";
    throw new Error(`--data: the disk of ${directory} is full, so nothing was restored; ${advice}`, { cause: error });
  }
}

/** Makes the folder of the restore. Throws UsageError if the directory is of no use. */
function begunFolder(directory: string): string {
  const folder = join(directory, UNFINISHED_RESTORE);
  try {
    refuseOthers(directory);
    makePrivateDirectory(folder);
    syncDirectory(directory);
    return folder;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--data: ${directory} can't be used: ${fileErrorReason(error)}`);
  }
}

/**
 * Restores a backup into a new folder in `parent`, and deletes that: so it finds whatever a restore would. Throws an Error of
 * one line if the backup can't be restored, or if that could not be tried.
 */
export async function checkBackup(file: string, now: () => number, parent = tmpdir()): Promise<BackupDescription> {
  await readWhole(file);
  const folder = await checked(file, parent, () => mkdtemp(join(parent, "mkt-check-")));
  try {
    const { description } = await checked(
      file,
      parent,
      () => buildRestoredData(folder, readBackup(bytesOf(file)), now),
    );
    return description;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a part of a check that writes to `parent`. */
async function checked<Result>(file: string, parent: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await named(file, work);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = isDiskFull(error) ? "its disk is full" : code === undefined ? null : fileErrorReason(error);
    if (why === null) throw error;
    const advice = "mkt restore --check uses the folder in TMPDIR, and mkt backup --no-check leaves it out";
    throw new Error(`${file} was not checked, since ${parent} can't be used: ${why}; ${advice}`, { cause: error });
  }
}

/** Reads a backup to its end, which has the checksum. Throws an Error of one line if it is not whole. */
async function readWhole(file: string): Promise<void> {
  await named(file, async () => {
    for await (const _ of readBackup(bytesOf(file)));
  });
}

/** Throws UsageError if there is anything but what a restore that was killed has left. */
function refuseOthers(directory: string): void {
  if (!existsSync(directory)) return;
  if (!statSync(directory).isDirectory()) throw new UsageError(`--data: ${directory} is not a folder`);
  const names = readdirSync(directory).filter((name) => name !== OF_FILE_SYSTEM);
  const ours = names.includes(UNFINISHED_RESTORE)
    ? [UNFINISHED_RESTORE, ...journalFiles(directory), ...AUDIT_FILES]
    : [];
  if (names.every((name) => ours.includes(name))) return;
  throw new UsageError(`--data: ${directory} is not empty: a backup is restored into a new or empty directory`);
}

/** Keeps other restores away until it is closed, or until the process ends. */
function lockedFolder(folder: string): Database {
  try {
    return exclusiveLock(join(folder, LOCK_FILE));
  } catch (error) {
    throw new Error(`${folder}: another mkt restore is under way, or the folder can't be written`, { cause: error });
  }
}

/** Deletes what a restore that was killed has left. */
function removeLeftovers(directory: string): void {
  const folder = join(directory, UNFINISHED_RESTORE);
  const left = readdirSync(folder).filter((name) => name !== LOCK_FILE).map((name) => join(folder, name));
  const moved = [...journalFiles(directory), ...AUDIT_FILES].map((name) => join(directory, name));
  for (const path of [...left, ...moved]) rmSync(path, { recursive: true, force: true });
}

/** Moves the files into the directory, the journal last. All or nothing, unless it is killed. */
function putInPlace(built: string, directory: string): void {
  const names = readdirSync(built);
  for (const name of names) changeDurably(join(built, name), "r+", () => {});
  syncDirectory(built);
  const moved: string[] = [];
  try {
    for (const name of [...names.filter((each) => each !== JOURNAL_FILE), JOURNAL_FILE]) {
      const target = join(directory, name);
      if (existsSync(target)) throw new Error(`${target} has come into being meanwhile`);
      renameSync(join(built, name), target);
      moved.push(target);
    }
    syncDirectory(directory);
  } catch (error) {
    for (const target of moved) rmSync(target, { force: true });
    throw error;
  }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  if (!statSync(file).isFile()) throw new BackupFault("is not a file");
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) yield chunk;
}

/** Runs `work`, whose errors about the backup get the file's name. */
async function named<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupFault) throw new Error(`${file} ${error.message}`, { cause: error });
    const { path, code } = error as NodeJS.ErrnoException;
    // The runtime makes some paths absolute.
    if (path !== undefined && resolve(path) === resolve(file) && code !== undefined) {
      throw new Error(`${file}: ${fileErrorReason(error)}`, { cause: error });
    }
    // What a backup holds is read as it is used, so a forged one fails anywhere. Errors of files have a code.
    if (code === undefined) throw new Error(`${file} can't be restored: ${errorLine(error)}`, { cause: error });
    throw error;
  }
}
