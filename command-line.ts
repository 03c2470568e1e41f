// The command line: composes core, the packs in plugins and the market in sim.

import { Command, CommanderError } from "commander";
import { AzureAuditStore } from "./common/audit/azure/azure-audit-store.ts";
import { ownInvocation } from "./common/own-invocation.ts";
import { didYouMean, oneLine, UsageError } from "./common/command-line.ts";
import { errorText, exitStatusOf } from "./common/exit-status.ts";
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
import { addLicensesCommand } from "./licenses-command.ts";
import { addLoadCommand } from "./load/load-command.ts";
import { PROGRAM } from "./program.ts";
import { WATCH_TOPICS } from "./plugins/monitor/watch-topics.ts";
import { addEngineCommand } from "./sim/commands/engine-command.ts";
import { MARKET_VARIABLES } from "./sim/commands/market-variables.ts";
import { addMergeCommand } from "./sim/commands/merge-command.ts";
import { addReplayCommand } from "./sim/commands/replay-command.ts";
import { addReportCommand } from "./sim/commands/report-command.ts";
import { addSimulateCommand } from "./sim/commands/simulate-command.ts";
import { addSimulatorCommand } from "./sim/commands/simulator-command.ts";
import { addSpotCommand } from "./sim/commands/spot-command.ts";
import { addStrategyTypesCommand } from "./sim/commands/strategy-types-command.ts";

/** For one batch of audit events. */
const AUDIT_WRITE_LIMIT_MS = 30_000;

function buildProgram(): Command {
  const { version } = PROGRAM;
  const invocation = ownInvocation();
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
  addMergeCommand(program);
  addReportCommand(program);
  addStrategyTypesCommand(program);
  addLoadCommand(program, { configureLogging });
  addSpotCommand(program);
  addLicensesCommand(program);
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

/** The store that `--audit azure` adds to an engine's own audit store. */
function azureAuditStore(): AzureAuditStore {
  const storage = tableStorageFrom(process.env, "--audit azure");
  return new AzureAuditStore({ ...storage, now: Date.now, timeLimitMs: AUDIT_WRITE_LIMIT_MS });
}

/** Runs the command that the arguments name, and returns the exit status. */
export function runCommandLine(): Promise<number> {
  return exitStatusOf(async () => {
    readEnvFile();
    try {
      await buildProgram().parseAsync();
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    }
  });
}
