// `mkt simulate`: a headless simulation at full speed. Reports all faults of its arguments and files together.

import type { Command } from "commander";
import { checkAll, UsageError } from "../../common/command-line.ts";
import { checkOptions, choice, decimalNumber, option, validOptions, wholeNumber } from "../../common/options.ts";
import { print, printJson, printNote, write } from "../../common/output.ts";
import { DEFAULT_PRESET, SIMULATION_PRESETS } from "../../protocol/index.ts";
import { BUILT_IN_MARKET, TIGHT_CREDIT_MARKET } from "../../engine/definition/built-in-markets.ts";
import { DEFAULT_SEED, DEFAULT_STEPS, MAX_HOURS, MAX_STEPS, MIN_HOURS } from "../../sim/experiment/experiment.ts";
import { MAX_SEED } from "../../sim/experiment/seeds.ts";
import { Variants } from "../../sim/experiment/variants.ts";
import { loadStrategiesIn, loadStrategiesOf, withStrategyPaths } from "../../sim/experiment/strategy-paths.ts";
import { experimentText } from "../../sim/experiment/experiment-text.ts";
import {
  type CompleteExperiment,
  type ExperimentFlags,
  type ResolvedExperiment,
  resolveExperiment,
  varyFrom,
} from "../../sim/experiment/resolve-experiment.ts";
import type { HeadlessReport } from "../../sim/headless/headless-report.ts";
import { headlessReportText } from "../../sim/headless/headless-report-text.ts";
import { type HeadlessOptions, simulate } from "../../sim/headless/simulate.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { NewFile } from "../../sim/report/new-file.ts";
import { type RunDescription, RunRecorder } from "../../sim/report/recorded-run.ts";
import { reportPage } from "../../sim/report/report-page.ts";
import { type TapeRows, toAll } from "../../sim/tape/tables.ts";
import { Tape } from "../../sim/tape/tape.ts";
import { TAPE_FORMATS, TapeDirectory } from "../../sim/tape/tape-directory.ts";
import { resultLine, resultOf, runOf } from "../../sim/study/run-of-report.ts";
import { showProgress } from "../../common/progress-bar.ts";
import {
  type AgentArguments,
  agentOptions,
  agentsFrom,
  type RunAgents,
  runWithAgents,
  strategiesFrom,
  type StrategyArguments,
  strategyOption,
} from "./outside-options.ts";
import { bookAtOption, commandOf, type ReportArguments } from "./report-options.ts";
import { checkedVariant, checkVariants, studyOf, workOnStudy } from "./study.ts";
import { checkStudy, isStudy, type StudyArguments, studyOptions, varyOption } from "./study-options.ts";
import { tapeSizeNote } from "./tape-size-note.ts";

interface SimulateArguments
  extends ExperimentFlags, StrategyArguments, AgentArguments, StudyArguments, ReportArguments {
  readonly printExperiment?: boolean;
  readonly format: "text" | "json";
}

export function addSimulateCommand(program: Command): void {
  const command = program.command("simulate")
    .description("a headless simulation at full speed; prints its metrics")
    .option("--experiment <file>", "experiment in JSON; the other options win over it")
    .addOption(choice("--preset <name>", `who trades, and how (default: ${DEFAULT_PRESET})`, SIMULATION_PRESETS))
    .option(
      "--market <file>",
      `market definition in JSON, ${BUILT_IN_MARKET} or ${TIGHT_CREDIT_MARKET} (default: the preset's)`,
    )
    .option("--start <time>", "market time, such as 2026-07-01T00:00:00-05:00 (default: chosen by the market)")
    .addOption(
      option("--hours <number>", "hours of market time, in place of --steps", decimalNumber(MIN_HOURS, MAX_HOURS)),
    )
    .addOption(
      option("--steps <number>", `wake-ups of all traders (default: ${DEFAULT_STEPS})`, wholeNumber(1, MAX_STEPS)),
    )
    .addOption(
      option("--seed <number>", `seed of everything random (default: ${DEFAULT_SEED})`, wholeNumber(0, MAX_SEED)),
    )
    .option("--seeds <list>", "a run for each seed, such as 1..20 or 1,5,9..12; prints a line of JSON for each")
    .addOption(varyOption())
    .option("--personas <list>", "who trades, such as zic:20,zip:10")
    .addOption(strategyOption())
    .option("--events <list>", "spot events, such as heat_wave@6h:size=2,hours=12,node=NORTH; or none")
    .option("--print-experiment", "print the experiment that the other options mean, and stop")
    .option("--tape <directory>", "also write all orders, trades, quotes and prices to files in this new directory")
    .addOption(choice("--tape-format <format>", "layout of these files (default: csv)", TAPE_FORMATS))
    .option("--report <file>", "also make a page with charts of the run, or of the runs of --seeds: this new HTML file")
    .addOption(bookAtOption())
    .addOption(choice("--format <format>", "how to print it", ["text", "json"]).default("text"));
  for (const each of [...studyOptions(), ...agentOptions()]) command.addOption(each);
  command.action(runSimulate);
}

