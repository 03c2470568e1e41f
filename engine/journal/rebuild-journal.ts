// Replaces a damaged journal if the operator accepts the loss of data: copies the damaged files, then writes a journal of
// the readable part.
//
// The copies are made and synced first. If the process ends before the new journal is complete, the next start still finds
// the directory damaged.

import { Database } from "bun:sqlite";
import { constants, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkpointFilesIn } from "./checkpoint-files.ts";
import type { ReadableJournal } from "./journal-scan.ts";
import {
  FORMAT_VERSION,
  insertRow,
  JOURNAL_FILE,
  makeTables,
  nameCheckpoint,
  rowsOf,
  WAL_FILE,
} from "./journal-tables.ts";
import { JournalWitness, WITNESS_FILE } from "./journal-witness.ts";
import { changeDurably, makePrivateDirectory, makePrivateFile, syncDirectory } from "./private-files.ts";
import { readDatabase } from "./read-only-database.ts";

const DRAFT_FILE = "journal.rebuilt";

/** Names of the files of a journal; some may be missing. */
export function journalFiles(directory: string): string[] {
  return [JOURNAL_FILE, WAL_FILE, `${JOURNAL_FILE}-journal`, WITNESS_FILE, ...checkpointFilesIn(directory)];
}

/** Copies the files that exist to DIR/damaged-TIME, and returns its path. */
export function backUpFiles(directory: string, files: readonly string[], now: number): string {
  const copy = freePath(join(directory, `damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, "-")}`));
  makePrivateDirectory(copy);
  for (const path of copyFiles(directory, files, copy)) changeDurably(path, "r+", () => {});
  syncDirectory(copy);
  syncDirectory(directory);
  return copy;
}

/** Copies the files that exist to another folder, where only their owner can read them. Returns the paths of the copies. */
export function copyFiles(directory: string, files: readonly string[], folder: string): string[] {
  return files.filter((file) => existsSync(join(directory, file))).map((file) => {
    const target = join(folder, file);
    copyFileSync(join(directory, file), target, constants.COPYFILE_FICLONE);
    makePrivateFile(target);
    return target;
  });
}

export function removeFiles(directory: string, files: readonly string[]): void {
  for (const file of files) rmSync(join(directory, file), { force: true });
  syncDirectory(directory);
}

/** Replaces the damaged journal by its readable part, with `next` as one more record. A readable checkpoint stays as it is. */
export function rebuildJournal(directory: string, readable: ReadableJournal, next: string): void {
  const draft = join(directory, DRAFT_FILE);
  removeFiles(directory, [DRAFT_FILE, `${DRAFT_FILE}-journal`]);
  makePrivateFile(draft);
  const [number, checksum] = readDatabase(join(directory, JOURNAL_FILE), (damaged) => {
    const database = new Database(draft, { strict: true });
    try {
      database.run("pragma synchronous = full");
      return database.transaction(() => copyReadable(damaged, database, readable, next)).immediate();
    } finally {
      database.close();
    }
  });
  // SQLite would apply an old log to the new file.
  removeFiles(directory, [WAL_FILE, `${JOURNAL_FILE}-journal`]);
  renameSync(draft, join(directory, JOURNAL_FILE));
  syncDirectory(directory);
  JournalWitness.begin(directory, { format: FORMAT_VERSION, header: readable.headerChecksum, number, checksum })
    .close();
}

function copyReadable(from: Database, to: Database, readable: ReadableJournal, next: string): [number, number] {
  const { headerChecksum: header, checkpoint, lastNumber } = readable;
  makeTables(to);
  insertRow(to, "header", 1, JSON.stringify(readable.header), 0);
  if (checkpoint !== null) nameCheckpoint(to, checkpoint, header);
  let checksum = checkpoint?.recordChecksum ?? header;
  const after = checkpoint?.upTo ?? 0;
  if (lastNumber > after) {
    for (const { number, text } of rowsOf(from, "record", after)) {
      checksum = insertRow(to, "record", number, text, checksum);
      if (number === lastNumber) break;
    }
  }
  checksum = insertRow(to, "record", lastNumber + 1, next, checksum);
  to.run(`pragma user_version = ${FORMAT_VERSION}`);
  return [lastNumber + 1, checksum];
}

function freePath(path: string): string {
  for (let count = 1;; count++) {
    const candidate = count === 1 ? path : `${path}-${count}`;
    if (!existsSync(candidate)) return candidate;
  }
}
