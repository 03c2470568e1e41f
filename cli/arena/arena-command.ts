// `mkt arena`: exams for trading agents.

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { builtInScenarios, readScenario } from "../../arena/scenario/read-scenario.ts";
import type { Scenario } from "../../arena/scenario/scenario.ts";
import { recordsIn } from "../../arena/record/records-in.ts";
import { verify } from "../../arena/record/verify.ts";
import { readSeedKey, type SeedKey } from "../../arena/scenario/seed-key.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import { choiceFault, UsageError } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { print, printJson } from "../../common/output.ts";
import type { Program } from "../../core/runtime.ts";
import { addExportCommand } from "./export-command.ts";
import { addReportCommands } from "./report-commands.ts";
import { addRunCommand } from "./run-command.ts";
import { addServeCommand } from "./serve-command.ts";

interface ArenaCommandOptions {
  readonly program: Program;
  readonly configureLogging: () => void;
}

export function addArenaCommand(command: Command, { program, configureLogging }: ArenaCommandOptions): void {
  const tools = program.packs.flatMap((pack) => pack.tools.map(({ name }) => name));
  const arena = command.command("arena").helpCommand(false).description(
    "exams for trading agents, in a market of their own that stands still between calls",
  );
  arena.command("scenarios")
    .description("the built-in scenarios: name, kind, grade and title")
    .option("--json", "as JSON")
    .action(({ json }: { readonly json?: true }) => {
      const all = builtInScenarios(tools);
      return json ? printJson(JSON.stringify(all.map(summaryOf), null, 2)) : print(tableOf(all));
    });
  arena.command("show")
    .description("a scenario as its file says it")
    .argument("<scenario>", "a name, or the path of a file")
    .action((name: string) => printJson(JSON.stringify(scenarioNamed(name, tools), null, 2)));
  const findScenarios = (names: readonly string[]) =>
    names.length === 0 ? builtInScenarios(tools) : names.map((name) => scenarioNamed(name, tools));
  addServeCommand(arena, { program, configureLogging, findScenarios });
  addRunCommand(arena, program, findScenarios);
  addExportCommand(arena, program.version, findScenarios);
  arena.command("verify")
    .description("play the calls of records again; exit 1 unless every answer and the result come out byte for byte")
    .argument("<folder...>", "of records, or such as the folder of a run")
    .option("--seed-key <file>", "the secret from which the seeds follow")
    .action(async (folders: readonly string[], { seedKey }: { readonly seedKey?: string }) => {
      await loadSolver();
      const key = seedKey === undefined ? null : readSeedKey(seedKey);
      for (const folder of folders.flatMap(recordsIn)) await reportVerification(folder, program, key);
    });
  addReportCommands(arena, program);
}

async function reportVerification(folder: string, program: Program, key: SeedKey | null): Promise<void> {
  const { result: { scenario, seed, agent, calls }, difference } = await verify(folder, program, key);
  const what = `${folder}: ${scenario}, seed ${seed}, ${agent}`;
  if (difference !== null) process.exitCode = 1;
  await print(difference === null ? `${what}: all ${calls} calls come out the same` : `${what}: ${difference}`);
}

function summaryOf({ name, kind, grade, title, minutes }: Scenario) {
  return { name, kind, grade, title, minutes };
}

function tableOf(scenarios: readonly Scenario[]): string {
  const widthOf = (column: "name" | "kind") => Math.max(...scenarios.map((each) => each[column].length));
  const [names, kinds] = [widthOf("name"), widthOf("kind")];
  return scenarios.map(({ name, kind, grade, title }) =>
    `${name.padEnd(names)}  ${kind.padEnd(kinds)}  grade ${grade}  ${title}`
  ).join("\n");
}

/** Throws UsageError with every fault. */
function scenarioNamed(name: string, tools: readonly string[]): Scenario {
  const builtIn = builtInScenarios(tools);
  const found = builtIn.find((each) => each.name === name);
  if (found !== undefined) return found;
  if (!/[./\\]/.test(name)) throw new UsageError(`scenario: ${choiceFault(name, builtIn.map((each) => each.name))}`);
  const read = readScenario(jsonIn(name), tools);
  if (!read.ok) throw new UsageError(read.faults.map((fault) => `${name}: ${fault}`).join("\n"));
  return read.scenario;
}

/** Throws UsageError. */
function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`${path}: can't be read as JSON: ${errorMessage(error)}`);
  }
}
