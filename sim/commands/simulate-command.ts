// `mkt simulate`: a headless simulation at full speed. Reports all faults of its arguments together.

import type { Command } from "commander";
import { checkAll, oneLine, UsageError } from "../../common/command-line.ts";
import { checkOptions, choice, option, wholeNumber } from "../../common/options.ts";
import { print, printJson } from "../../common/output.ts";
import { builtInMarket } from "../definition/built-in-market.ts";
import { loadDefinition } from "../definition/load-definition.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import { headlessReportText } from "../headless/headless-report-text.ts";
import { simulate } from "../headless/simulate.ts";
import { populationFaults } from "../personas/create-personas.ts";
import { isPresetName, PRESET_NAMES, PRESETS } from "../personas/presets.ts";
import { showProgress } from "../../common/progress-bar.ts";

const MAX_SEED = 4_294_967_295;
const MAX_STEPS = 1_000_000_000;

interface SimulateArguments {
  readonly seed: number;
  readonly steps: number;
  readonly preset: string;
  readonly format: "text" | "json";
  readonly market?: string;
}

export function addSimulateCommand(program: Command): void {
  const steps = "total number of wake-ups of traders";
  program.command("simulate")
    .description("a headless simulation at full speed; prints its metrics")
    .addOption(option("--seed <number>", "seed of everything random", wholeNumber(0, MAX_SEED)).default(1))
    .addOption(option("--steps <number>", steps, wholeNumber(1, MAX_STEPS)).default(100_000))
    .option("--market <file>", "market definition in JSON (default: the built-in market)")
    .addOption(choice("--preset <name>", "who trades, and how", PRESET_NAMES).default("calm"))
    .addOption(choice("--format <format>", "how to print it", ["text", "json"]).default("text"))
    .action(runSimulate);
}

async function runSimulate(given: SimulateArguments, command: Command): Promise<void> {
  const [, definition] = checkAll(() => checkOptions(command), () => marketFor(given));
  const preset = PRESETS[presetOf(given)];
  const { seed, steps, format } = given;
  const progress = await showProgress(steps, "steps");
  const report = simulate({ seed, steps, preset, definition, onProgress: progress.update });
  progress.stop();
  await (format === "json" ? printJson(JSON.stringify(report)) : print(headlessReportText(report)));
}

/** Throws UsageError with the faults of the market file, also if the preset can't trade on it. */
function marketFor(given: SimulateArguments): MarketDefinition {
  const { market } = given;
  const loaded = market === undefined ? { ok: true as const, definition: builtInMarket() } : loadDefinition(market);
  if (!loaded.ok) throw new UsageError(loaded.faults.map((fault) => oneLine(`${market}: ${fault}`)).join("\n"));
  const faults = populationFaults(PRESETS[presetOf(given)].personas, loaded.definition.users);
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return loaded.definition;
}

/** The preset; calm if the given name is invalid, which checkOptions reports. */
function presetOf({ preset }: SimulateArguments) {
  return isPresetName(preset) ? preset : "calm";
}
