// Folders of one study that are put together: what is copied, what is missing, and which folders do not fit.

import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveExperiment } from "../../../sim/experiment/resolve-experiment.ts";
import { mergeStudies, openStudies } from "../../../sim/study/merge-studies.ts";
import { type StudyDescription, studyDescription } from "../../../sim/study/study-description.ts";
import { StudyFolder } from "../../../sim/study/study-folder.ts";
import type { Job } from "../../../sim/study/study-jobs.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const directory = temporaryDirectory();
let folders = 0;
const newPath = () => join(directory, `${folders += 1}`);

function study(seeds: string, tape: "csv" | null = null): StudyDescription {
  const resolved = resolveExperiment({ preset: "thin", hours: 1, seeds, vary: ["hours=1,2"] });
  if (!resolved.ok) throw new Error(resolved.faults.join("\n"));
  return studyDescription({ version: "1.0.0", ...resolved, tape });
}

const WITHOUT = study("1..2");
const WITH_TAPES = study("1..2", "csv");
const lineOf = ({ key, seed }: Job, more = "") => `{"job":"${key}","seed":${seed}${more}}\n`;

/** A folder that has done the jobs at these places. */
function folderOf(places: readonly number[], of = WITHOUT, tape = (_key: string) => "run", more = ""): StudyFolder {
  const folder = StudyFolder.open(newPath(), of);
  for (const place of places) {
    const job = folder.jobs[place]!;
    const made = folder.tapeInWork(job);
    if (made !== null) {
      mkdirSync(made);
      for (const name of ["run.json", "trades.csv"]) writeFileSync(join(made, name), `${tape(job.key)} ${name}`);
    }
    folder.commit(job, lineOf(job, more));
  }
  folder.close();
  return folder;
}

function merged(sources: readonly StudyFolder[], target = newPath()) {
  const told: [number, number | undefined][] = [];
  const { from, into } = openStudies(sources.map(({ path }) => path), target);
  const progress = {
    update: (done: number, total?: number) => void told.push([done, total]),
    stop: () => {},
    note: () => {},
  };
  const result = mergeStudies(from, into, progress as never);
  into.close();
  return { ...result, told };
}

describe("folders of one study", () => {
  test("are put together, and the jobs that none has done are missing", () => {
    const [one, other] = [folderOf([0, 2]), folderOf([2, 3])];
    const { target, missing, told } = merged([one, other]);
    expect([...target.done()].toSorted()).toEqual([0, 2, 3].map((at) => target.jobs[at]!.key).toSorted());
    for (const at of [0, 2, 3]) expect(target.result(target.jobs[at]!)).toBe(lineOf(target.jobs[at]!));
    expect([missing, told]).toEqual([[target.jobs[1]!], [[4, 8], [8, 8], [12, 8]]]);
    // The order of the folders does not matter, and what is there already stays.
    const more = merged([other, folderOf([1])], one.path);
    expect([more.missing, more.target.done().size]).toEqual([[], 4]);
    expect(more.target.result(one.jobs[1]!)).toBe(lineOf(one.jobs[1]!));
  });

  test("bring their tapes, each file whole", () => {
    const sources = [folderOf([0], WITH_TAPES, (key) => `tape of ${key}`), folderOf([1], WITH_TAPES)];
    const { target, missing } = merged(sources);
    expect(missing).toHaveLength(2);
    const tape = target.tapeOf(target.jobs[0]!.key);
    expect(readdirSync(tape).toSorted()).toEqual(["run.json", "trades.csv"]);
    expect(readFileSync(join(tape, "trades.csv"), "utf8")).toBe(`tape of ${target.jobs[0]!.key} trades.csv`);
    expect(readdirSync(target.path)).not.toContain("work");
  });

  test("do not fit if one job has other bytes in two of them, and then nothing is copied", () => {
    const one = folderOf([0, 1, 2]);
    const target = newPath();
    const other = folderOf([1, 2], WITHOUT, undefined, ',"x":1');
    const fault = (key: string) => `${key}: results/${key}.json differs in ${one.path} and ${other.path}`;
    expect(() => merged([one, other], target)).toThrow([1, 2].map((at) => fault(one.jobs[at]!.key)).join("\n"));
    expect(readdirSync(join(target, "results"))).toEqual([]);
  });

  test.each<[string, (folder: StudyFolder, key: string) => void, string]>([
    [
      "another file of the tape",
      (folder, key) => writeFileSync(join(folder.tapeOf(key), "trades.csv"), "run trades.CSV"),
      "trades.csv",
    ],
    [
      "a longer file",
      (folder, key) => writeFileSync(join(folder.tapeOf(key), "run.json"), "run run.json\n"),
      "run.json",
    ],
    [
      "a file that the other lacks",
      (folder, key) => writeFileSync(join(folder.tapeOf(key), "more.csv"), ""),
      "more.csv",
    ],
  ])("do not fit with %s", (_what, change, name) => {
    const [one, other] = [folderOf([0], WITH_TAPES), folderOf([0], WITH_TAPES)];
    expect(merged([one, other]).missing).toHaveLength(3);
    const { key } = one.jobs[0]!;
    change(other, key);
    expect(() => merged([one, other])).toThrow(`${key}: tapes/${key}/${name} differs in ${one.path} and ${other.path}`);
  });

  test("are compared to their last byte, also if they are long", () => {
    const long = (last: string) => (): string => "x".repeat(1_100_000) + last;
    expect(() => merged([folderOf([0], WITH_TAPES, long("a")), folderOf([0], WITH_TAPES, long("b"))])).toThrow(
      "differs",
    );
    expect(merged([folderOf([0], WITH_TAPES, long("a")), folderOf([0], WITH_TAPES, long("a"))]).missing).toHaveLength(
      3,
    );
  });

  test("are refused with each folder that is of another study or none, and each result that is none", () => {
    const [one, two, three] = [folderOf([0]), folderOf([0], study("1..3")), folderOf([0], study("4"))];
    const line = ({ path }: StudyFolder) => `${path}: is another study than ${one.path}: `;
    let said = "";
    try {
      openStudies([one, two, three].map(({ path }) => path), newPath());
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said.split("\n").map((each, at) => each.startsWith(line([two, three][at]!)))).toEqual([true, true]);
    expect(said).not.toContain(" here");
    const nowhere = newPath();
    expect(() => openStudies([nowhere], newPath())).toThrow(`${nowhere}: study.json: `);
    writeFileSync(one.resultOf(one.jobs[0]!.key), '{"seed":9}\n');
    expect(() => merged([one])).toThrow(`${one.resultOf(one.jobs[0]!.key)}: is the result of another job`);
  });
});
