// `mkt demo`: engine, simulator and MCP server in one process. It does not connect by itself, because tools of the
// market need `mkt_connect_pubsub` (specification); MKT_AUTO_CONNECT connects it.

import { type Command, Option } from "commander";
import { checkAll, UsageError } from "../../common/command-line.ts";
import { inOrder } from "../../common/in-order.ts";
import { openInBrowser } from "../../common/open-browser.ts";
import { checkOptions, choice, option, port, wholeNumber } from "../../common/options.ts";
import { linked, printNote } from "../../common/output.ts";
import { configureLogging, logger } from "../../common/logger.ts";
import type { Invocation } from "../../common/own-invocation.ts";
import { type CommandLineProgram, configurationFrom, configuredRuntime } from "../configured.ts";
import { serve } from "../server/serve.ts";
import { ENVIRONMENT } from "../../core/config/env-file.ts";
import { type Environment, withDefaults } from "../../core/config/variables.ts";
import { SIMULATION_PRESETS, type SimulationPreset } from "../../protocol/index.ts";
import { strategiesFrom, type StrategyArguments, strategyOption } from "../simulation/outside-options.ts";
import {
  acceptDataLossOption,
  acceptsDataLoss,
  type ClockArguments,
  clockOptions,
  engineSettings,
  engineTelemetry,
  failureOf,
  maxClockJumpMs,
  sendMetrics,
  simulatorOptions,
  startClock,
  telemetryOf,
} from "./process-options.ts";
import { BUILT_IN_OPERATOR_ID, BUILT_IN_OWN_USER_IDS, builtInMarket } from "../../engine/definition/built-in-market.ts";
import { builtInMarketNamed } from "../../engine/definition/built-in-markets.ts";
import { contractsAt } from "../../engine/definition/listed-contracts.ts";
import { demoGreeting } from "./demo-greeting.ts";
import { presetExperiment } from "../../sim/experiment/read-experiment.ts";
import { placeInitialOrders } from "../../sim/live/initial-orders.ts";
import { OpeningWithdrawal } from "../../sim/live/opening-withdrawal.ts";
import { embedSimulator } from "../../sim/live/embedded-simulator.ts";
import { SimulatorRefusal } from "../../sim/live/simulator-refusal.ts";
import type { Simulator } from "../../sim/live/simulator.ts";
import { type RunningEngine, startEngine } from "../../engine/server/start-engine.ts";

const USUAL_ENGINE_PORT = 3001;
const SIMULATION_STARTS = 5;
/** Time to answer the first requests of a waiting client before the simulation starts. */
const SIMULATION_DELAY_MS = 100;

interface DemoArguments extends ClockArguments, StrategyArguments {
  readonly port: number;
  readonly stdio?: true;
  readonly enginePort?: number;
  readonly seed: number;
  readonly preset: SimulationPreset;
  readonly sim: boolean;
  readonly data?: string;
  readonly acceptDataLoss?: true;
  readonly open?: true;
}

export function addDemoCommand(command: Command, program: CommandLineProgram, invocation: Invocation): void {
  const enginePort = `port of the engine (default: ${USUAL_ENGINE_PORT}, or a free one if it is taken)`;
  const seed = "seed of the orders the books open with, and of the simulation";
  const demo = command.command("demo")
    .description("a whole market in one process: engine and MCP server")
    .addOption(option("--port <port>", "MCP over HTTP on this port", port).default(4087))
    .addOption(new Option("--stdio", "MCP over stdio instead of HTTP"))
    .addOption(option("--engine-port <port>", enginePort, port))
    .addOption(option("--seed <number>", seed, wholeNumber(0, 999_999_999)).default(1))
    .addOption(choice("--preset <name>", "what the simulation is like", SIMULATION_PRESETS).default("calm"))
    .addOption(new Option("--no-sim", "leave the books empty and the simulator stopped"))
    .addOption(new Option("--data <directory>", "keep the market here, over restarts"))
    .addOption(acceptDataLossOption())
    .addOption(strategyOption())
    .addOption(new Option("--open", "open the dashboard in the browser"))
    .action((options: DemoArguments, self: Command) => runDemo(options, program, invocation, self));
  for (const each of clockOptions()) demo.addOption(each);
}

