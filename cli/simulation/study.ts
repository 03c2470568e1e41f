// `mkt simulate` as a study: its jobs in worker processes, and where their results go: to stdout in the order of the jobs, or
// to the folder of --out.

import type { Command } from "commander";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { printNote, write } from "../../common/output.ts";
import type { Variant } from "../../sim/experiment/grid.ts";
import { type ResolvedExperiment, seedsOf } from "../../sim/experiment/resolve-experiment.ts";
import type { Variants } from "../../sim/experiment/variants.ts";
import { simulate } from "../../sim/headless/simulate.ts";
import { addedStrategyFiles } from "../../sim/outside/strategies/strategy-files.ts";
import { NewFile } from "../../sim/report/new-file.ts";
import { InOrder } from "../../sim/study/in-order.ts";
import { type JobRequest, serveJobs } from "../../sim/study/job-messages.ts";
import { ResultNotKept, runJobs } from "../../sim/study/run-jobs.ts";
import { resultLine, resultOf, runOf } from "../../sim/study/run-of-report.ts";
import { descriptionDigest, studyDescription } from "../../sim/study/study-description.ts";
import { StudyFolder } from "../../sim/study/study-folder.ts";
import { type Job, jobsOf, jobsOfPart } from "../../sim/study/study-jobs.ts";
import { Tape } from "../../sim/tape/tape.ts";
import { TapeDirectory } from "../../sim/tape/tape-directory.ts";
import { writeReport } from "./report-command.ts";
import { type AgentArguments, agentsFrom, runWithAgents } from "./outside-options.ts";
import { commandOf, givenOptions } from "./report-options.ts";
import type { StudyArguments } from "./study-options.ts";
import packageJson from "../../package.json" with { type: "json" };

type Resolved = ResolvedExperiment & { readonly ok: true };

/** What a worker is not told: it runs the jobs that it is given. */
const NOT_OF_WORKERS: readonly string[] = ["jobs", "part", "out", "format", "tape", "report", "bookAt", "studyWorker"];
/** So that the memory of a worker is returned now and then. */
const JOBS_PER_WORKER = 100;

/** Throws UsageError with the faults of all variants. */
export function checkVariants(variants: Variants, { vary, experiment }: { vary?: unknown; experiment?: string }): void {
  const faults = variants.faults();
  const prefix = vary !== undefined || experiment === undefined ? "--" : `${experiment}: `;
  if (faults.length > 0) throw new UsageError(faults.map((fault) => `${prefix}${fault}`).join("\n"));
}

/** Of a variant without faults. */
export function checkedVariant(variants: Variants, variant: Variant): Resolved {
  const resolved = variants.resolve(variant);
  if (!resolved.ok) throw new Error(resolved.faults.join("; "));
  return resolved;
}

/** Runs the jobs of the study, or of a part of it. */
export async function studyOf(
  command: Command,
  given: StudyArguments & AgentArguments,
  whole: Resolved,
  variants: Variants,
): Promise<void> {
  const jobs = studyJobs(whole, variants);
  const study = { command, given, whole, jobs: given.part === undefined ? jobs : jobsOfPart(jobs, given.part) };
  if (given.out !== undefined) return runInFolder(study, given.out);
  if (given.report === undefined) return runToStdout(study, given.tape);
  const file = new NewFile(given.report, "--report");
  const temporary = given.tape === undefined ? mkdtempSync(join(tmpdir(), "mkt-report-")) : null;
  const tapes = given.tape ?? temporary ?? "";
  const removeTemporary = () => {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  };
  try {
    await runToStdout(study, tapes, removeTemporary);
    await writeReport(file, jobs.map(({ key }) => join(tapes, key)), given.bookAt ?? null);
  } finally {
    removeTemporary();
  }
}

interface Study {
  readonly command: Command;
  readonly given: StudyArguments & AgentArguments;
  readonly whole: Resolved;
  /** Those to run. */
  readonly jobs: readonly Job[];
}

function studyJobs({ experiment }: Resolved, variants: Variants): readonly Job[] {
  const seeds = seedsOf(experiment);
  return jobsOf(variants.all, seeds.length === 0 ? [experiment.seed] : seeds);
}

