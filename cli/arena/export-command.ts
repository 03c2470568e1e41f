// `mkt arena export`: episodes as tasks for other harnesses, a folder for each scenario and seed.

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { taskFiles } from "../../arena/harbor/task-files.ts";
import { briefOf } from "../../arena/start-episode.ts";
import type { Scenario } from "../../arena/scenario/scenario.ts";
import { UsageError } from "../../common/command-line.ts";
import { fileErrorReason } from "../../common/file-error.ts";
import { checkOptions, choice } from "../../common/options.ts";
import { printNote } from "../../common/output.ts";
import { seedsFromText } from "../../sim/experiment/seeds.ts";

interface ExportOptions {
  readonly format: "harbor";
  readonly seeds: string;
  readonly out: string;
}

const DEFAULT_SEEDS = "1..10";
const TOKEN_BYTES = 24;
const RUNNABLE = 0o755;

export function addExportCommand(
  arena: Command,
  version: string,
  findScenarios: (names: readonly string[]) => readonly Scenario[],
): void {
  arena.command("export")
    .description("episodes as tasks for other harnesses: a new folder for each scenario and seed")
    .argument("[scenario...]", "names, or paths of files; default: all built-in ones")
    .addOption(choice("--format <format>", "of the folders (default: harbor)", ["harbor"]))
    .option("--seeds <seeds>", "such as 1..40 or 1,5,9..12", DEFAULT_SEEDS)
    .requiredOption("--out <folder>", "for the folders, SCENARIO-SEED")
    .action((names: readonly string[], given: ExportOptions, self: Command) => {
      checkOptions(self);
      const seeds = seedsFromText(given.seeds);
      if (!seeds.ok) throw new UsageError(`--seeds: ${seeds.fault}`);
      const tasks = findScenarios(names).flatMap((scenario) => seeds.seeds.map((seed) => ({ scenario, seed })));
      for (const { scenario, seed } of tasks) {
        const judgeToken = randomBytes(TOKEN_BYTES).toString("hex");
        const files = taskFiles({ scenario, seed, brief: briefOf(scenario, seed), version, judgeToken });
        writeTask(join(given.out, `${scenario.name}-${seed}`), files);
      }
      printNote(`mkt: ${tasks.length} tasks are in ${given.out}`);
    });
}

/** Throws an Error of one line if there is such a folder, or if a file can't be made. */
function writeTask(folder: string, files: ReadonlyMap<string, string>): void {
  if (existsSync(folder)) throw new Error(`${folder}: exists already: choose another --out`);
  try {
    for (const [name, text] of files) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      if (name.endsWith(".sh")) chmodSync(path, RUNNABLE);
    }
  } catch (error) {
    throw new Error(`${folder}: ${fileErrorReason(error)}`, { cause: error });
  }
}
