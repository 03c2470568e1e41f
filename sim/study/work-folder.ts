// The folder in which one process writes what is not finished, in the study's folder `work`. Its name tells the machine (or
// container) and the process. So a process that was killed leaves a folder that the next one on the same machine
// recognises. A folder of another machine is left alone, because nobody here knows whether its process still runs.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf } from "./shared-files.ts";

/** Another process that ends may remove the empty parent between the two steps of an attempt. */
const MOST_ATTEMPTS = 100;

/** Makes a folder for this process, and its parent. */
export function newWorkFolder(parent: string): string {
  for (let attempts = 1;; attempts += 1) {
    mkdirSync(parent, { recursive: true });
    try {
      return mkdtempSync(join(parent, `${machine()}-${process.pid}-`));
    } catch (error) {
      if (attempts === MOST_ATTEMPTS || codeOf(error) !== "ENOENT") throw error;
    }
  }
}

/** The folders of processes of this machine that have ended. */
export function endedWorkFolders(parent: string): string[] {
  const ofMachine = new RegExp(`^${machine()}-(\\d+)-`);
  return readdirSync(parent).filter((name) => {
    const pid = ofMachine.exec(name)?.[1];
    return pid !== undefined && !isRunning(Number(pid));
  }).map((name) => join(parent, name));
}

/** The same for all processes that see each other's process ids. */
function machine(): string {
  return createHash("sha256").update(`${hostname()} ${processNamespace()}`).digest("hex").slice(0, 10);
}

/** Containers of one host have process ids of their own. Empty if the system has no such namespaces. */
function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return codeOf(error) === "EPERM";
  }
}
