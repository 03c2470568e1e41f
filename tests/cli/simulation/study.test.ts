// What a worker of a study runs for a job, and what a study in a folder keeps.

import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { addSimulateCommand } from "../../../cli/simulation/simulate-command.ts";
import * as reports from "../../../cli/simulation/report-command.ts";
import { isStudy } from "../../../cli/simulation/study-options.ts";
import type { HeadlessReport } from "../../../sim/headless/headless-report.ts";
import * as simulating from "../../../sim/headless/simulate.ts";
import * as serving from "../../../sim/study/job-messages.ts";
import { ResultNotKept } from "../../../sim/study/run-jobs.ts";
import * as running from "../../../sim/study/run-jobs.ts";
import * as results from "../../../sim/study/run-of-report.ts";
import { runCommandHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

type Run = Parameters<typeof running.runJobs>[0];

const run = (...args: string[]) => runCommandHere(addSimulateCommand, ["simulate", ...args]);
const STUDY = ["--seeds", "4,2", "--vary", "trading.halfSpread=0.1,0.2"];

/** Runs a study whose jobs do this. */
async function study(args: readonly string[], work: (run: Run) => unknown) {
  let seen: Run | null = null;
  replaced(running, "runJobs", async (given) => {
    seen = given;
    await work(given);
  });
  return { ...await run(...args), run: seen! as Run };
}

const simulated = replaced.bind(null, simulating as never, "simulate" as never) as unknown as (
  work: (options: Parameters<typeof simulating.simulate>[0]) => unknown,
) => Parameters<typeof simulating.simulate>[];

test("a worker runs the job that it is asked for, with its seed and setting, and the tape that it is told", async () => {
  const { run: { workerArguments, commandOf, jobs } } = await study(STUDY, () => {});
  const folder = temporaryDirectory();
  const lines: string[] = [];
  const finished: unknown[] = [];
  let progress = 0;
  const calls = simulated(({ onProgress }) => {
    onProgress?.(1);
    return { kind: "report" };
  });
  replaced(results, "resultLine", (_report, variant) => `line of ${variant.map(({ value }) => value)}`);
  replaced(results, "resultOf", () => ({}) as never);
  replaced(results, "runOf", (_report: HeadlessReport, experiment, command) => {
    finished.push({ seed: experiment.seed, command });
    return {} as never;
  });
  replaced(serving, "serveJobs", async (work) => {
    for (const index of [0, 3]) lines.push(await work({ index, tape: null }, () => progress++));
    lines.push(await work({ index: 1, tape: join(folder, "tape") }, () => {}));
    await expect(work({ index: 4, tape: null }, () => {})).rejects.toThrow("the study has no job 4");
  });
  expect(await run(...workerArguments.slice(1))).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect([lines, progress]).toEqual([["line of 0.1", "line of 0.2", "line of 0.1"], 2]);
  expect(calls.map(([{ experiment, observer }]) => [experiment.seed, experiment.trading.halfSpread, observer !== null]))
    .toEqual([[4, 0.1, false], [2, 0.2, false], [2, 0.1, true]]);
  expect(finished).toEqual([{ seed: 2, command: commandOf(jobs[1]!) }]);
  expect(readdirSync(join(folder, "tape"))).toContain("trades.csv");
  const other = [...workerArguments.slice(1, -1), "another digest"];
  expect((await run(...other)).stderr).toBe(
    "mkt: the experiment, its market or a strategy has changed since the study began; run it again\n",
  );
});

test("a study prints its results in the order of its jobs, without those that failed", async () => {
  const { stdout, exitCode } = await study(STUDY, async ({ jobs, onResult }) => {
    for (const at of [3, 0, 2]) await onResult(jobs[at]!, `${at}\n`);
    await onResult(jobs[1]!, null);
  });
  expect([stdout, exitCode]).toEqual(["0\n2\n3\n", 0]);
});

test("a study in a folder keeps each result, goes on with what is left, and says how far it is", async () => {
  const out = join(temporaryDirectory(), "out");
  const args = [...STUDY, "--out", out];
  const result = ({ key, seed }: { readonly key: string; readonly seed: number }) =>
    `${JSON.stringify({ job: key, seed })}\n`;
  const first = await study(args, async ({ jobs, onResult, doneBefore }) => {
    expect([jobs.length, doneBefore]).toEqual([4, 0]);
    await onResult(jobs[2]!, result(jobs[2]!));
    await onResult(jobs[0]!, null);
  });
  expect(first).toMatchObject({ exitCode: 0, stdout: "", stderr: `mkt: 1 of 4 jobs are done in ${out}\n` });
  const second = await study(args, async ({ jobs, onResult, doneBefore }) => {
    expect([jobs.map(({ index }) => index), doneBefore]).toEqual([[0, 1, 3], 1]);
    for (const job of jobs) await onResult(job, result(job));
  });
  expect(second.stderr).toStartWith("mkt: 4 jobs are done: ");
  const ended = await study(args, ({ onEnd }) => onEnd());
  expect(ended.stderr).toContain("mkt: ended early; 4 jobs are done: ");
  expect(ended.stderr).toContain("; the same command goes on\n");
  const { stderr } = await study([...STUDY, "--out", out, "--hours", "1"], () => {});
  expect(stderr).toContain("hours");
});

test("a result that can't be kept ends a study", async () => {
  const out = join(temporaryDirectory(), "out");
  const thrown: unknown[] = [];
  await study([...STUDY, "--out", out], ({ jobs, onResult }) => {
    try {
      void onResult({ ...jobs[0]!, key: "no/such/folder" }, "{}\n");
    } catch (error) {
      thrown.push(error);
    }
  });
  expect(thrown).toEqual([expect.any(ResultNotKept)]);
});

test("the page of a study is made of the tapes of its jobs, which go again unless --tape keeps them", async () => {
  const folder = temporaryDirectory();
  const page = join(folder, "page.html");
  const written = replaced(reports, "writeReport", (_file, tapes) => {
    for (const tape of tapes) expect(existsSync(join(tape, ".."))).toBe(true);
    return Promise.resolve();
  });
  const { run: { tapeOf, jobs } } = await study([...STUDY, "--report", page, "--book-at", "1h"], () => {});
  const [, tapes, bookAt] = written.pop()!;
  expect([tapes, bookAt]).toEqual([jobs.map((job) => tapeOf(job)!), [1]]);
  expect(existsSync(join(tapes[0]!, ".."))).toBe(false);
  const kept = join(folder, "tapes");
  await study([...STUDY, "--report", page, "--tape", kept], () => {});
  expect([written[0]?.[1].every((tape) => tape.startsWith(kept)), written[0]?.[2]]).toEqual([true, null]);
  expect(existsSync(kept)).toBe(true);
});

test("several seeds, several settings or a folder make a study", () => {
  const [one, many] = [{ all: [[]] }, { all: [[], []] }] as never[];
  const seeds = (text: string | null) => ({ seeds: text }) as never;
  expect(isStudy(seeds(null), one!, {})).toBe(false);
  expect(isStudy(seeds("1"), one!, {})).toBe(true);
  expect(isStudy(seeds(null), many!, {})).toBe(true);
  expect(isStudy(seeds(null), one!, { out: "o" })).toBe(true);
});
