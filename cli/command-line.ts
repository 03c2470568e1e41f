// The command line: composes core, the packs in plugins and the market in sim.
//
// Only the command that the first argument names is loaded: `mkt engine` needs no packs, and `mkt health` needs nothing else.
// To load all of them takes longer than most commands take. The help and the error for an unknown name need them all.

import { Command, CommanderError } from "commander";
import { didYouMean, oneLine, UsageError } from "../common/command-line.ts";
import { errorText, exitStatusOf } from "../common/exit-status.ts";
import { lastingInvocation, ownInvocation } from "../common/own-invocation.ts";
import { ENVIRONMENT, loadEnvFile } from "../core/config/env-file.ts";
import packageJson from "../package.json" with { type: "json" };

const { version } = packageJson;
/** For one batch of audit events. */
const AUDIT_WRITE_LIMIT_MS = 30_000;

/** What adds a command, by its name, in the order of the help. */
const COMMANDS: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  async demo(program) {
    const { addDemoCommand } = await import("./market/demo.ts");
    addDemoCommand(program, await builtIn(), await invocation());
  },
  async engine(program) {
    const { addEngineCommand } = await import("./market/engine-command.ts");
    const { AzureAuditStore } = await import("../common/audit/azure/azure-audit-store.ts");
    const { tableStorageFrom } = await import("./configured.ts");
    /** The store that `--audit azure` adds to an engine's own audit store. */
    const tableStorage = () => {
      const storage = tableStorageFrom(ENVIRONMENT, "--audit azure");
      return new AzureAuditStore({ ...storage, now: Date.now, timeLimitMs: AUDIT_WRITE_LIMIT_MS });
    };
    addEngineCommand(program, { version, configureLogging: await logging(), tableStorage });
  },
  async sim(program) {
    const { addSimulatorCommand } = await import("./market/simulator-command.ts");
    addSimulatorCommand(program, { version, configureLogging: await logging() });
  },
  backup: addBackups,
  restore: addBackups,
  async "accept-clock"(program) {
    const { addClockCommand } = await import("./market/clock-command.ts");
    const { backendFrom } = await import("./configured.ts");
    addClockCommand(program, () => backendFrom(ENVIRONMENT));
  },
  health: async (program) => (await import("./server/health.ts")).addHealthCommand(program),
  tools: addServing,
  packs: addServing,
  call: addServing,
  doctor: addServing,
  "client-config": addServing,
  freeze: addServing,
  thaw: addServing,
  "pack-types": async (program) => (await import("./types-commands.ts")).addPackTypesCommand(program),
  async watch(program) {
    const { addWatchCommand } = await import("./server/watch-command.ts");
    const { WATCH_TOPICS } = await import("../plugins/monitor/watch-topics.ts");
    addWatchCommand(program, await builtIn(), WATCH_TOPICS);
  },
  async arena(program) {
    const { addArenaCommand } = await import("./arena/arena-command.ts");
    addArenaCommand(program, { program: await builtIn(), configureLogging: await logging() });
  },
  replay: async (program) => (await import("./simulation/replay-command.ts")).addReplayCommand(program),
  simulate: async (program) => (await import("./simulation/simulate-command.ts")).addSimulateCommand(program),
  merge: async (program) => (await import("./simulation/merge-command.ts")).addMergeCommand(program),
  report: async (program) => (await import("./simulation/report-command.ts")).addReportCommand(program),
  "strategy-types": async (program) => (await import("./types-commands.ts")).addStrategyTypesCommand(program),
  async load(program) {
    const { addLoadCommand } = await import("./load-command.ts");
    addLoadCommand(program, await logging());
  },
  spot: async (program) => (await import("./simulation/spot-command.ts")).addSpotCommand(program),
  licenses: async (program) => (await import("./licenses-command.ts")).addLicensesCommand(program),
};

async function addBackups(program: Command): Promise<void> {
  const { addBackupCommands } = await import("./market/backup-command.ts");
  const { backendFrom } = await import("./configured.ts");
  addBackupCommands(program, () => backendFrom(ENVIRONMENT));
}

async function addServing(program: Command): Promise<void> {
  const { addServerCommands } = await import("./server-commands.ts");
  addServerCommands(program, await builtIn(), await invocation());
}

/** How a user or a client starts mkt. */
async function invocation() {
  const { NPM_PACKAGE } = await import("../packaging/identity.ts");
  return lastingInvocation(ownInvocation(), NPM_PACKAGE);
}

async function builtIn() {
  return (await import("./program.ts")).PROGRAM;
}

/** Sets up logging from the environment, for commands that are no MCP server. */
async function logging(): Promise<() => void> {
  const { configureLoggingFrom, checkUnknownVariables } = await import("./configured.ts");
  const { MARKET_VARIABLES } = await import("./market/market-variables.ts");
  return () => {
    configureLoggingFrom(ENVIRONMENT);
    checkUnknownVariables(ENVIRONMENT, MARKET_VARIABLES);
  };
}

/** With all commands, unless `first`, the first argument, names one or is absent. */
async function buildProgram(first: string | undefined): Promise<Command> {
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
  for (const add of neededFor(first)) await add(program);
  program.command("help")
    .description("the options of a command")
    .argument("[command]")
    .action((name: string | undefined) => name === undefined ? program.outputHelp() : helpOn(program, name));
  // Set last: a command inherits this when it is added.
  return program.allowExcessArguments();
}

function neededFor(first: string | undefined) {
  if (first === undefined || first === "--version" || first === "-V") return [];
  const add = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  return add === undefined ? new Set(Object.values(COMMANDS)) : [add];
}

/** An unknown command gets here, too, as an argument. */
async function serveOrRefuse(_options: unknown, program: Command): Promise<void> {
  const [unknown] = program.args;
  if (unknown !== undefined) throw unknownCommand(program, unknown);
  const { configuredRuntime } = await import("./configured.ts");
  const { serve } = await import("./server/serve.ts");
  await serve(await configuredRuntime(await builtIn(), ENVIRONMENT));
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

/** Runs the command that the arguments name, and returns the exit status. */
export function runCommandLine(): Promise<number> {
  return exitStatusOf(async () => {
    const fault = loadEnvFile();
    if (fault !== null) throw new UsageError(`${fault.variable}: ${fault.message}`);
    try {
      await (await buildProgram(process.argv[2])).parseAsync();
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    }
  });
}
