// The files of an upgrade, so that at every moment a directory has the old journal or the new one, and never parts of both.
//
//   DIR/upgrade.lock       locked by the process that upgrades
//   DIR/upgrade.draft/     the new files, copies of the old ones, and a plan. Counts for nothing, and is deleted
//                          at the next attempt
//   DIR/upgrade.ready/     the same, complete and synced: from its renaming on the upgrade is decided, and whoever
//                          starts next puts the files in place
//   DIR/format-N-TIME/     the copies of the old files, which stay: a whole data directory of the version that wrote it
//
// While the files are put in place, the directory is damaged for programs that know nothing of upgrades, and they refuse it.
//
// Disk: the old files once more, and the new ones.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exclusiveLock } from "../exclusive-lock.ts";
import { JOURNAL_FILE } from "../journal-tables.ts";
import type { TornWrite } from "../journal.ts";
import { WITNESS_FILE } from "../journal-witness.ts";
import { changeDurably, makePrivateDirectory, syncDirectory } from "../private-files.ts";
import { readDatabase } from "../read-only-database.ts";
import { copyFiles, journalFiles } from "../rebuild-journal.ts";

const LOCK_FILE = "upgrade.lock";
const DRAFT = "upgrade.draft";
const READY = "upgrade.ready";
const PLAN_FILE = "plan.json";
const NEW_FILES = "new";
const OLD_FILES = "old";

export interface UpgradePlan {
  readonly fromFormat: number;
  readonly toFormat: number;
  /** Name of the folder that keeps the old files. */
  readonly kept: string;
  readonly lastNumber: number;
  /** What was left out at the end of the old journal; null if nothing was. */
  readonly tornWrite: TornWrite | null;
  /** Names of old files that have no successor. */
  readonly removed: readonly string[];
}

/** Whether an upgrade was decided, and its files are not all in place. */
export function isUpgradeDecided(directory: string): boolean {
  return existsSync(join(directory, READY));
}

/** Runs `work` while no other process upgrades the directory. Throws SQLITE_BUSY if one does. */
export function withUpgradeLock<Result>(directory: string, work: () => Result): Result {
  const path = join(directory, LOCK_FILE);
  const lock = exclusiveLock(path);
  try {
    return work();
  } finally {
    // On Windows an open file can't be deleted: the next start deletes it (removeLeftovers).
    if (process.platform !== "win32") rmSync(path, { force: true });
    lock.close();
  }
}

/** Makes an empty draft, in place of what another attempt has left. Returns the folder for the new files. */
export function beginDraft(directory: string): string {
  discardDraft(directory);
  for (const folder of ["", NEW_FILES, OLD_FILES]) makePrivateDirectory(join(directory, DRAFT, folder));
  return join(directory, DRAFT, NEW_FILES);
}

export function discardDraft(directory: string): void {
  rmSync(join(directory, DRAFT), { recursive: true, force: true });
}

/** Removes what a process has left that ended after its upgrade. */
export function removeLeftovers(directory: string): void {
  discardDraft(directory);
  rmSync(join(directory, LOCK_FILE), { force: true });
}

/** Copies the old files that exist to the draft. */
export function copyOldFiles(directory: string, files: readonly string[]): void {
  copyFiles(directory, files, join(directory, DRAFT, OLD_FILES));
}

/** Whether the old journal is as it was when it was copied, and no engine uses it. Throws SQLITE_BUSY if one does. */
export function isAsCopied(directory: string): boolean {
  // An engine writes the witness at each commit.
  const [present, copied] = [directory, join(directory, DRAFT, OLD_FILES)]
    .map((folder) => readFileSync(join(folder, WITNESS_FILE)));
  return readDatabase(join(directory, JOURNAL_FILE), () => present!.equals(copied!));
}

/** Makes the draft durable, and decides the upgrade. */
export function decide(directory: string, plan: UpgradePlan): void {
  const draft = join(directory, DRAFT);
  writeFileSync(join(draft, PLAN_FILE), JSON.stringify(plan), { mode: 0o600 });
  syncAll(draft);
  renameSync(draft, join(directory, READY));
  syncDirectory(directory);
}

/**
 * Puts the files of a decided upgrade in place. Each step may be the last of a process: the next one begins again, and
 * finds what is done.
 */
export function* putInPlace(directory: string): Generator<string, UpgradePlan, undefined> {
  const ready = join(directory, READY);
  const plan: UpgradePlan = JSON.parse(readFileSync(join(ready, PLAN_FILE), "utf8"));
  if (existsSync(join(ready, OLD_FILES))) renameSync(join(ready, OLD_FILES), join(directory, plan.kept));
  syncDirectory(directory);
  yield "kept the old files";
  // SQLite would apply an old log to a new file.
  for (const file of plan.removed) {
    rmSync(join(directory, file), { force: true });
    yield `removed ${file}`;
  }
  syncDirectory(directory);
  for (const file of readdirSync(join(ready, NEW_FILES)).sort()) {
    renameSync(join(ready, NEW_FILES, file), join(directory, file));
    yield `placed ${file}`;
  }
  syncDirectory(directory);
  yield "placed all";
  // A folder without its plan could not be continued, so it goes at once.
  renameSync(ready, join(directory, DRAFT));
  syncDirectory(directory);
  yield "ended";
  discardDraft(directory);
  return plan;
}

/** Names of the journal's files that exist and have no successor among the new ones. */
export function filesToRemove(directory: string): string[] {
  const added = readdirSync(join(directory, DRAFT, NEW_FILES));
  return journalFiles(directory).filter((file) => existsSync(join(directory, file)) && !added.includes(file));
}

function syncAll(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncAll(path);
    else changeDurably(path, "r+", () => {});
  }
  syncDirectory(folder);
}
