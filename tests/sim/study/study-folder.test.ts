// The folder of a study at the borders: what a killed process leaves, files that are wrong, two processes at once.

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveExperiment } from "../../../sim/experiment/resolve-experiment.ts";
import {
  descriptionText,
  jobsOfStudy,
  readDescription,
  type StudyDescription,
  studyDescription,
} from "../../../sim/study/study-description.ts";
import { StudyFolder } from "../../../sim/study/study-folder.ts";
import type { Job } from "../../../sim/study/study-jobs.ts";
import { newWorkFolder } from "../../../sim/study/work-folder.ts";
import { run } from "../../support/processes.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ROUNDS = size(8, 500);
const directory = temporaryDirectory();
let folders = 0;
const newPath = () => join(directory, String(folders += 1));

function study(vary: string[], seeds: string, version = "1.0.0", tape: "csv" | null = null): StudyDescription {
  const resolved = resolveExperiment({ preset: "thin", hours: 1, seeds, vary });
  if (!resolved.ok) throw new Error(resolved.faults.join("\n"));
  return studyDescription({ version, ...resolved, tape });
}

const PLAIN = study(["hours=1,2"], "1..2");
const lineOf = ({ key, seed }: Job, more = "") => `{"job":"${key}","seed":${seed}${more}}\n`;

function filled(path = newPath()): StudyFolder {
  const folder = StudyFolder.open(path, PLAIN);
  for (const job of folder.jobs) folder.commit(job, lineOf(job));
  return folder;
}

test.each([
  ["1..2", [1, 2]],
  ["1,5,9..11", [1, 5, 9, 10, 11]],
  ["7,3", [7, 3]],
  ["4294967295", [4_294_967_295]],
])("a study runs the seeds %s as they are given, also as its file tells them", (seeds, expected) => {
  const written = readDescription(descriptionText(study(["hours=1,2"], seeds)));
  expect(jobsOfStudy(written).map(({ seed }) => seed)).toEqual([...expected, ...expected]);
});

