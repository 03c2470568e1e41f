// `mkt simulate`: a headless simulation at full speed. Reports all faults of its arguments together.

import type { Command } from "commander";
import { checkAll, oneLine, UsageError } from "../../common/command-line.ts";
import { checkOptions, choice, option, wholeNumber } from "../../common/options.ts";
import { print, printJson } from "../../common/output.ts";
import { DEFAULT_PRESET, SIMULATION_PRESETS, type SimulationPreset } from "../../protocol/index.ts";
import { builtInMarket } from "../definition/built-in-market.ts";
import { loadDefinition } from "../definition/load-definition.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { presetExperiment } from "../experiment/read-experiment.ts";
import type { HeadlessReport } from "../headless/headless-report.ts";
import { headlessReportText } from "../headless/headless-report-text.ts";
import { simulate } from "../headless/simulate.ts";
import { populationFaults } from "../personas/create-personas.ts";
import { Tape } from "../tape/tape.ts";
import { TAPE_FORMATS, TapeDirectory, type TapeFormat } from "../tape/tape-directory.ts";
import { showProgress } from "../../common/progress-bar.ts";
import packageJson from "../../package.json" with { type: "json" };

const MAX_SEED = 4_294_967_295;
const MAX_STEPS = 1_000_000_000;
/** Ten years. */
const MAX_HOURS = 87_600;
const HOUR_MS = 3_600_000;

interface SimulateArguments {
  readonly seed: number;
  readonly steps: number;
  readonly preset: string;
  readonly format: "text" | "json";
  readonly market?: string;
  readonly hours?: number;
  readonly tape?: string;
  readonly tapeFormat?: TapeFormat;
}

export function addSimulateCommand(program: Command): void {
  const steps = "total number of wake-ups of traders";
  program.command("simulate")
    .description("a headless simulation at full speed; prints its metrics")
    .addOption(option("--seed <number>", "seed of everything random", wholeNumber(0, MAX_SEED)).default(1))
    .addOption(option("--steps <number>", steps, wholeNumber(1, MAX_STEPS)).default(100_000))
    .addOption(option("--hours <number>", "hours of market time, in place of --steps", wholeNumber(1, MAX_HOURS)))
    .option("--tape <directory>", "also write all orders, trades, quotes and prices to files in this new directory")
    .addOption(choice("--tape-format <format>", "layout of these files (default: csv)", TAPE_FORMATS))
    .option("--market <file>", "market definition in JSON (default: the built-in market)")
    .addOption(choice("--preset <name>", "who trades, and how", SIMULATION_PRESETS).default(DEFAULT_PRESET))
    .addOption(choice("--format <format>", "how to print it", ["text", "json"]).default("text"))
    .action(runSimulate);
}

async function runSimulate(given: SimulateArguments, command: Command): Promise<void> {
  const [, definition] = checkAll(
    () => checkOptions(command),
    () => marketFor(given),
    () => checkLengthAndTape(given, command),
  );
  const experiment = presetExperiment(presetOf(given));
  const { seed, steps, hours, format } = given;
  const tape = given.tape === undefined ? null : new TapeDirectory(given.tape, given.tapeFormat ?? "csv");
  const length = hours === undefined ? { steps } : { hours };
  const progress = await showProgress(hours ?? steps, hours === undefined ? "steps" : "hours");
  const observer = tape === null ? null : new Tape(tape);
  const report = simulate({ seed, length, experiment, definition, observer, onProgress: progress.update });
  progress.stop();
  tape?.finish(runOf(report, experiment));
  await (format === "json" ? printJson(JSON.stringify(report)) : print(headlessReportText(report)));
}

/** What run.json says of the run. */
function runOf({ seed, steps, startedAt, endedAt }: HeadlessReport, experiment: Experiment) {
  const hours = (Date.parse(endedAt) - Date.parse(startedAt)) / HOUR_MS;
  return { version: packageJson.version, seed, startedAt, endedAt, hours, steps, experiment };
}

/** Throws UsageError. */
function checkLengthAndTape({ hours, tape, tapeFormat }: SimulateArguments, command: Command): void {
  const faults: string[] = [];
  if (hours !== undefined && command.getOptionValueSource("steps") !== "default") {
    faults.push("--hours and --steps: give one of them");
  }
  if (tapeFormat !== undefined && tape === undefined) faults.push("--tape-format: needs --tape");
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}

/** Throws UsageError with the faults of the market file, also if the personas can't trade on it. */
function marketFor(given: SimulateArguments): MarketDefinition {
  const { market } = given;
  const loaded = market === undefined ? { ok: true as const, definition: builtInMarket() } : loadDefinition(market);
  if (!loaded.ok) throw new UsageError(loaded.faults.map((fault) => oneLine(`${market}: ${fault}`)).join("\n"));
  const faults = populationFaults(presetExperiment(presetOf(given)).personas, loaded.definition);
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return loaded.definition;
}

/** The preset; calm if the given name is invalid, which checkOptions reports. */
function presetOf({ preset }: SimulateArguments): SimulationPreset {
  return SIMULATION_PRESETS.find((name) => name === preset) ?? DEFAULT_PRESET;
}