async function runToStdout(study: Study, tapes: string | undefined, onEnd: () => void = () => {}): Promise<void> {
  if (tapes !== undefined) mkdirSync(tapes, { recursive: true });
  const output = new InOrder(study.jobs, write);
  await runJobs({
    ...jobRun(study, study.jobs),
    doneBefore: 0,
    tapeOf: ({ key }) => tapes === undefined ? null : join(tapes, key),
    onResult: (job, line) => output.put(job, line ?? ""),
    onEnd,
  });
}

async function runInFolder(study: Study, path: string): Promise<void> {
  const { given, whole } = study;
  const folder = StudyFolder.open(path, descriptionOf(whole, given));
  try {
    const done = folder.done();
    const left = study.jobs.filter(({ key }) => !done.has(key));
    await runJobs({
      ...jobRun(study, left),
      doneBefore: study.jobs.length - left.length,
      tapeOf: (job) => folder.tapeInWork(job),
      onResult: (job, line) => {
        if (line !== null) keep(folder, job, line);
      },
      onEnd: () => {
        printNote(`mkt: ended early; ${progressOf(folder)}; the same command goes on`);
        folder.close();
      },
    });
    printNote(`mkt: ${progressOf(folder)}`);
  } finally {
    folder.close();
  }
}

function keep(folder: StudyFolder, job: Job, line: string): void {
  try {
    folder.commit(job, line);
  } catch (error) {
    throw new ResultNotKept(errorMessage(error));
  }
}

/** Also puts all results together if none is missing. */
function progressOf(folder: StudyFolder): string {
  const [count, all] = [folder.done().size, folder.jobs.length];
  return count === all
    ? `${all} jobs are done: ${folder.finish()}`
    : `${count} of ${all} jobs are done in ${folder.path}`;
}

function descriptionOf(
  { experiment, definition }: Resolved,
  { tapeFormat, ...given }: StudyArguments & AgentArguments,
) {
  const { agent, agents } = given;
  const described = agent === undefined ? null : { command: agent, count: agents ?? 1 };
  const study = { version: packageJson.version, experiment, definition, tape: tapeFormat ?? null, agents: described };
  return studyDescription(study);
}

/** What a worker compares: a study whose files change while it runs would mix two experiments. */
function digestOf(whole: Resolved, { agent, agents }: AgentArguments): string {
  return descriptionDigest(descriptionOf(whole, { agent, agents }));
}

function jobRun({ command, given, whole }: Study, jobs: readonly Job[]) {
  return {
    jobs,
    workers: Math.min(given.jobs ?? availableParallelism(), jobs.length),
    // The code of a strategy's file may remember one run in the next.
    jobsPerWorker: addedStrategyFiles().length > 0 ? 1 : JOBS_PER_WORKER,
    workerArguments: [
      command.name(),
      ...givenOptions(command, NOT_OF_WORKERS),
      "--study-worker",
      digestOf(whole, given),
    ],
    commandOf: ({ seed, variant }: Job) => commandOf(command, seed, variant),
  };
}

/** A worker: runs the jobs that stdin names. */
export async function workOnStudy(
  command: Command,
  given: StudyArguments & AgentArguments,
  whole: Resolved,
  variants: Variants,
): Promise<void> {
  const { studyWorker, tapeFormat = "csv" } = given;
  const agents = agentsFrom(given);
  if (studyWorker !== digestOf(whole, given)) {
    throw new Error("the experiment, its market or a strategy has changed since the study began; run it again");
  }
  const jobs = studyJobs(whole, variants);
  await serveJobs(async ({ index, tape: path }: JobRequest, onProgress) => {
    const job = jobs[index];
    if (job === undefined) throw new RangeError(`the study has no job ${index}`);
    const { seed, variant } = job;
    const { experiment: unseeded, definition } = checkedVariant(variants, variant);
    const experiment = { ...unseeded, seed };
    const tape = path === null ? null : new TapeDirectory(path, tapeFormat);
    const observer = tape === null ? null : new Tape(tape);
    const simulation = { experiment, definition, observer, onProgress };
    const report = agents === null ? simulate(simulation) : await runWithAgents(simulation, agents);
    tape?.finish(runOf(report, experiment, commandOf(command, seed, variant)), resultOf(report, variant));
    return resultLine(report, variant);
  });
}
