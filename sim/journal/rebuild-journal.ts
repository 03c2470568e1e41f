// What an operator who accepts a loss gets: copies of the damaged files, and a journal of the part that can be read.
//
// The copies come first and are synced. Whatever interrupts the rest leaves a directory that is still found damaged.

import { Database } from "bun:sqlite";
import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ReadableJournal } from "./inspect-journal.ts";
import {
  FORMAT_VERSION,
  insertRow,
  JOURNAL_FILE,
  makeTables,
  rowsOf,
  WAL_FILE,
  writeCheckpoint,
} from "./journal-tables.ts";
import { JournalWitness, WITNESS_FILE } from "./journal-witness.ts";
import { makePrivateDirectory, makePrivateFile, syncDirectory } from "./private-files.ts";
import { readDatabase } from "./read-only-database.ts";

const DRAFT_FILE = "journal.rebuilt";
export const JOURNAL_FILES = [JOURNAL_FILE, WAL_FILE, `${JOURNAL_FILE}-journal`, WITNESS_FILE] as const;

/** Copies those of the files that are there to DIR/damaged-TIME, and gives its path. */
export function backUpFiles(directory: string, files: readonly string[], now: number): string {
  const copy = freePath(join(directory, `damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, "-")}`));
  makePrivateDirectory(copy);
  for (const file of files) {
    if (!existsSync(join(directory, file))) continue;
    const target = join(copy, file);
    copyFileSync(join(directory, file), target, constants.COPYFILE_FICLONE);
    makePrivateFile(target);
    syncFile(target);
  }
  syncDirectory(copy);
  syncDirectory(directory);
  return copy;
}

export function removeFiles(directory: string, files: readonly string[]): void {
  for (const file of files) rmSync(join(directory, file), { force: true });
  syncDirectory(directory);
}

/** Puts a whole journal in the damaged one's place: the readable part, and `next` as the record after it. */
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
  // A log that is left would be read into the new file.
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
  if (checkpoint !== null) {
    const parts = rowsOf(from, "checkpoint", 0).map(({ text }) => text);
    writeCheckpoint(to, { upTo: checkpoint.upTo, parts }, { header, record: checkpoint.recordChecksum });
  }
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

function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function freePath(path: string): string {
  for (let count = 1;; count++) {
    const candidate = count === 1 ? path : `${path}-${count}`;
    if (!existsSync(candidate)) return candidate;
  }
}
