// The variants of studies side by side, in folders whose results have known profits.

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { TABLES } from "../../../sim/tape/tables.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { resolveExperiment } from "../../../sim/experiment/resolve-experiment.ts";
import type { HeadlessReport } from "../../../sim/headless/headless-report.ts";
import { simulate } from "../../../sim/headless/simulate.ts";
import { compareStudies } from "../../../sim/comparison/comparison.ts";
import { studyDescription } from "../../../sim/study/study-description.ts";
import { StudyFolder } from "../../../sim/study/study-folder.ts";
import { type Job, jobFields } from "../../../sim/study/study-jobs.ts";
import { runMktHere } from "../../support/command-line-here.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { wellFormed } from "../../common/plot/support.ts";

const directory = temporaryDirectory();
const path = (name: string) => join(directory, name);
const personas = [{ strategy: "zip", count: 1 }, { strategy: "zic", count: 2 }, { strategy: "shvr", count: 1 }];
const experiment = { ...presetExperiment("thin"), personas, hours: 0.01, seed: 1 };
const usual = simulate({ experiment, definition: builtInMarket() });
const VARY = ["personas.1.strategy=zic,zip,gvwy"];

interface Made {
  readonly vary?: string[];
  readonly tape?: "csv";
  readonly isDone?: (job: Job) => boolean;
}

/** A folder whose runs have the profits of their personas, in the order of the groups. */
function studyAt(name: string, profitsOf: (job: Job) => readonly number[], { vary = VARY, tape, isDone }: Made = {}) {
  const flags = { preset: "thin", personas: "zip:1,zic:2,shvr:1", hours: 0.01, seeds: "1..4", vary } as const;
  const resolved = resolveExperiment(flags);
  if (!resolved.ok) throw new Error(resolved.faults.join("\n"));
  const folder = StudyFolder.open(path(name), studyDescription({ version: "1.0.0", ...resolved, tape: tape ?? null }));
  for (const job of folder.jobs) {
    if (isDone?.(job) === false) continue;
    if (tape !== undefined) writeTape(folder.tapeInWork(job) ?? "", job);
    const strategy = job.variant[0]?.value ?? "zic";
    const report: HeadlessReport = {
      ...usual,
      seed: job.seed,
      totals: { ...usual.totals, trades: 10 + job.seed },
      personas: profitsOf(job).map((tradingResult, at) => {
        const persona = usual.personas[at]!;
        return { ...persona, strategy: at === 1 || at === 2 ? String(strategy) : persona.strategy, tradingResult };
      }),
    };
    folder.commit(job, `${JSON.stringify({ ...jobFields(job.variant, job.seed), ...report })}\n`);
  }
  folder.close();
  return folder.path;
}

/** What was earned in an hour, a later row of it, and in the base. */
function writeTape(tape: string, { seed }: Job): void {
  mkdirSync(tape);
  const { startedAt, endedAt } = usual;
  const run = { version: "1", command: "", seed, startedAt, endedAt, hours: 1, steps: 1, format: "csv" };
  writeFileSync(join(tape, "run.json"), JSON.stringify({ ...run, experiment: { name: "x", market: "builtin" } }));
  writeFileSync(join(tape, "report.json"), "{}");
  const row = (start: string, end: string, contract: string, ...amounts: number[]) =>
    `2026-03-03T00:00:00.000Z,zip-1,zip,${contract},2026-03-0${start}:00:00.000Z,2026-03-0${end}:00:00.000Z,` +
    `1,1,0,4000,${amounts.join(",")}`;
  writeFileSync(
    join(tape, "results.csv"),
    `${
      [
        Object.keys(TABLES.results).join(","),
        // Nobody trades with the last seed.
        ...(seed === 4 ? [] : [
          row("3T13", "3T14", "H7", 1, 1),
          row("3T06", "4T06", "BASE", 5, -1),
          row("3T13", "3T14", "H7", 100 * seed, 70 + 2 / 3),
        ]),
      ].join("\n")
    }\n`,
  );
}

/** The zics of variant zip earn 10 more than zics, and in each seed much else. */
const earned = ({ seed, variant: [setting] }: Job) => {
  const more = setting?.value === "zip" ? 10 : setting?.value === "gvwy" ? seed - 2.5 : 0;
  const both = 1_000 * (seed - 2) + more;
  return [5, both - 1, 1, -both - 5];
};

function measuresIn(...folders: string[]) {
  const comparison = compareStudies(folders, () => {});
  const named = new Map(comparison.measures.map((measure) => [`${measure.section}/${measure.title}`, measure]));
  return { ...comparison, measure: (name: string) => named.get(name)! };
}

let plain: string;
beforeAll(() => {
  plain = studyAt("plain", earned);
});

