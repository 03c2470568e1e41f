// The options of a study, and the command line of each of its runs.

import type { Command, Option } from "commander";
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../common/command-line.ts";
import { option, wholeNumber } from "../../common/options.ts";
import { runStudy } from "./study.ts";

const MAX_JOBS = 256;
/** Of the study itself; a run has its own seed, format and tape. */
const OF_STUDY: readonly string[] = ["seeds", "seed", "jobs", "format", "tape"];

export interface StudyArguments {
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
  ];
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}

/** Runs the command once for each seed. A tape of each run is in a folder of its own. */
export async function studyOf(command: Command, seeds: readonly number[], given: StudyArguments): Promise<void> {
  const { jobs = availableParallelism(), tape } = given;
  if (tape !== undefined) mkdirSync(tape, { recursive: true });
  const shared = [command.name(), ...argumentsOf(command), "--format", "json"];
  await runStudy({
    seeds,
    jobs: Math.min(jobs, seeds.length),
    argumentsOf: (seed) => [
      ...shared,
      ...["--seed", String(seed)],
      ...(tape === undefined ? [] : ["--tape", join(tape, `seed-${seed}`)]),
    ],
  });
}

/** The options as they were given, without those of the study itself. */
function argumentsOf(command: Command): string[] {
  return command.options.flatMap((each) => {
    const name = each.attributeName();
    if (command.getOptionValueSource(name) !== "cli" || OF_STUDY.includes(name)) return [];
    const value: unknown = command.getOptionValue(name);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((one) => one === true ? [`${each.long}`] : [`${each.long}`, String(one)]);
  });
}
