// The command line, and the one place that ties core, plugins and sim together.
//
// Exit status: 0 done, 1 the work failed, 2 the command line or the configuration is wrong.

import { resolve } from "node:path";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { tableStorageOf } from "./core/audit/audit-reader.ts";
import { AzureAuditStore } from "./core/audit/azure/azure-audit-store.ts";
import { callTool } from "./core/commands/call-tool.ts";
import { type Client, clientConfiguration, CLIENTS } from "./core/commands/client-config.ts";
import { demoGreeting } from "./core/commands/demo-greeting.ts";
import { examine, findingsAsText } from "./core/commands/doctor.ts";
import { freeze, thaw } from "./core/commands/freeze.ts";
import { toolsAsJson, toolsAsText } from "./core/commands/list-tools.ts";
import { serve, untilSignal } from "./core/commands/serve.ts";
import type { Configuration } from "./core/config/configuration.ts";
import { loadEnvFile } from "./core/config/env-file.ts";
import {
  type ConfigurationFault,
  type Environment,
  readConfiguration,
  readFreezeFile,
} from "./core/config/environment.ts";
import { configureLogging, keepConsoleOffStdout, logger } from "./core/logger.ts";
import { PATHS, SIMULATION_PRESETS, type SimulationPreset, startSimulationRequest } from "./core/protocol/index.ts";
import { createRuntime, type Runtime } from "./core/runtime.ts";
import packageJson from "./package.json" with { type: "json" };
import dev from "./plugins/dev/index.ts";
import monitor from "./plugins/monitor/index.ts";
import mutation from "./plugins/mutation/index.ts";
import query from "./plugins/query/index.ts";
import sim from "./plugins/sim/index.ts";
import { CAPACITY_IN_MEMORY } from "./sim/audit/sqlite-audit-store.ts";
import { BUILT_IN_OPERATOR_ID, BUILT_IN_SIMULATOR_ID, builtInMarket } from "./sim/definition/built-in-market.ts";
import { loadDefinition } from "./sim/definition/load-definition.ts";
import type { MarketDefinition } from "./sim/definition/market-definition.ts";
import { placeOpeningBook } from "./sim/demo/opening-book.ts";
import { type RunningEngine, startEngine } from "./sim/face/run-engine.ts";
import { simulationAsText } from "./sim/headless/report-as-text.ts";
import { BUILT_IN_AS_OF, simulate, simulationFaults } from "./sim/headless/simulate.ts";
import { type GivenArguments, readSimulationArguments } from "./sim/headless/simulation-arguments.ts";
import { showProgress } from "./sim/replay/progress.ts";
import { reportAsText } from "./sim/replay/report.ts";
import { replayLobsterFiles, replayOpsFile } from "./sim/replay/run-replay.ts";
import { hostSimulator } from "./sim/simulator/host-simulator.ts";
import { serveSimulator } from "./sim/simulator/serve-simulator.ts";
import { SimulatorRefusal } from "./sim/simulator/simulator-refusal.ts";
import type { Simulator } from "./sim/simulator/simulator.ts";
import { priceListing, readListing } from "./sim/spot/price-listing.ts";

const PACKS = [query, mutation, monitor, sim, dev];
const VERSION = packageJson.version;

/** The command line or the configuration is wrong. */
class UsageError extends Error {}