describe("the comparison of a study's variants", () => {
  test("has the differences in runs with the same seed, however much the runs scatter", () => {
    const { variants, measure } = measuresIn(plain);
    expect(variants.map(({ name, seeds }) => `${name} ${seeds}`)).toEqual(
      ["zic", "zip", "gvwy"].map((name) => `personas[1].strategy=${name} 1..4`),
    );
    const { spreads: [first, second], differences } = measure("Profit/personas[1]: trading result");
    expect([first?.mean, second?.mean, first?.least, first?.greatest]).toEqual([500, 510, -1_000, 2_000]);
    expect(first!.margin).toBeCloseTo(3.18245 * 1_290.994 / 2, 0);
    const [none, clear, unclear] = differences;
    expect(none).toBeNull();
    expect(clear).toMatchObject({ runs: 4, mean: 10, margin: 0, greater: 1, isClear: true });
    expect(unclear).toMatchObject({ runs: 4, mean: 0, greater: 0.5, isClear: false });
    expect(unclear!.margin).toBeCloseTo(2.054, 3);
    expect(measure("What changed in the market/trades").differences[1])
      .toMatchObject({ mean: 0, greater: 0, isClear: false });
    expect(measure("Profit/shvr: trading result").differences[1]).toMatchObject({
      mean: -10,
      greater: 0,
      isClear: true,
    });
  });

  test("has each strategy's sum, in the variants that have the strategy", () => {
    const { measure } = measuresIn(plain);
    expect(measure("Profit/zip: trading result").spreads.map((spread) => spread?.mean)).toEqual([5, 515, 5]);
    const { spreads, differences } = measure("Profit/gvwy: trading result");
    expect([spreads[0], spreads[1], differences[2]]).toEqual([null, null, null]);
  });

  test("pairs the seeds that both variants have, and names the jobs that are missing", () => {
    const isDone = ({ seed, variant: [setting] }: Job) => setting?.value !== "zip" || seed > 2;
    const { missing, variants, measure } = measuresIn(studyAt("missing", earned, { isDone }));
    expect(missing).toEqual(["personas.1.strategy=zip,seed-1..2"]);
    expect(variants[1]).toMatchObject({ runs: 2, seeds: "3..4" });
    expect(measure("Profit/personas[1]: trading result").differences[1]).toMatchObject({ runs: 2, mean: 10 });
  });

  test("tells how many of all runs it has read, also of those that are missing", () => {
    const told: [number, number][] = [];
    compareStudies([plain, studyAt("half", earned, { isDone: ({ seed }) => seed > 2 })], (...done) => told.push(done));
    expect(told).toEqual(Array.from({ length: 24 }, (_, at) => [at + 1, 24]));
  });

  test("has two studies side by side, such as of two agents", () => {
    const more = studyAt("more", (job) => earned(job).map((profit, at) => at === 0 ? profit + 7 : profit), {
      vary: [],
    });
    const less = studyAt("less", earned, { vary: [] });
    const { variants, measure } = measuresIn(less, more);
    expect(variants.map(({ name }) => name)).toEqual(["less", "more"]);
    expect(measure("Profit/zip: trading result").differences[1]).toMatchObject({ runs: 4, mean: 7 });
  });

  test("has profits by hour of delivery if the tapes tell them: of each contract the latest row", () => {
    const { hasHours, measure } = measuresIn(studyAt("tapes", earned, { vary: [], tape: "csv" }));
    const spreadAt = (hour: string) => measure(`Profit by hour of delivery: zip/${hour}`)?.spreads[0];
    expect([hasHours, spreadAt("07:00")?.mean, spreadAt("08:00"), spreadAt("longer")?.mean]).toEqual(
      [true, 203, undefined, 3],
    );
  });
});

test("mkt report prints a study as text or JSON, and writes it as a page", async () => {
  const text = await runMktHere(["report", plain]);
  expect(text).toMatchObject({ exitCode: 0, stderr: "" });
  const line = text.stdout.split("\n").find((each) => each.includes("=zip") && each.includes("+10"))!;
  expect(line.split(/ {2,}/).slice(1)).toEqual(
    [...["personas[1].strategy=zip", "4", "510", "2,054", "-990"], ...["-240", "510", "1,260", "2,010"]]
      .concat(["+10", "0", "100 %", "*"]),
  );
  const json = JSON.parse((await runMktHere(["report", plain, "--format", "json"])).stdout);
  expect(json.measures[0]).toMatchObject({
    title: "personas[1]: trading result",
    differences: [null, { mean: 10 }, {}],
  });
  expect(json.measures[0]).not.toHaveProperty("values");

  const page = path("study.html");
  expect(await runMktHere(["report", plain, "--out", page])).toEqual({ exitCode: 0, stdout: "", stderr: `${page}\n` });
  const html = await Bun.file(page).text();
  wellFormed(html.replace("<!DOCTYPE html>", ""));
  expect(html).not.toMatch(/NaN|Infinity|undefined|\[object/);
  expect(html).toContain("personas[1]: trading result: differences");
});

test.each([
  ["a study beside a tape", () => [plain, directory], "folder: "],
  ["books of a study", () => [plain, "--book-at", "6h"], "--book-at: needs tapes"],
  ["a format of a page", () => [plain, "--out", path("no.html"), "--format", "json"], "--format: leave it out"],
  ["a format of tapes", () => [directory, "--out", path("no.html"), "--format", "json"], "--format: needs a study"],
])("mkt report refuses %s: exit 2", async (_, args, fault) => {
  const { exitCode, stderr } = await runMktHere(["report", ...args()]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(`mkt: ${fault}`) });
});