async function runSimulate(given: SimulateArguments, command: Command): Promise<void> {
  const checkStrategies = await strategiesFrom(given);
  if (given.experiment !== undefined) await loadStrategiesOf(given.experiment);
  if (given.vary !== undefined) await loadStrategiesIn({ vary: varyFrom(given.vary) }, ".");
  const [, , whole, , agents] = checkAll(
    () => checkOptions(command),
    checkStrategies,
    () => resolved(validOptions(command)),
    () => checkTape(given),
    () => agentsFrom(validOptions(command)),
  );
  const variants = new Variants(given, whole);
  if (given.studyWorker !== undefined) return workOnStudy(command, given, whole, variants);
  checkVariants(variants, given);
  if (given.printExperiment === true) return printExperiment(whole.experiment, variants);
  checkStudy(command, whole.experiment, variants);
  if (isStudy(whole.experiment, variants, given)) return studyOf(command, given, whole, variants);
  const [variant = []] = variants.all;
  const { experiment, definition } = checkedVariant(variants, variant);
  const tape = given.tape === undefined ? null : new TapeDirectory(given.tape, given.tapeFormat ?? "csv");
  const page = given.report === undefined ? null : pageOf(given.report, given, { experiment, definition }, tape);
  const tables = [tape, page?.rows ?? null].filter((each) => each !== null);
  const observer = tables.length === 0 ? null : new Tape(toAll(tables));
  const onHours = tape === null || experiment.hours === null || given.tapeFormat === "parquet"
    ? () => {}
    : tapeSizeNote(tape, experiment.hours, printNote);
  const report = await reportOf({ experiment, definition, observer }, experiment, agents, onHours);
  const description = runOf(report, experiment, commandOf(command, experiment.seed, variant));
  tape?.finish(description, resultOf(report, variant));
  page?.finish(description, report);
  await (given.format === "json" ? write(resultLine(report, variant)) : print(headlessReportText(report)));
}

/** Throws an Error of one line if the page can't be made; then the tape, which is still empty, is removed. */
function pageOf(
  path: string,
  { bookAt }: ReportArguments,
  { experiment, definition }: Pick<ResolvedExperiment & { ok: true }, "experiment" | "definition">,
  tape: TapeDirectory | null,
): PageOfRun {
  try {
    return new PageOfRun(path, experiment, definition, bookAt);
  } catch (error) {
    tape?.discard();
    throw error;
  }
}

/** The page of --report. */
class PageOfRun {
  readonly #file: NewFile;
  readonly #recorder: RunRecorder;

  constructor(path: string, { start }: CompleteExperiment, definition: MarketDefinition, bookAt?: readonly number[]) {
    this.#file = new NewFile(path, "--report");
    this.#recorder = new RunRecorder(definition, Date.parse(start), bookAt ?? null);
  }

  get rows(): TapeRows {
    return this.#recorder.rows;
  }

  finish(description: RunDescription, report: HeadlessReport): void {
    this.#file.finish(reportPage([this.#recorder.finish(description, report)]));
    printNote(this.#file.path);
  }
}

/** Simulated. A run keeps little, but the runtime would let what is no longer used pile up for days. */
const HOURS_BETWEEN_COLLECTIONS = 6;

/** Shows its progress, unless it waits for agents. */
async function reportOf(
  options: HeadlessOptions,
  { hours, steps }: CompleteExperiment,
  agents: RunAgents | null,
  onHours: (done: number) => void,
): Promise<HeadlessReport> {
  if (agents !== null) return await runWithAgents(options, agents);
  const progress = await showProgress(hours ?? steps ?? 0, hours === null ? "steps" : "hours");
  let collectedAt = 0;
  const onProgress = (done: number) => {
    progress.update(done);
    onHours(done);
    if (hours === null || done < collectedAt + HOURS_BETWEEN_COLLECTIONS) return;
    Bun.gc(true);
    collectedAt = done;
  };
  const report = simulate({ ...options, onProgress });
  progress.stop();
  return report;
}

async function printExperiment(experiment: CompleteExperiment, { grid }: Variants): Promise<void> {
  if (grid.some(({ path }) => path === "preset")) {
    throw new UsageError(
      "--print-experiment: a study that varies the preset has no complete experiment; vary settings",
    );
  }
  await printJson(experimentText(withStrategyPaths(experiment)));
}

/** Throws UsageError. */
function resolved(flags: ExperimentFlags): ResolvedExperiment & { readonly ok: true } {
  const result = resolveExperiment(flags);
  if (!result.ok) throw new UsageError(result.faults.join("\n"));
  return result;
}

/** Throws UsageError. */
function checkTape({ tape, tapeFormat, report, bookAt, seeds, out, studyWorker }: SimulateArguments): void {
  const faults = [
    tapeFormat !== undefined && (tape ?? out ?? studyWorker) === undefined && "--tape-format: needs --tape or --out",
    bookAt !== undefined && report === undefined && "--book-at: needs --report",
    tapeFormat === "parquet" && report !== undefined && seeds !== undefined &&
    "--tape-format: the report of --seeds is made of csv tapes; leave it out",
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}
