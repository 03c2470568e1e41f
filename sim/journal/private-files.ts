// Files and directories that their owner alone may read, since a market's orders and audit trail are in them.
//
// SQLite gives its -wal, -shm and -journal files the mode of the file beside them. A directory that is there already
// belongs to the operator and keeps its mode.

import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** Makes a directory, and those above it, if they are not there. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY });
}

/** Makes a file if it is not there, and closes it to everyone but its owner. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  if (process.platform === "win32") return;
  const { mode, uid } = statSync(path);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(path, PRIVATE_FILE);
}

/** Makes the names of new files in a directory outlast a power failure. */
export function syncDirectory(path: string): void {
  // Windows lets no program open a directory.
  if (process.platform === "win32") return;
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