async function runDemo(
  options: DemoArguments,
  program: CommandLineProgram,
  invocation: Invocation,
  command: Command,
): Promise<void> {
  configureLogging("warn");
  const checkStrategies = await strategiesFrom(options);
  const [, acceptDataLoss, , clock, settings] = checkAll(
    () => checkOptions(command),
    () => acceptsDataLoss(options),
    () => checkOpen(options),
    () => startClock(options),
    () => engineSettings("127.0.0.1"),
    // The addresses do not matter yet.
    () => configurationFrom(program, environmentOf({ ...options, port: 0 }, null, "127.0.0.1:1")),
    checkStrategies,
  );
  const { data } = options;
  const telemetry = await telemetryOf(engineTelemetry(), program.version);
  const tracer = telemetry?.tracer ?? null;
  // On the usual port, if it is free, other processes find the engine.
  const port = { port: options.enginePort ?? USUAL_ENGINE_PORT, orAnyPort: options.enginePort === undefined };
  const engine = await startEngine({
    ...settings,
    ...port,
    tracer,
    definition: builtInMarketNamed(presetExperiment(options.preset).market) ?? builtInMarket(),
    data,
    acceptDataLoss,
    clock,
    maxClockJumpMs: maxClockJumpMs(options),
  });
  const opening = new OpeningWithdrawal((request) => engine.execute(request));
  const simulator = embedSimulator({ engine, ...simulatorOptions(), onOrder: (order) => opening.seen(order) });
  await inOrder(
    () => {
      sendMetrics(engine, telemetry);
      return serveDemo(options, { engine, simulator, program, invocation });
    },
    () => simulator.close(),
    () => engine.stop(),
    () => telemetry?.stop(),
  );
}

interface DemoParts {
  readonly engine: RunningEngine;
  readonly simulator: Simulator;
  readonly program: CommandLineProgram;
  readonly invocation: Invocation;
}

/** Until a signal, or a failure of the engine. */
async function serveDemo(options: DemoArguments, { engine, simulator, program, invocation }: DemoParts): Promise<void> {
  if (options.sim && engine.isNew) placeInitialOrders(engine, options.seed, engine.marketTime(), options.preset);
  const engineAddress = `127.0.0.1:${engine.port}`;
  const runtime = await configuredRuntime(program, environmentOf(options, engine.ownToken, engineAddress));
  const { entities, users } = engine.definition;
  const contracts = contractsAt(engine.definition, engine.marketTime());
  const hasDashboard = runtime.packs.some(({ routes }) => routes.some(({ path }) => path === "/"));
  const onReady = (url: string | null) => {
    const dashboard = url === null || !hasDashboard ? null : `${url}/`;
    process.stderr.write(demoGreeting({
      version: program.version,
      market: { entities: entities.length, users: users.length, contracts: contracts.length },
      engineAddress,
      url,
      toolCount: runtime.services.server.tools.size,
      userId: runtime.configuration.backend.userId,
      ownUserIds: BUILT_IN_OWN_USER_IDS.filter((userId) => users.some(({ id }) => id === userId)),
      invocation,
      clock: { ...engine.clock(), marketTime: engine.marketTime() },
      preset: options.sim ? options.preset : null,
      dashboard: dashboard === null ? null : linked(dashboard, process.stderr),
    }));
    if (options.open) openDashboard(dashboard);
    if (options.sim) void startSimulation(simulator, options);
  };
  await Promise.race([serve(runtime, { onReady }), failureOf(engine)]);
}

/** Throws UsageError. */
function checkOpen({ open, stdio }: DemoArguments): void {
  if (open && stdio) throw new UsageError("--open: there is no dashboard over stdio; leave out --stdio");
}

/** If it can't be opened, the demo continues without it. */
function openDashboard(address: string | null): void {
  if (address === null) return printNote("mkt: --open: this server has no dashboard (MKT_DASHBOARD, MKT_PACKS)");
  openInBrowser(address, (reason) => printNote(`mkt: the browser was not opened: ${reason}; open ${address} yourself`));
}

/** The environment of the MCP server. Variables of the engine are left out, because the engine has already read them. */
export function environmentOf(
  { stdio, port }: Pick<DemoArguments, "stdio" | "port">,
  ownToken: string | null,
  engineAddress: string,
): Environment {
  const given = Object.entries(ENVIRONMENT).filter(([name]) => !name.startsWith("MKT_ENGINE_"));
  return {
    ...withDefaults(Object.fromEntries(given), { LOG_LEVEL: "warn", MKT_USER_ID: BUILT_IN_OPERATOR_ID }),
    MKT_HOST: engineAddress,
    MKT_BASE_URL: `http://${engineAddress}`,
    MKT_WS_URL: `ws://${engineAddress}/ws`,
    MKT_SIM_URL: undefined,
    MKT_BEARER_TOKEN: ownToken ?? undefined,
    MKT_BEARER_TOKEN_FILE: undefined,
    MKT_AUDIT_STORE: "backend",
    MCP_HTTP_PORT: stdio ? undefined : String(port),
  };
}

/** If the simulation can't be started, for example because the machine is too busy, the demo continues without it. */
async function startSimulation(simulator: Simulator, { preset, seed }: DemoArguments): Promise<void> {
  await Bun.sleep(SIMULATION_DELAY_MS);
  for (let attempt = 1;; attempt++) {
    try {
      await simulator.start({ preset, seed });
      return;
    } catch (error) {
      if (!(error instanceof SimulatorRefusal)) throw error;
      // The demo is shutting down.
      if (error.code === "stopping") return;
      logger("simulator").warn("the simulation did not start: {reason}", { reason: error.message });
      if (error.code !== "engine_unavailable" || attempt === SIMULATION_STARTS) return;
    }
  }
}
