// Restores a backup into a data directory that is absent or empty. Everything is built and checked in a folder within it, and
// then moved into place: the journal last, which makes the directory one of an engine. The folder is within the directory
// because that is often a mounted volume, beside which nothing may be written.
//
// While the folder exists, no engine starts in the directory. A restore that was killed is repeated from its beginning: it
// deletes what the one before left.

import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../common/command-line.ts";
import { fileErrorReason } from "../../common/file-error.ts";
import { AUDIT_FILES } from "../audit/inspect-audit.ts";
import { JOURNAL_FILE } from "../journal/journal-tables.ts";
import { changeDurably, makePrivateDirectory, syncDirectory } from "../journal/private-files.ts";
import { journalFiles } from "../journal/rebuild-journal.ts";
import { UNFINISHED_RESTORE } from "../journal/unfinished-restore.ts";
import { readBackup } from "./backup-reader.ts";
import { type BackupDescription, BackupFault } from "./backup-format.ts";
import { buildRestoredData, type RestoredData } from "./restored-data.ts";

/** Throws an Error of one line; UsageError if the directory is not empty. After an error the directory is as it was. */
export async function restoreBackup(file: string, directory: string, now: () => number): Promise<RestoredData> {
  // Damaged entries must not get to the stores, and the checksum is at the end.
  await checkBackup(file);
  const wasThere = existsSync(directory);
  const folder = join(directory, UNFINISHED_RESTORE);
  removeUnfinished(directory);
  try {
    makePrivateDirectory(directory);
    mkdirSync(folder, { mode: 0o700 });
    syncDirectory(directory);
    const restored = await named(file, () => buildRestoredData(folder, readBackup(bytesOf(file)), now));
    putInPlace(folder, directory);
    return restored;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!wasThere && existsSync(directory)) rmdirSync(directory);
    throw error;
  }
}

/** Reads a whole backup. Throws an Error of one line if it could not be restored for what is in it. */
export async function checkBackup(file: string): Promise<BackupDescription> {
  return await named(file, async () => {
    let description: BackupDescription | null = null;
    for await (const entry of readBackup(bytesOf(file))) {
      if (entry.kind === "description") description = entry.description;
    }
    if (description === null) throw new BackupFault("is empty");
    return description;
  });
}

/** Deletes what a restore that was killed has left. Throws UsageError if anything else is there. */
function removeUnfinished(directory: string): void {
  if (!existsSync(directory)) return;
  const names = readdirSync(directory);
  const isUnfinished = names.includes(UNFINISHED_RESTORE);
  const ours = isUnfinished ? [UNFINISHED_RESTORE, ...journalFiles(directory), ...AUDIT_FILES] : [];
  const others = names.filter((name) => !ours.includes(name));
  if (others.length > 0) {
    throw new UsageError(`--data: ${directory} is not empty: a backup is restored into a new or empty directory`);
  }
  // The folder goes last, so no engine starts in between.
  for (const name of [...ours.filter((each) => each !== UNFINISHED_RESTORE), UNFINISHED_RESTORE]) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** Moves the files into the directory, the journal last, and deletes the folder. All or nothing, unless it is killed. */
function putInPlace(folder: string, directory: string): void {
  const names = readdirSync(folder);
  for (const name of names) changeDurably(join(folder, name), "r+", () => {});
  syncDirectory(folder);
  const moved: string[] = [];
  try {
    for (const name of [...names.filter((each) => each !== JOURNAL_FILE), JOURNAL_FILE]) {
      const target = join(directory, name);
      if (existsSync(target)) throw new Error(`${target} has come into being meanwhile`);
      renameSync(join(folder, name), target);
      moved.push(target);
    }
    syncDirectory(directory);
  } catch (error) {
    for (const target of moved) rmSync(target, { force: true });
    throw error;
  }
  rmdirSync(folder);
  syncDirectory(directory);
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
    if (path === file && code !== undefined) throw new Error(`${file}: ${fileErrorReason(error)}`, { cause: error });
    throw error;
  }
}
