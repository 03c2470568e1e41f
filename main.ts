// The command line, and the one place that ties core, plugins and sim together. Commands that need one of them alone are
// in core/commands and sim/commands; here are serving, which takes the packs, and the demo, which takes everything.
//
// Exit status: 0 done, 1 the work failed, 2 the command line or the configuration is wrong.

import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { AzureAuditStore } from "./common/audit/azure/azure-audit-store.ts";
import { errorLines, port, UsageError, wholeNumber } from "./common/command-line.ts";
import {
  configuredRuntime,
  configureLoggingFrom,
  readEnvFile,
  tableStorageFrom,
  warnOfUnknownVariables,
} from "./core/commands/configured.ts";
import { demoGreeting } from "./sim/demo/demo-greeting.ts";
import { serve } from "./core/commands/serve.ts";
import { addServerCommands } from "./core/commands/server-commands.ts";
import { configureLogging, keepConsoleOffStdout, logger } from "./common/logger.ts";
import { SIMULATION_PRESETS, type SimulationPreset, startSimulationRequest } from "./protocol/index.ts";
import packageJson from "./package.json" with { type: "json" };
import { PACKS } from "./plugins/index.ts";
import { INSTRUCTIONS } from "./plugins/instructions.ts";
import { addEngineCommand } from "./sim/commands/engine-command.ts";
import {
  acceptDataLossOption,
  acceptsDataLoss,
  engineOptions,
  failureOf,
  MARKET_VARIABLES,
  simulatorOptions,
} from "./sim/commands/process-options.ts";
import { addReplayCommand } from "./sim/commands/replay-command.ts";
import { addSimulateCommand } from "./sim/commands/simulate-command.ts";
import { addSimulatorCommand } from "./sim/commands/simulator-command.ts";
import { addSpotCommand } from "./sim/commands/spot-command.ts";
import { BUILT_IN_OPERATOR_ID, builtInMarket } from "./sim/definition/built-in-market.ts";
import { contractsAt } from "./sim/definition/listed-contracts.ts";
import { placeOpeningBook } from "./sim/demo/opening-book.ts";
import { type RunningEngine, startEngine } from "./sim/server/start-engine.ts";
import { embedSimulator } from "./sim/live/embedded-simulator.ts";
import { SimulatorRefusal } from "./sim/live/simulator-refusal.ts";
import type { Simulator } from "./sim/live/simulator.ts";

const PROGRAM = {
  packs: PACKS,
  version: packageJson.version,
  instructions: INSTRUCTIONS,
  marketVariables: MARKET_VARIABLES,
};

/** How long one batch of audit events may take. */
const AUDIT_WRITE_LIMIT_MS = 30_000;

