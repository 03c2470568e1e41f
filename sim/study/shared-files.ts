// Changes of files and folders that several processes may make at the same time: each either succeeds, or finds that another
// process was faster, which is as good.

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync } from "node:fs";

/** Each failed attempt means that another process has put or moved the folder meanwhile. */
const MOST_ATTEMPTS = 100;
/** What a rename says then. */
const OF_OTHER_PROCESS: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"]);

/** Makes the folder if there is none, but not its parents. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Another process is writing in it, or has removed it.
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error) ?? "")) throw error;
  }
}

/**
 * Puts the folder `made` in the place of `target`. What is there is moved away as a whole, so that `target` never holds a part
 * of a folder. `replaced`: a path of this process on the same disk, for what is moved away.
 */
export function putFolder(made: string, target: string, replaced: string): void {
  for (let attempts = 1;; attempts += 1) {
    rmSync(replaced, { recursive: true, force: true });
    try {
      if (existsSync(target)) renameSync(target, replaced);
      renameSync(made, target);
      break;
    } catch (error) {
      if (attempts === MOST_ATTEMPTS || !OF_OTHER_PROCESS.has(codeOf(error))) throw error;
    }
  }
  rmSync(replaced, { recursive: true, force: true });
}

export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
