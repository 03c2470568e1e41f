// Which process uses a data directory: DIR/engine.pid has its number and its host, for the message to a second engine.
//
// The lock itself is SQLite's, and ends with its process (sqlite-journal.ts). The file stays, and the next engine replaces
// it. So it is read only if the lock is held. An engine that has taken the lock a moment ago may not have written it yet.

import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { makePrivateFile } from "./private-files.ts";

export const OWNER_FILE = "engine.pid";

/** For an engine that holds the lock. */
export function writeOwner(directory: string): void {
  const path = join(directory, OWNER_FILE);
  makePrivateFile(path);
  writeFileSync(path, `${process.pid} ${hostname()}\n`);
}

/** The engine that holds the lock, as the subject of a sentence. */
export function ownerOf(directory: string): string {
  const [, pid, host] = /^(\d+) (\S+)\n$/.exec(contentOf(join(directory, OWNER_FILE))) ?? [];
  if (pid === undefined || (host === hostname() && !isAlive(Number(pid)))) return "another engine";
  return `another engine, process ${pid} on ${host},`;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process can't be signalled.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