function buildProgram(): Command {
  const { version } = PROGRAM;
  const program = new Command("mkt")
    .description(
      "An MCP server to see and operate an electricity market. Without a command: serve MCP over stdio, or over HTTP where MCP_HTTP_PORT is set.",
    )
    .version(version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .allowExcessArguments(false)
    .action(runServer);
  addDemoCommand(program);
  const configureLogging = () => {
    configureLoggingFrom(process.env);
    warnOfUnknownVariables(process.env, MARKET_VARIABLES);
  };
  addEngineCommand(program, { version, configureLogging, tableStorage: auditTarget });
  addSimulatorCommand(program, { version, configureLogging });
  addServerCommands(program, PROGRAM, invocationOf());
  addReplayCommand(program);
  addSimulateCommand(program);
  addSpotCommand(program);
  return program;
}

async function runServer(): Promise<void> {
  await serve(await configuredRuntime(PROGRAM, process.env));
}

/** Where an engine writes its audit trail to besides. */
function auditTarget(): AzureAuditStore {
  const storage = tableStorageFrom(process.env, "--audit azure");
  return new AzureAuditStore({ ...storage, now: Date.now, timeLimitMs: AUDIT_WRITE_LIMIT_MS });
}

interface DemoArguments {
  readonly port: number;
  readonly stdio?: true;
  readonly enginePort?: number;
  readonly seed: number;
  readonly preset: SimulationPreset;
  readonly speed: number;
  readonly sim: boolean;
  readonly data?: string;
  readonly acceptDataLoss?: true;
}

function addDemoCommand(program: Command): void {
  program.command("demo")
    .description("a whole market in one process: engine and MCP server")
    .addOption(new Option("--port <port>", "MCP over HTTP on this port").argParser(port).default(4087))
    .addOption(new Option("--stdio", "MCP over stdio instead of HTTP"))
    .addOption(
      new Option("--engine-port <port>", "port of the engine (default: 3001, or a free one where it is taken)")
        .argParser(port),
    )
    .addOption(
      new Option("--seed <number>", "seed of the orders the books open with, and of the simulation").argParser(
        wholeNumber,
      ).default(1),
    )
    .addOption(new Option("--preset <name>", "what the simulation is like").choices(SIMULATION_PRESETS).default("calm"))
    .addOption(
      new Option("--speed <factor>", "simulated time in multiples of the clock").argParser(speedFactor).default(1),
    )
    .addOption(new Option("--no-sim", "leave the books empty and the simulator stopped"))
    .addOption(new Option("--data <directory>", "keep the market here, over restarts"))
    .addOption(acceptDataLossOption())
    .action(runDemo);
}

function speedFactor(text: string): number {
  const parsed = startSimulationRequest.shape.speed.safeParse(Number(text));
  if (!parsed.success || parsed.data === undefined) throw new InvalidArgumentError("a number from 0.1 to 1000");
  return parsed.data;
}

async function runDemo(options: DemoArguments): Promise<void> {
  configureLogging("warn");
  const engine = startDemoEngine(options);
  if (options.sim && engine.isNew) placeOpeningBook(engine, options.seed, Date.now());
  const simulator = embedSimulator({ engine, ...simulatorOptions() });
  const address = `127.0.0.1:${engine.port}`;
  const runtime = await configuredRuntime(PROGRAM, {
    LOG_LEVEL: "warn",
    MKT_USER_ID: BUILT_IN_OPERATOR_ID,
    ...withoutEngineVariables(process.env),
    MKT_HOST: address,
    MKT_BASE_URL: `http://${address}`,
    MKT_WS_URL: `ws://${address}/ws`,
    MKT_SIM_URL: undefined,
    MKT_BEARER_TOKEN: engine.ownToken ?? undefined,
    MKT_AUDIT_STORE: "backend",
    MCP_HTTP_PORT: options.stdio ? undefined : String(options.port),
  });
  const { entities, users } = engine.definition;
  const contracts = contractsAt(engine.definition, Date.now());
  const onReady = (url: string | null) => {
    process.stderr.write(demoGreeting({
      version: PROGRAM.version,
      market: { entities: entities.length, users: users.length, contracts: contracts.length },
      engineAddress: address,
      url,
      toolCount: runtime.services.server.toolCount,
      userId: runtime.configuration.backend.userId,
      invocation: invocationOf(),
      simulation: options.sim ? options : null,
    }));
    if (options.sim) void startSimulation(simulator, options);
  };
  try {
    await Promise.race([serve(runtime, { onReady }), failureOf(engine)]);
  } finally {
    await simulator.close();
    await engine.stop();
  }
}

/** The demo's engine has read them already, and nothing else knows them. */
function withoutEngineVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("MKT_ENGINE_")));
}

const SIMULATION_STARTS = 5;
/** Whoever waits for the demo to be up is answered first. */
const SIMULATION_DELAY_MS = 100;

/** Beside the demo: one that does not start, as on a machine that is too busy, is no reason to end it. */
async function startSimulation(simulator: Simulator, { preset, seed, speed }: DemoArguments): Promise<void> {
  await Bun.sleep(SIMULATION_DELAY_MS);
  for (let attempt = 1;; attempt++) {
    try {
      await simulator.start({ preset, seed, speed });
      return;
    } catch (error) {
      if (!(error instanceof SimulatorRefusal)) throw error;
      // The demo ends.
      if (error.code === "stopping") return;
      logger("simulator").warn("the simulation does not start: {reason}", { reason: error.message });
      if (error.code !== "engine_unavailable" || attempt === SIMULATION_STARTS) return;
    }
  }
}

/** The engine's usual port where it is free, so that other processes find it; any other where it is not. */
function startDemoEngine(given: DemoArguments): RunningEngine {
  const { data, enginePort: requestedPort } = given;
  const acceptDataLoss = acceptsDataLoss(given);
  const options = { ...engineOptions(builtInMarket(), "127.0.0.1"), data, acceptDataLoss };
  const start = (enginePort: number) => startEngine({ ...options, port: enginePort });
  if (requestedPort !== undefined) return start(requestedPort);
  try {
    return start(3001);
  } catch (error) {
    logger("demo").debug("{error}; taking a free port", { error: (error as Error).message });
    return start(0);
  }
}

/** How to start this program again: the compiled executable itself, or the runtime with this file. */
function invocationOf() {
  const compiled = import.meta.path.startsWith("/$bunfs/") || import.meta.path.includes("~BUN");
  return compiled ? { command: process.execPath, args: [] } : { command: process.execPath, args: [import.meta.path] };
}

/** Errors are one line each on stderr, never a stack trace. */
async function main(): Promise<number> {
  keepConsoleOffStdout();
  try {
    readEnvFile();
    await buildProgram().parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(errorLines(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exit(await main());
