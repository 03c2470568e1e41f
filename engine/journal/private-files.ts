// Makes files and directories that only their owner can read: they hold a market's orders and audit trail.
//
// SQLite gives its -wal, -shm and -journal files the mode of the database file. An existing directory belongs to the
// operator and keeps its mode.

import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** Makes a directory and its parents if they are missing. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY });
}

/** Makes a file if it is missing, and denies access to everyone but its owner. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  if (process.platform === "win32") return;
  const { mode, uid } = statSync(path);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(path, PRIVATE_FILE);
}

/** Makes the names of new files in a directory durable. */
export function syncDirectory(path: string): void {
  // On Windows a directory can't be opened.
  if (process.platform !== "win32") changeDurably(path, "r", () => {});
}

/** Opens a file, changes it, and makes its content durable. */
export function changeDurably(path: string, flags: "r" | "r+" | "a", change: (file: number) => void): void {
  const file = openSync(path, flags);
  try {
    change(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