describe("a folder of a study", () => {
  test("has all results in the order of the jobs, whatever order they came in", () => {
    const folder = StudyFolder.open(newPath(), PLAIN);
    const keys = ["hours=1,seed-1", "hours=1,seed-2", "hours=2,seed-1", "hours=2,seed-2"];
    expect(folder.jobs.map(({ key }) => key)).toEqual(keys);
    for (const job of folder.jobs.toReversed()) {
      expect(folder.done().has(job.key)).toBe(false);
      folder.commit(job, lineOf(job));
    }
    expect(folder.done().size).toBe(4);
    expect(readFileSync(folder.finish(), "utf8")).toBe(folder.jobs.map((job) => lineOf(job)).join(""));
    folder.close();
    expect(readdirSync(folder.path).toSorted()).toEqual(["results", "results.jsonl", "study.json"]);
  });

  test("takes the same result again, and refuses another one of the same job", () => {
    const folder = filled();
    const [job] = folder.jobs;
    folder.commit(job!, lineOf(job!));
    expect(() => folder.commit(job!, lineOf(job!, `,"steps":1`))).toThrow("hours=1,seed-1.json exists, and differs");
    expect(folder.result(job!)).toBe(lineOf(job!));
  });

  test.each([
    ["is empty", "", "is not a whole line"],
    ["was cut", `{"job":"hours=1,seed-2","se`, "is not a whole line"],
    ["is not JSON", "{]}\n", "is not JSON"],
    ["is of another seed", `{"job":"hours=1,seed-2","seed":1}\n`, "is the result of another job"],
    ["is of another variant", `{"job":"hours=2,seed-2","seed":2}\n`, "is the result of another job"],
  ])("refuses a result that %s", (_, text, fault) => {
    const folder = filled();
    writeFileSync(join(folder.path, "results", "hours=1,seed-2.json"), text);
    expect(() => folder.finish()).toThrow(`hours=1,seed-2.json: ${fault}: delete it`);
    expect(existsSync(join(folder.path, "results.jsonl"))).toBe(false);
  });

  test("runs a job again whose result a crash of the machine left empty", () => {
    const folder = filled();
    const [job] = folder.jobs;
    writeFileSync(join(folder.path, "results", `${job!.key}.json`), "");
    expect(folder.done().has(job!.key)).toBe(false);
    folder.commit(job!, lineOf(job!));
    expect(folder.done().size).toBe(4);
  });

  /** Makes the tape of a job, as a run does. */
  function tape(folder: StudyFolder, job: Job, text: string): void {
    const path = folder.tapeInWork(job) ?? "";
    mkdirSync(path);
    writeFileSync(join(path, "run.json"), text);
  }

  test("counts a job as done only with its tape, which replaces what was left of it", () => {
    const folder = StudyFolder.open(newPath(), study([], "1..2", "1.0.0", "csv"));
    const [job] = folder.jobs;
    const kept = join(folder.path, "tapes", "seed-1");
    mkdirSync(kept);
    writeFileSync(join(kept, "old.csv"), "");
    tape(folder, job!, "one");
    folder.commit(job!, `{"seed":1}\n`);
    expect(readdirSync(kept)).toEqual(["run.json"]);
    expect([...folder.done()]).toEqual(["seed-1"]);
    rmSync(join(kept, "run.json"));
    expect([...folder.done()]).toEqual([]);
  });

  test("keeps a whole tape if two processes have the same job, and removes what is replaced", () => {
    const taped = study([], "1..2", "1.0.0", "csv");
    const path = newPath();
    const folders = [StudyFolder.open(path, taped), StudyFolder.open(path, taped)];
    const [job] = folders[0]!.jobs;
    for (const [at, folder] of folders.entries()) tape(folder, job!, String(at));
    for (const folder of folders) {
      folder.commit(job!, `{"seed":1}\n`);
      expect(folder.done()).toEqual(new Set(["seed-1"]));
    }
    expect(readFileSync(join(path, "tapes", "seed-1", "run.json"), "utf8")).toBe("1");
    for (const folder of folders) folder.close();
    expect(readdirSync(path).toSorted()).toEqual(["results", "study.json", "tapes"]);
  });

  test("is opened, filled and closed by several processes at the same moments, and none of them fails", async () => {
    const root = newPath();
    mkdirSync(root);
    const script = join(import.meta.dir, "..", "..", "support", "study-folder-rounds.ts");
    const startAt = String(Date.now() + 2_000);
    const ends = await Promise.all(
      Array.from({ length: 3 }, () => run([process.execPath, script, root, String(ROUNDS), startAt])),
    );
    for (const { exitCode, stderr } of ends) expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    for (const name of readdirSync(root)) {
      expect(readdirSync(join(root, name)).toSorted()).toEqual(["results", "results.jsonl", "study.json", "tapes"]);
    }
  });

  test("is begun if another process has made no more than its empty folders, and refused if they hold something", () => {
    const path = newPath();
    for (const name of ["results", "tapes", "work/other"]) mkdirSync(join(path, name), { recursive: true });
    expect(StudyFolder.open(path, PLAIN).jobs.length).toBe(4);
    rmSync(join(path, "study.json"));
    writeFileSync(join(path, "results", "seed-1.json"), "");
    expect(() => StudyFolder.open(path, PLAIN)).toThrow("is not empty, and holds no study");
  });

  test("removes what a process left that was killed, but nothing of a process that runs", async () => {
    const path = newPath();
    const other = StudyFolder.open(path, PLAIN);
    const work = join(path, "work");
    const { stdout } = await run(["sh", "-c", "echo $$"]);
    const own = newWorkFolder(work);
    const left = own.replace(`-${process.pid}-`, `-${stdout.trim()}-`);
    mkdirSync(join(left, "seed-1"), { recursive: true });
    mkdirSync(join(work, "of-another-machine"));
    const next = StudyFolder.open(path, PLAIN);
    expect(existsSync(left)).toBe(false);
    expect(existsSync(own)).toBe(true);
    expect(existsSync(join(work, "of-another-machine"))).toBe(true);
    next.close();
    const [job] = other.jobs;
    other.commit(job!, lineOf(job!));
    expect(other.done().size).toBe(1);
  });

  test.each([
    ["other seeds", study(["hours=1,2"], "1..3"), 'experiment.seeds is "1..2" there, "1..3" here'],
    ["another grid", study(["hours=1,3"], "1..2"), "experiment.vary.hours.1 is 2 there, 3 here"],
    ["another first value", study(["hours=3,2"], "1..2"), "experiment.vary.hours.0 is 1 there, 3 here"],
    ["another version", study(["hours=1,2"], "1..2", "1.0.1"), 'mkt is "1.0.0" there, "1.0.1" here'],
    ["tapes", study(["hours=1,2"], "1..2", "1.0.0", "csv"), 'tape is null there, "csv" here'],
  ])("is refused by a study with %s", (_, other, difference) => {
    const { path } = filled();
    expect(() => StudyFolder.open(path, other)).toThrow(`holds another study: ${difference}: choose another folder`);
  });

  test("is refused by a study with the same settings in another order, and takes the same seeds in other words", () => {
    const vary = ["hours=1,2", "trading.halfSpread=0.1"];
    const { path } = StudyFolder.open(newPath(), study(vary, "1"));
    const refusal = "holds another study: experiment.vary has another order";
    expect(() => StudyFolder.open(path, study(vary.toReversed(), "1"))).toThrow(refusal);
    expect(study(["hours=1,2"], "1,2")).toEqual(PLAIN);
  });

  test("is refused if study.json is none", () => {
    const { path } = filled();
    for (const text of ["{}", "", "[", "null"]) {
      writeFileSync(join(path, "study.json"), text);
      expect(() => StudyFolder.open(path, PLAIN)).toThrow(`--out: ${path}: does not describe a study`);
    }
  });
});
