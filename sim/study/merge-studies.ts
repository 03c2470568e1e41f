// Puts the folders of one study together: results and tapes of each are copied into one folder. The order of the folders does
// not matter. A job that two of them have done must have the same bytes in both.
//
// Everything is compared before the first copy. Cost: each file is read twice, a megabyte at a time.

import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { errorMessage } from "../../common/error-message.ts";
import type { Progress } from "../../common/progress-bar.ts";
import { studyDifference } from "./study-description.ts";
import { StudyFolder, studyIn } from "./study-folder.ts";
import type { Job } from "./study-jobs.ts";

const BLOCK = 1_048_576;

interface Merged {
  readonly target: StudyFolder;
  readonly missing: readonly Job[];
}

interface Found {
  readonly folder: StudyFolder;
  readonly job: Job;
}

/**
 * Opens the folders. Throws an Error with a line for each folder that is none of the same study. `target` may exist, if it is
 * one of the same study.
 */
export function openStudies(
  sources: readonly string[],
  target: string,
): { readonly from: readonly StudyFolder[]; readonly into: StudyFolder } {
  const [first = ""] = sources;
  const study = studyIn(first);
  const faults = sources.slice(1).flatMap((path) => {
    const difference = studyDifference(studyIn(path), study);
    return difference === null
      ? []
      : [`${path}: is another study than ${first}: ${difference.replaceAll(" here", ` in ${first}`)}`];
  });
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return { from: sources.map((path) => new StudyFolder(path, study)), into: StudyFolder.open(target, study) };
}

/** Throws an Error with a line for each job that two folders have done differently, or whose result is none. */
export function mergeStudies(from: readonly StudyFolder[], into: StudyFolder, progress: Progress): Merged {
  const found = new Map<string, Found>();
  const faults: string[] = [];
  let compared = 0;
  const total = from.length * into.jobs.length;
  for (const folder of [into, ...from]) {
    const done = folder.done();
    for (const job of folder.jobs.filter(({ key }) => done.has(key))) {
      const fault = faultOf({ folder, job }, found.get(job.key));
      if (fault !== null) faults.push(fault);
      else if (!found.has(job.key)) found.set(job.key, { folder, job });
    }
    progress.update(compared += into.jobs.length, total);
  }
  if (faults.length > 0) throw new Error(faults.join("\n"));
  for (const { folder, job } of found.values()) if (folder !== into) copy(folder, into, job);
  return { target: into, missing: into.jobs.filter(({ key }) => !found.has(key)) };
}

function faultOf({ folder, job }: Found, other: Found | undefined): string | null {
  try {
    folder.result(job);
  } catch (error) {
    return errorMessage(error);
  }
  if (other === undefined) return null;
  const different = filesOf(folder, job).find((path) =>
    !haveSameBytes(join(folder.path, path), join(other.folder.path, path))
  );
  return different === undefined ? null : `${job.key}: ${different} differs in ${other.folder.path} and ${folder.path}`;
}

/** Of the job's result and tape, relative to the folder. */
function filesOf(folder: StudyFolder, { key }: Job): string[] {
  const tape = folder.tapeOf(key);
  const files = folder.study.tape === null ? [] : readdirSync(tape).map((name) => join(tape, name));
  return [folder.resultOf(key), ...files].map((path) => relative(folder.path, path));
}

function copy(from: StudyFolder, into: StudyFolder, job: Job): void {
  const tape = into.tapeInWork(job);
  if (tape !== null) {
    mkdirSync(tape);
    for (const name of readdirSync(from.tapeOf(job.key))) {
      copyFileSync(join(from.tapeOf(job.key), name), join(tape, name));
    }
  }
  into.commit(job, from.result(job));
}

function haveSameBytes(one: string, other: string): boolean {
  if (!existsSync(other) || statSync(one).size !== statSync(other).size) return false;
  const files = [openSync(one, "r"), openSync(other, "r")];
  try {
    for (;;) {
      const [first, second] = files.map(readBlock);
      if (first === undefined || second === undefined || !first.equals(second)) return false;
      if (first.length === 0) return true;
    }
  } finally {
    files.forEach(closeSync);
  }
}

function readBlock(file: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  let length = 0;
  for (let read = -1; read !== 0 && length < BLOCK; length += read) {
    read = readSync(file, block, length, BLOCK - length, null);
  }
  return block.subarray(0, length);
}
