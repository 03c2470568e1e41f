// The options of a study, and the command line of each of its runs.

import type { Command, Option } from "commander";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../common/command-line.ts";
import { option, wholeNumber } from "../../common/options.ts";
import { NewFile } from "../report/new-file.ts";
import { writeReport } from "./report-command.ts";
import { givenOptions, MOST_RUNS, type ReportArguments } from "./report-options.ts";
import { runStudy } from "./study.ts";

const MAX_JOBS = 256;
/** Of the study itself; a run has its own seed, format and tape. */
const OF_STUDY: readonly string[] = ["seeds", "seed", "jobs", "format", "tape", "report", "bookAt"];

export interface StudyArguments extends ReportArguments {
  readonly jobs?: number;
  readonly tape?: string;
}

export function jobsOption(): Option {
  const what = "runs of a study at a time, each in a process of its own (default: one for each processor)";
  return option("--jobs <number>", what, wholeNumber(1, MAX_JOBS));
}

/** Throws UsageError. `seeds` is empty for a single run. */
export function checkStudy(command: Command, seeds: readonly number[]): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
  const faults = seeds.length === 0 ? isGiven("jobs") ? ["--jobs: needs --seeds, or an experiment with seeds"] : [] : [
    ...(isGiven("agent") ? ["--agent: a study has no agents; give one seed"] : []),
    ...(isGiven("format") && command.getOptionValue("format") !== "json"
      ? ["--format: a study prints a line of JSON for each run"]
      : []),
    ...(isGiven("report") && seeds.length > MOST_RUNS
      ? [`--report: at most ${MOST_RUNS} runs fit side by side, not ${seeds.length}`]
      : []),
  ];
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}

/** Runs the command once for each seed. A tape of each run is in a folder of its own. */
export async function studyOf(command: Command, seeds: readonly number[], given: StudyArguments): Promise<void> {
  const { report, bookAt } = given;
  if (report === undefined) return runSeeds(command, seeds, given);
  const file = new NewFile(report, "--report");
  const temporary = given.tape === undefined ? mkdtempSync(join(tmpdir(), "mkt-report-")) : null;
  const tape = given.tape ?? temporary ?? "";
  const removeTemporary = () => {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  };
  try {
    await runSeeds(command, seeds, { ...given, tape }, removeTemporary);
    await writeReport(file, seeds.map((seed) => tapeOf(tape, seed)), bookAt ?? null);
  } finally {
    removeTemporary();
  }
}

async function runSeeds(
  command: Command,
  seeds: readonly number[],
  given: StudyArguments,
  onEnd?: () => void,
): Promise<void> {
  const { jobs = availableParallelism(), tape } = given;
  if (tape !== undefined) mkdirSync(tape, { recursive: true });
  const shared = [command.name(), ...givenOptions(command, OF_STUDY), "--format", "json"];
  await runStudy({
    seeds,
    jobs: Math.min(jobs, seeds.length),
    onEnd,
    argumentsOf: (seed) => [
      ...shared,
      ...["--seed", String(seed)],
      ...(tape === undefined ? [] : ["--tape", tapeOf(tape, seed)]),
    ],
  });
}

function tapeOf(directory: string, seed: number): string {
  return join(directory, `seed-${seed}`);
}
