// The options of a study, and which of them fit together.

import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../../common/command-line.ts";
import { option, wholeNumber } from "../../common/options.ts";
import { type CompleteExperiment, seedsOf } from "../../sim/experiment/resolve-experiment.ts";
import type { Variants } from "../../sim/experiment/variants.ts";
import { PORT_PLACE } from "../../sim/outside/agents/agent-process.ts";
import { MAX_STUDY_JOBS, type Part } from "../../sim/study/study-jobs.ts";
import type { TapeFormat } from "../../sim/tape/tape-directory.ts";
import { MOST_RUNS, type ReportArguments } from "./report-options.ts";

const MAX_WORKERS = 256;

export interface StudyArguments extends ReportArguments {
  readonly vary?: readonly string[];
  readonly jobs?: number;
  readonly part?: Part;
  readonly out?: string;
  readonly tape?: string;
  readonly tapeFormat?: TapeFormat;
  /** Makes this process a worker of the study with this digest. */
  readonly studyWorker?: string;
}

/** Repeatable. */
export function varyOption(): Option {
  const what = "a run for each value of a setting, such as trading.halfSpread=0.01,0.02; repeatable: each combination";
  return new Option("--vary <path=values>", what)
    .argParser((text: string, texts: readonly string[] | undefined) => [...texts ?? [], text]);
}

export function studyOptions(): Option[] {
  return [
    option(
      "--jobs <number>",
      "runs of a study at a time (default: one for each processor)",
      wholeNumber(1, MAX_WORKERS),
    ),
    new Option(
      "--out <directory>",
      "keep the results of a study in this directory; the same command goes on where it was ended",
    ),
    option("--part <number/count>", "run this part of the study only, such as 3/10: for several machines", partFrom),
    new Option("--study-worker <digest>", "for studies: run the jobs that stdin names").hideHelp(),
  ];
}

function partFrom(text: string): Part {
  const [, number, count] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (number !== undefined && count !== undefined && number >= 1 && number <= count) return { number, count };
  throw new InvalidArgumentError("a part and the number of parts, such as 3/10");
}

export function isStudy(
  experiment: CompleteExperiment,
  { all }: Pick<Variants, "all">,
  { out }: Pick<StudyArguments, "out">,
): boolean {
  return seedsOf(experiment).length > 0 || all.length > 1 || out !== undefined;
}

/** Throws UsageError. */
export function checkStudy(command: Command, experiment: CompleteExperiment, variants: Pick<Variants, "all">): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
  const given = command.opts<StudyArguments>();
  const faults = isStudy(experiment, variants, given)
    ? studyFaults(isGiven, command.opts(), jobCount(experiment, variants))
    : ["jobs", "part"].filter(isGiven).map((name) =>
      `--${name}: needs a study: --seeds, --vary with several values, or --out`
    );
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}

function jobCount(experiment: CompleteExperiment, { all }: Pick<Variants, "all">): number {
  return all.length * Math.max(1, seedsOf(experiment).length);
}

function studyFaults(
  isGiven: (name: string) => boolean,
  { format, agent = "" }: { readonly format?: unknown; readonly agent?: string },
  count: number,
): string[] {
  return [
    count > MAX_STUDY_JOBS && `--seeds, --vary: ${count} jobs; at most ${MAX_STUDY_JOBS}`,
    isGiven("agent") && !agent.includes(PORT_PLACE) &&
    `--agent: a study starts the agents of each run: give their command with ${PORT_PLACE}, or one seed`,
    isGiven("format") && format !== "json" && "--format: a study prints a line of JSON for each run",
    isGiven("report") && count > MOST_RUNS && `--report: at most ${MOST_RUNS} runs fit side by side, not ${count}`,
    isGiven("report") && (isGiven("out") || isGiven("part")) &&
    "--report: with --out or --part, make the page of tapes: mkt report",
    isGiven("tape") && isGiven("out") &&
    "--tape: with --out, tapes are in its folder tapes; give --tape-format instead",
  ].filter((fault) => fault !== false);
}