function buildProgram(): Command {
  const program = new Command("mkt")
    .description(
      "An MCP server to see and operate an electricity market. Without a command: serve MCP over stdio, or over HTTP where MCP_HTTP_PORT is set.",
    )
    .version(VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .allowExcessArguments(false)
    .action(runServer);
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
    .action(runDemo);
  program.command("engine")
    .description("the engine alone, as the backend of other processes; without --data nothing outlives it")
    .addOption(new Option("--port <port>", "port to listen on").argParser(port).default(3001))
    .addOption(new Option("--host <address>", "address to listen on").default("127.0.0.1"))
    .addOption(new Option("--market <file>", "another market than the built-in one (JSON)"))
    .addOption(new Option("--data <directory>", "keep the market here, over restarts"))
    .addOption(
      new Option("--audit <store>", "write the audit trail to table storage too (STORAGE_TABLE_ENDPOINT, ...)")
        .choices(["azure"]),
    )
    .action(runEngine);
  program.command("sim")
    .description("the simulator alone, against any engine that speaks the protocol")
    .requiredOption("--backend <url>", "WebSocket of the engine, for example ws://127.0.0.1:3001/ws", webSocketUrl)
    .addOption(new Option("--port <port>", "port of the control face").argParser(port).default(3002))
    .addOption(new Option("--host <address>", "address to listen on").default("127.0.0.1"))
    .action(runSimulator);
  program.command("tools")
    .description("the tools that this configuration offers, by pack")
    .option("--json", "as JSON, with their schemas")
    .action(runTools);
  program.command("call")
    .description("connect, call one tool, print its result as JSON; exit 1 on a tool error")
    .argument("<tool>", "name of the tool")
    .argument("[json]", "its arguments, as a JSON object", "{}")
    .action(runCall);
  program.command("doctor")
    .description("check configuration, backend, storage and Redis: one line each, with the fix")
    .action(runDoctor);
  program.command("client-config")
    .description("print the configuration for an MCP client")
    .addArgument(new Argument("<client>", "the client").choices(CLIENTS))
    .action(runClientConfig);
  program.command("freeze")
    .description("the kill switch: servers with this MKT_FREEZE_FILE refuse every change from their next call on")
    .argument("[reason...]", "why, for whoever is refused")
    .action(runFreeze);
  program.command("thaw")
    .description("end what mkt freeze began")
    .action(runThaw);
  program.command("replay")
    .description("play recorded order flow into a book of the engine, and count what comes out")
    .argument("[file]", "the file of operations or messages, as --messages")
    .addOption(
      new Option("--format <format>", "layout of the file (default: ops, or lobster with --book)").choices(
        REPLAY_FORMATS,
      ),
    )
    .option("--messages <file>", "the file of operations (ops) or messages (lobster)")
    .option("--book <file>", "lobster: the book after each message")
    .addOption(new Option("--levels <number>", "lobster: levels a side in the book file").argParser(atLeastOne))
    .option("--book-out <file>", "lobster: write the book's own rows there")
    .option("--json", "as JSON")
    .action(runReplay);
  program.command("simulate")
    .description("a headless simulation at full speed; prints its metrics")
    .option("--seed <number>", "seed of all that is random (default: 1)")
    .option("--steps <number>", "how often a trader is woken, in all (default: 100000)")
    .option("--market <file>", "another market than the built-in one (JSON)")
    .option("--preset <name>", "who trades, and how (default: calm)")
    .option("--format <format>", "text or json (default: text)")
    .action(runSimulate);
  program.command("spot")
    .description("the simulated spot prices of two nodes, hour by hour, as fast as they can be computed")
    .option("--seed <number>", "seed of the prices: one seed, one history")
    .option("--hours <number>", "how many hours")
    .option("--format <format>", "table to read, or csv with cents/MWh (default: table)")
    .action(runSpot);
  return program;
}

async function runServer(): Promise<void> {
  const runtime = await runtimeFor(process.env);
  await serve(runtime);
}

interface DemoOptions {
  readonly port: number;
  readonly stdio?: true;
  readonly enginePort?: number;
  readonly seed: number;
  readonly preset: SimulationPreset;
  readonly speed: number;
  readonly sim: boolean;
  readonly data?: string;
}

async function runDemo(options: DemoOptions): Promise<void> {
  configureLogging("warn");
  const engine = startDemoEngine(options);
  if (options.sim && engine.isNew) placeOpeningBook(engine, options.seed, Date.now());
  const simulator = hostSimulator({ engine, ...simulatorOptions() });
  const address = `127.0.0.1:${engine.port}`;
  const runtime = await runtimeFor({
    LOG_LEVEL: "warn",
    MKT_USER_ID: BUILT_IN_OPERATOR_ID,
    ...process.env,
    MKT_HOST: address,
    MKT_BASE_URL: `http://${address}`,
    MKT_WS_URL: `ws://${address}/ws`,
    MKT_SIM_URL: undefined,
    MKT_AUDIT_STORE: "backend",
    MCP_HTTP_PORT: options.stdio ? undefined : String(options.port),
  });
  const { entities, users, contracts } = engine.definition;
  const onReady = (url: string | null) => {
    process.stderr.write(demoGreeting({
      version: VERSION,
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

/** Beside the demo: one that does not start is no reason to end it. */
async function startSimulation(simulator: Simulator, { preset, seed, speed }: DemoOptions): Promise<void> {
  try {
    await simulator.start({ preset, seed, speed });
  } catch (error) {
    if (!(error instanceof SimulatorRefusal)) throw error;
    logger("simulator").warn("the simulation does not run: {reason}", { reason: error.message });
  }
}

/** Rejects once the engine can't go on. */
async function failureOf(engine: RunningEngine): Promise<never> {
  throw await engine.failed;
}

/** The engine's usual port where it is free, so that other processes find it; any other where it is not. */
function startDemoEngine({ data, enginePort: requestedPort }: DemoOptions): RunningEngine {
  const options = { ...engineOptions(builtInMarket(Date.now())), host: "127.0.0.1", data };
  const start = (enginePort: number) => startEngine({ ...options, port: enginePort });
  if (requestedPort !== undefined) return start(requestedPort);
  try {
    return start(3001);
  } catch (error) {
    logger("demo").debug("{error}; taking a free port", { error: (error as Error).message });
    return start(0);
  }
}

function engineOptions(definition: MarketDefinition) {
  return {
    definition,
    token: process.env["MKT_BEARER_TOKEN"] || null,
    secret: process.env["STRESS_TEST_SECRET"] || null,
    log: logger("engine"),
    now: Date.now,
  };
}

function simulatorOptions() {
  return { token: process.env["MKT_BEARER_TOKEN"] || null, log: logger("simulator"), now: Date.now };
}

interface SimulatorCommandOptions {
  readonly backend: string;
  readonly port: number;
  readonly host: string;
}

async function runSimulator({ backend, port, host }: SimulatorCommandOptions): Promise<void> {
  configureLogging(logLevelOf(process.env));
  const stopped = untilSignal();
  const userId = process.env["MKT_USER_ID"] || BUILT_IN_SIMULATOR_ID;
  const served = serveSimulator({ ...simulatorOptions(), backend, userId, host, port });
  process.stderr.write(`mkt ${VERSION} sim: ${served.url}, trading on ${backend}\n`);
  await stopped;
  await served.stop();
}

interface EngineCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly market?: string;
  readonly data?: string;
  readonly audit?: "azure";
}

async function runEngine({ port, host, market, data, audit }: EngineCommandOptions): Promise<void> {
  configureLogging(logLevelOf(process.env));
  const auditTarget = audit === undefined ? null : tableStorage(process.env);
  const definition = market === undefined ? builtInMarket(Date.now()) : definitionFrom(market);
  const stopped = untilSignal();
  const mustMatch = market !== undefined;
  const engine = startEngine({ ...engineOptions(definition), host, port, data, mustMatch, auditTarget });
  const simulator = hostSimulator({ engine, ...simulatorOptions() });
  process.stderr.write(`mkt ${VERSION} engine: ${engine.url}, ${engine.webSocketUrl}\n`);
  if (auditTarget !== null && data === undefined) {
    process.stderr.write(
      `mkt: without --data, audit events wait for table storage in memory: the newest ${CAPACITY_IN_MEMORY}, until the end\n`,
    );
  }
  try {
    await Promise.race([stopped, failureOf(engine)]);
  } finally {
    await simulator.close();
    await engine.stop();
  }
}

/** How long one batch of audit events may take. */
const AUDIT_WRITE_LIMIT_MS = 30_000;

/** Throws UsageError where table storage is not configured. */
function tableStorage(environment: Environment): AzureAuditStore {
  const storage = tableStorageOf(configurationFrom({ ...environment, MKT_HOST: "localhost", MKT_USER_ID: "engine" }));
  if (storage !== null) return new AzureAuditStore({ ...storage, now: Date.now, timeLimitMs: AUDIT_WRITE_LIMIT_MS });
  const missing = ["STORAGE_TABLE_ENDPOINT", "STORAGE_ACCOUNT_NAME"].filter((name) => !environment[name]);
  throw new UsageError(missing.map((name) => `${name}: is required for --audit azure`).join("\n"));
}

type ReplayFormat = "ops" | "lobster";
const REPLAY_FORMATS: readonly ReplayFormat[] = ["ops", "lobster"];

interface ReplayOptions {
  readonly format?: ReplayFormat;
  readonly messages?: string;
  readonly book?: string;
  readonly levels?: number;
  readonly bookOut?: string;
  readonly json?: true;
}

async function runReplay(file: string | undefined, options: ReplayOptions): Promise<void> {
  const outcome = await replay(file, options);
  if (!outcome.ok) throw new Error(outcome.fault);
  await print(options.json ? JSON.stringify(outcome.report) : reportAsText({ ...outcome.report }));
}

function replay(file: string | undefined, options: ReplayOptions) {
  const { messages = file, book, levels, bookOut } = options;
  const format = options.format ?? (book === undefined ? "ops" : "lobster");
  if (messages === undefined) throw new UsageError("--messages: which file is to be played?");
  if (file !== undefined && file !== messages) throw new UsageError("--messages: another file is named already");
  if (format === "ops") {
    if (book === undefined && levels === undefined && bookOut === undefined) {
      return replayOpsFile(messages, () => performance.now());
    }
    throw new UsageError("--book, --levels and --book-out go with --format lobster");
  }
  if (book === undefined) throw new UsageError("--book: the book after each message is needed");
  if (levels === undefined) throw new UsageError("--levels: how many levels a side does the book file have?");
  if (bookOut !== undefined && [messages, book].some((input) => resolve(input) === resolve(bookOut))) {
    throw new UsageError("--book-out: would overwrite what is to be read");
  }
  return replayLobsterFiles({ messages, book, levels, bookOut });
}

interface SimulateOptions extends GivenArguments {
  readonly market?: string;
}

async function runSimulate({ market, ...given }: SimulateOptions): Promise<void> {
  const read = readSimulationArguments(given);
  const faults = read.ok ? [] : [...read.faults];
  const loaded = market === undefined
    ? { ok: true as const, definition: builtInMarket(BUILT_IN_AS_OF) }
    : loadDefinition(market);
  if (!loaded.ok) faults.push(...loaded.faults.map((fault) => `${market}: ${fault}`));
  else if (read.ok) faults.push(...simulationFaults(loaded.definition, read.arguments.preset));
  if (!read.ok || !loaded.ok || faults.length > 0) throw new UsageError(faults.join("\n"));

  const { steps, format } = read.arguments;
  const progress = await showProgress(steps, "steps");
  const report = simulate({ ...read.arguments, definition: loaded.definition, onProgress: progress.update });
  progress.stop();
  await print(format === "json" ? JSON.stringify(report) : simulationAsText(report));
}

async function runSpot(options: { seed?: string; hours?: string; format?: string }): Promise<void> {
  const read = readListing(options);
  if (!read.ok) throw new UsageError(read.faults.join("\n"));
  const writer = Bun.stdout.writer();
  try {
    for (const piece of priceListing(read.listing)) {
      writer.write(piece);
      await writer.flush();
    }
  } catch (error) {
    // Whoever reads has seen enough, as `head` does.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

function definitionFrom(path: string): MarketDefinition {
  const loaded = loadDefinition(path);
  if (loaded.ok) return loaded.definition;
  throw new UsageError(loaded.faults.map((fault) => `${path}: ${fault}`).join("\n"));
}

async function runTools(options: { json?: true }): Promise<void> {
  const runtime = await runtimeFor({ MKT_HOST: "localhost:3001", MKT_USER_ID: "nobody", ...process.env });
  await print(options.json ? toolsAsJson(runtime) : toolsAsText(runtime));
}

async function runCall(tool: string, json: string): Promise<void> {
  const input = parseObject(json);
  const runtime = await runtimeFor(process.env);
  try {
    const { text, failed } = await callTool(runtime, tool, input);
    await print(text);
    if (failed) process.exitCode = 1;
  } finally {
    await runtime.close();
  }
}

async function runDoctor(): Promise<void> {
  const runtime = await runtimeFor(process.env);
  const findings = await examine(runtime);
  await runtime.close();
  await print(findingsAsText(findings));
  if (findings.some(({ state }) => state === "failed")) process.exitCode = 1;
}

async function runClientConfig(client: Client): Promise<void> {
  const { text, note } = clientConfiguration(client, invocationOf(), process.env);
  process.stderr.write(`${note}\n`);
  await print(text);
}

async function runFreeze(reason: readonly string[]): Promise<void> {
  await print(freeze(freezePath(), reason.join(" ")));
}

async function runThaw(): Promise<void> {
  await print(thaw(freezePath()));
}

function freezePath(): string {
  const read = readFreezeFile(process.env);
  if ("path" in read) return read.path;
  throw new UsageError(describeFaults([read]));
}

/** Throws UsageError with every fault of the configuration at once. */
async function runtimeFor(environment: Environment): Promise<Runtime> {
  const configuration = configurationFrom(environment);
  configureLogging(configuration.logLevel);
  const runtime = await createRuntime(configuration, PACKS, VERSION);
  if (runtime.unknownNames.length === 0) return runtime;
  throw new UsageError(`MKT_PACKS: there is no pack ${runtime.unknownNames.join(", ")}`);
}

function configurationFrom(environment: Environment): Configuration {
  const result = readConfiguration(environment);
  if (result.ok) return result.configuration;
  throw new UsageError(describeFaults(result.faults));
}

function describeFaults(faults: readonly ConfigurationFault[]): string {
  return faults.map(({ variable, message }) => `${variable}: ${message}`).join("\n");
}

function logLevelOf(environment: Environment): Configuration["logLevel"] {
  return configurationFrom({ MKT_HOST: "localhost", MKT_USER_ID: "engine", LOG_LEVEL: environment["LOG_LEVEL"] })
    .logLevel;
}

/** How to start this program again: the compiled executable itself, or the runtime with this file. */
function invocationOf() {
  const compiled = import.meta.path.startsWith("/$bunfs/") || import.meta.path.includes("~BUN");
  return compiled ? { command: process.execPath, args: [] } : { command: process.execPath, args: [import.meta.path] };
}

function parseObject(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`the arguments are not JSON: ${(error as Error).message}`);
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("a whole number from 0 to 999999999");
  return Number(text);
}

function speedFactor(text: string): number {
  const parsed = startSimulationRequest.shape.speed.safeParse(Number(text));
  if (!parsed.success || parsed.data === undefined) throw new InvalidArgumentError("a number from 0.1 to 1000");
  return parsed.data;
}

function webSocketUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["ws:", "wss:"].includes(url.protocol)) {
    throw new InvalidArgumentError("an address that begins with ws:// or wss://");
  }
  return url.pathname === "/" ? new URL(PATHS.webSocket, url).href : url.href;
}

function atLeastOne(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("a whole number of at least 1");
  return value;
}

function port(text: string): number {
  const value = wholeNumber(text);
  if (value > 65_535) throw new InvalidArgumentError("a port from 0 to 65535");
  return value;
}

/** Resolves when all of it is written, so that an exit cuts nothing off. */
async function print(text: string): Promise<void> {
  await Bun.write(Bun.stdout, `${text}\n`);
}

/** Errors are one line each on stderr, never a stack trace. */
async function main(): Promise<number> {
  keepConsoleOffStdout();
  try {
    const fault = loadEnvFile();
    if (fault !== null) throw new UsageError(describeFaults([fault]));
    await buildProgram().parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const lines = (error instanceof Error ? error.message : String(error)).split("\n");
    process.stderr.write(lines.map((line) => `mkt: ${line}\n`).join(""));
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exit(await main());
