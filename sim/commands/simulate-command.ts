// `mkt simulate`: a headless simulation at full speed. Reports all faults of its arguments together.

import type { Command } from "commander";
import { oneLine, print, printJson, UsageError } from "../../common/command-line.ts";
import { builtInMarket } from "../definition/built-in-market.ts";
import { loadDefinition } from "../definition/load-definition.ts";
import { headlessReportText } from "../headless/headless-report-text.ts";
import { simulate } from "../headless/simulate.ts";
import { DEFAULT_ARGUMENTS, type GivenArguments, readHeadlessArguments } from "../headless/simulate-arguments.ts";
import { populationFaults } from "../personas/create-personas.ts";
import { showProgress } from "../../common/progress-bar.ts";

interface SimulateArguments extends GivenArguments {
  readonly market?: string;
}

export function addSimulateCommand(program: Command): void {
  program.command("simulate")
    .description("a headless simulation at full speed; prints its metrics")
    .option("--seed <number>", `seed of everything random (default: ${DEFAULT_ARGUMENTS.seed})`)
    .option("--steps <number>", `total number of wake-ups of traders (default: ${DEFAULT_ARGUMENTS.steps})`)
    .option("--market <file>", "market definition in JSON (default: the built-in market)")
    .option("--preset <name>", `who trades, and how (default: ${DEFAULT_ARGUMENTS.preset})`)
    .option("--format <format>", `text or json (default: ${DEFAULT_ARGUMENTS.format})`)
    .action(runSimulate);
}

async function runSimulate({ market, ...given }: SimulateArguments): Promise<void> {
  const read = readHeadlessArguments(given);
  const faults = read.ok ? [] : [...read.faults];
  const loaded = market === undefined ? { ok: true as const, definition: builtInMarket() } : loadDefinition(market);
  if (!loaded.ok) faults.push(...loaded.faults.map((fault) => oneLine(`${market}: ${fault}`)));
  else if (read.ok) faults.push(...populationFaults(read.arguments.preset.personas, loaded.definition.users));
  if (!read.ok || !loaded.ok || faults.length > 0) throw new UsageError(faults.join("\n"));

  const { steps, format } = read.arguments;
  const progress = await showProgress(steps, "steps");
  const report = simulate({ ...read.arguments, definition: loaded.definition, onProgress: progress.update });
  progress.stop();
  await (format === "json" ? printJson(JSON.stringify(report)) : print(headlessReportText(report)));
}
