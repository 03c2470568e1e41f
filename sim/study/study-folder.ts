// The folder of a study, which outlives the processes that fill it:
//
//   study.json       what the study is (study-description.ts)
//   results/KEY.json the result of a job: one line of JSON
//   tapes/KEY/       the tape of a job, if the study has tapes
//   results.jsonl    all results in the order of the jobs, once no job is missing
//   work/            what is being written
//
// A result is written whole or not at all: it is made in `work`, synced and renamed, after its tape. So a job with a result is
// done, whatever was killed when. Several processes and machines may work in one folder. Files in it can be copied into another
// folder of the same study in any order.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { OutputFile } from "../tape/output-file.ts";
import { RUN_FILE } from "../tape/tape-directory.ts";
import { makeFolder, putFolder, removeIfEmpty, syncFile } from "./shared-files.ts";
import {
  descriptionText,
  jobsOfStudy,
  readDescription,
  type StudyDescription,
  studyDifference,
} from "./study-description.ts";
import type { Job } from "./study-jobs.ts";
import { endedWorkFolders, newWorkFolder } from "./work-folder.ts";

export const STUDY_FILE = "study.json";
const ALL_RESULTS = "results.jsonl";
const RESULTS = "results";
const TAPES = "tapes";
const WORK = "work";

export class StudyFolder {
  readonly jobs: readonly Job[];
  /** Of this process; empty if it only reads. */
  #work = "";

  /** To read only. `study`: that of the folder. */
  constructor(readonly path: string, readonly study: StudyDescription) {
    this.jobs = jobsOfStudy(study);
  }

  /**
   * To add results. Makes the folder if there is none, but not its parents. Throws an Error of one line if it holds something
   * else than results of this study, or can't be written.
   */
  static open(path: string, study: StudyDescription): StudyFolder {
    const folder = new StudyFolder(path, study);
    folder.#open();
    return folder;
  }

  #open(): void {
    const { path, study } = this;
    try {
      makeFolder(path);
      // Before the look at study.json: whoever fills the folder writes study.json first.
      const isFilled = isFilledFolder(path);
      const isNew = !existsSync(join(path, STUDY_FILE));
      if (isNew && isFilled) throw new Error("is not empty, and holds no study: choose another folder");
      if (!isNew) this.#checkStudy();
      const work = join(path, WORK);
      for (const folder of [join(path, RESULTS), ...(this.#hasTapes ? [join(path, TAPES)] : [])]) {
        mkdirSync(folder, { recursive: true });
      }
      this.#work = newWorkFolder(work);
      for (const ended of endedWorkFolders(work)) rmSync(ended, { recursive: true, force: true });
      if (isNew) this.#writeWhole(join(path, STUDY_FILE), [descriptionText(study)]);
      // Another process may have begun another study at the same time.
      this.#checkStudy();
    } catch (error) {
      throw new Error(`--out: ${path}: ${fileErrorReason(error)}`, { cause: error });
    }
  }

  get #hasTapes(): boolean {
    return this.study.tape !== null;
  }

  /** The jobs that have a result, and a tape if the study has tapes. */
  done(): ReadonlySet<string> {
    const folder = join(this.path, RESULTS);
    const results = new Set(existsSync(folder) ? readdirSync(folder) : []);
    const isDone = ({ key }: Job) =>
      results.has(`${key}.json`) && statSync(this.resultOf(key)).size > 0 &&
      (!this.#hasTapes || existsSync(join(this.tapeOf(key), RUN_FILE)));
    return new Set(this.jobs.filter(isDone).map(({ key }) => key));
  }

  /** The folder, not there yet, in which the job makes its tape; null if the study has no tapes. */
  tapeInWork({ key }: Job): string | null {
    if (!this.#hasTapes) return null;
    const path = join(this.#work, key);
    rmSync(path, { recursive: true, force: true });
    return path;
  }

  /**
   * Throws an Error of one line if there is another result of the job, or if the disk refuses. `line`: the result with its line
   * feed.
   */
  commit({ key }: Job, line: string): void {
    const [result, tape] = [this.resultOf(key), this.tapeOf(key)];
    if (existsSync(result) && statSync(result).size > 0 && readFileSync(result, "utf8") !== line) {
      throw new Error(
        `${result} exists, and differs: it was changed, or made by another build or on another kind of machine`,
      );
    }
    if (this.#hasTapes) {
      const made = join(this.#work, key);
      for (const name of readdirSync(made)) syncFile(join(made, name));
      putFolder(made, tape, join(this.#work, "replaced"));
    }
    this.#writeWhole(result, [line]);
  }

  /** Writes results.jsonl. Every job must be done. Throws an Error of one line if a result is not that of its job. */
  finish(): string {
    const path = join(this.path, ALL_RESULTS);
    this.#writeWhole(path, this.jobs.values().map((job) => this.result(job)));
    return path;
  }

  /** The result of a job that is done. Throws an Error of one line if the file is not its result. */
  result(job: Job): string {
    const path = this.resultOf(job.key);
    const line = readFileSync(path, "utf8");
    const fault = resultFault(line, job);
    if (fault === null) return line;
    throw new Error(`${path}: ${fault}: delete it, and run the command of the study again`);
  }

  /** Removes what this process was writing, and the folder `work` if no other process is writing. */
  close(): void {
    rmSync(this.#work, { recursive: true, force: true });
    removeIfEmpty(join(this.path, WORK));
  }

  #checkStudy(): void {
    const difference = studyDifference(readDescription(readFileSync(join(this.path, STUDY_FILE), "utf8")), this.study);
    if (difference !== null) throw new Error(`holds another study: ${difference}: choose another folder`);
  }

  /** Path of the job's result. */
  resultOf(key: string): string {
    return join(this.path, RESULTS, `${key}.json`);
  }

  /** Path of the job's tape. */
  tapeOf(key: string): string {
    return join(this.path, TAPES, key);
  }

  #writeWhole(path: string, texts: Iterable<string>): void {
    const temporary = join(this.#work, "whole");
    rmSync(temporary, { force: true });
    const file = new OutputFile(temporary);
    try {
      for (const text of texts) file.write(Buffer.from(text));
    } finally {
      file.close();
    }
    syncFile(temporary);
    renameSync(temporary, path);
  }
}

/** Whether the folder holds more than the empty folders that another process makes before study.json. */
function isFilledFolder(path: string): boolean {
  return readdirSync(path).some((name) =>
    name !== WORK && (![RESULTS, TAPES].includes(name) || readdirSync(join(path, name)).length > 0)
  );
}

/** Why the line is not the result of the job; null if it is. */
function resultFault(line: string, { key, seed, variant }: Job): string | null {
  if (!line.endsWith("}\n")) return "is not a whole line";
  try {
    const result = JSON.parse(line) as { readonly job?: unknown; readonly seed?: unknown } | null;
    const isOfJob = result?.seed === seed && result.job === (variant.length === 0 ? undefined : key);
    return isOfJob ? null : "is the result of another job";
  } catch (error) {
    if (error instanceof SyntaxError) return "is not JSON";
    throw error;
  }
}

/** The study in a folder. Throws an Error of one line. */
export function studyIn(path: string): StudyDescription {
  try {
    return readDescription(readFileSync(join(path, STUDY_FILE), "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${STUDY_FILE}: ${fileErrorReason(error)}`, { cause: error });
  }
}
