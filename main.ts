// The program: composes core, the packs in plugins and the market in sim into one command line.
//
// Exit status: 0 success, 1 the work failed, 2 the command line or the configuration is invalid.

import { Command, CommanderError } from "commander";
import { AzureAuditStore } from "./common/audit/azure/azure-audit-store.ts";
import { didYouMean, errorLines, oneLine, UsageError } from "./common/command-line.ts";
import { keepConsoleOffStdout } from "./common/logger.ts";
import { coloured, OutputClosed } from "./common/output.ts";
import {
  configuredRuntime,
  configureLoggingFrom,
  readEnvFile,
  tableStorageFrom,
  warnOfUnknownVariables,
} from "./core/commands/configured.ts";
import { serve } from "./core/commands/serve.ts";
import { addServerCommands } from "./core/commands/server-commands.ts";
import { addWatchCommand } from "./core/commands/watch-command.ts";
import { addDemoCommand } from "./demo.ts";
import packageJson from "./package.json" with { type: "json" };
import { PACKS } from "./plugins/index.ts";
import { INSTRUCTIONS } from "./plugins/instructions.ts";
import { WATCH_TOPICS } from "./plugins/monitor/watch-topics.ts";
import { addEngineCommand } from "./sim/commands/engine-command.ts";
import { MARKET_VARIABLES } from "./sim/commands/process-options.ts";
import { addReplayCommand } from "./sim/commands/replay-command.ts";
import { addSimulateCommand } from "./sim/commands/simulate-command.ts";
import { addSimulatorCommand } from "./sim/commands/simulator-command.ts";
import { addSpotCommand } from "./sim/commands/spot-command.ts";

const PROGRAM = {
  packs: PACKS,
  version: packageJson.version,
  instructions: INSTRUCTIONS,
  marketVariables: MARKET_VARIABLES,
};

/** For one batch of audit events. */
const AUDIT_WRITE_LIMIT_MS = 30_000;

function buildProgram(): Command {
  const { version } = PROGRAM;
  const invocation = invocationOf();
  const program = new Command("mkt")
    .description(
      "An MCP server to see and operate an electricity market. Without a command: serve MCP over stdio, or over HTTP if MCP_HTTP_PORT is set.",
    )
    .version(version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, writeError) => writeError(errorText(syntaxErrorLines(text))) })
    .helpCommand(false)
    .allowExcessArguments(false)
    .action(serveOrRefuse);
  addDemoCommand(program, PROGRAM, invocation);
  const configureLogging = () => {
    configureLoggingFrom(process.env);
    warnOfUnknownVariables(process.env, MARKET_VARIABLES);
  };
  addEngineCommand(program, { version, configureLogging, tableStorage: azureAuditStore });
  addSimulatorCommand(program, { version, configureLogging });
  addServerCommands(program, PROGRAM, invocation);
  addWatchCommand(program, PROGRAM, WATCH_TOPICS);
  addReplayCommand(program);
  addSimulateCommand(program);
  addSpotCommand(program);
  program.command("help")
    .description("the options of a command")
    .argument("[command]")
    .action((name: string | undefined) => name === undefined ? program.outputHelp() : helpOn(program, name));
  // Set last: a command inherits this when it is added.
  return program.allowExcessArguments();
}

/** An unknown command gets here, too, as an argument. */
async function serveOrRefuse(_options: unknown, program: Command): Promise<void> {
  const [unknown] = program.args;
  if (unknown === undefined) await serve(await configuredRuntime(PROGRAM, process.env));
  else throw unknownCommand(program, unknown);
}

function helpOn(program: Command, name: string): void {
  const command = program.commands.find((command) => command.name() === name);
  if (command === undefined) throw unknownCommand(program, name);
  command.outputHelp();
}

function unknownCommand(program: Command, unknown: string): UsageError {
  const names = program.commands.map((command) => command.name());
  return new UsageError(`there is no command ${unknown}${didYouMean(unknown, names)}; mkt --help lists the commands`);
}

/** The lines of an error of commander. Its suggestion is part of the line before it. */
function syntaxErrorLines(text: string): string[] {
  return text.trim().replace(/^error: /, "").replace(/\.?\n\(Did/, " (did").split("\n").map(oneLine);
}

function errorText(lines: readonly string[]): string {
  return lines.map((line) => `${coloured("mkt:", "red", process.stderr)} ${line}\n`).join("");
}

/** The store that `--audit azure` adds to an engine's own audit store. */
function azureAuditStore(): AzureAuditStore {
  const storage = tableStorageFrom(process.env, "--audit azure");
  return new AzureAuditStore({ ...storage, now: Date.now, timeLimitMs: AUDIT_WRITE_LIMIT_MS });
}

/** How to start this program again: the compiled executable, or the runtime with this file. */
function invocationOf() {
  const compiled = import.meta.path.startsWith("/$bunfs/") || import.meta.path.includes("~BUN");
  return { command: process.execPath, args: compiled ? [] : [import.meta.path] };
}

/** Prints errors on stderr, one line each, without a stack trace. */
async function main(): Promise<number> {
  keepConsoleOffStdout();
  try {
    readEnvFile();
    await buildProgram().parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof OutputClosed) return Number(process.exitCode ?? 0);
    process.stderr.write(errorText(errorLines(error)));
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exit(await main());
