// `mkt sim`: the simulator alone, against any engine that speaks the protocol, until a signal.

import { type Command, InvalidArgumentError, Option } from "commander";
import { checkAll, untilSignal } from "../../common/command-line.ts";
import { logger } from "../../common/logger.ts";
import { watchStalls } from "../../common/stall-watch.ts";
import { telemetrySettings } from "../../common/open-telemetry.ts";
import { inOrder } from "../../common/in-order.ts";
import { checkOptions, option, port } from "../../common/options.ts";
import { ENVIRONMENT } from "../../core/config/env-file.ts";
import { PATHS } from "../../protocol/index.ts";
import { BUILT_IN_SIMULATOR_ID } from "../../engine/definition/built-in-market.ts";
import { startStandaloneSimulator } from "../../sim/live/standalone-simulator.ts";
import { strategiesFrom, type StrategyArguments, strategyOption } from "../simulation/outside-options.ts";
import { sendMetrics, simulatorAccess, simulatorOptions, telemetryOf } from "./process-options.ts";

interface SimulatorCommandContext {
  readonly version: string;
  /** Sets up logging from the environment. */
  readonly configureLogging: () => void;
}

interface SimulatorArguments extends StrategyArguments {
  readonly backend: string;
  readonly port: number;
  readonly host: string;
}

export function addSimulatorCommand(program: Command, context: SimulatorCommandContext): void {
  program.command("sim")
    .description("the simulator alone, against any engine that speaks the protocol")
    .addOption(option("--backend <url>", "the engine's WebSocket, for example ws://127.0.0.1:3001/ws", webSocketUrl))
    .addOption(option("--port <port>", "port of the control API", port).default(3002))
    .addOption(new Option("--host <address>", "address to listen on").default("127.0.0.1"))
    .addOption(strategyOption())
    .action((given: SimulatorArguments, command: Command) => runSimulator(given, context, command));
}

async function runSimulator(
  given: SimulatorArguments,
  { version, configureLogging }: SimulatorCommandContext,
  command: Command,
): Promise<void> {
  const { backend, port, host } = given;
  const checkStrategies = await strategiesFrom(given);
  const [, access, settings] = checkAll(
    () => checkOptions(command, ["--backend"]),
    () => simulatorAccess(host),
    () => telemetrySettings(ENVIRONMENT, "mkt-simulator"),
    () => configureLogging(),
    checkStrategies,
  );
  const stopped = untilSignal();
  const userId = ENVIRONMENT.MKT_USER_ID || BUILT_IN_SIMULATOR_ID;
  const telemetry = await telemetryOf(settings, version);
  const tracer = telemetry?.tracer ?? null;
  const served = startStandaloneSimulator({ ...simulatorOptions(), ...access, backend, userId, port, tracer });
  sendMetrics(served, telemetry);
  watchStalls({ log: logger("simulator") });
  process.stderr.write(`mkt ${version} sim: ${served.url}, trading on ${backend}\n`);
  await inOrder(() => stopped, () => served.stop(), () => telemetry?.stop());
}

/** A URL without a path gets the engine's usual path. */
function webSocketUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["ws:", "wss:"].includes(url.protocol)) {
    throw new InvalidArgumentError("an address that begins with ws:// or wss://");
  }
  return url.pathname === "/" ? new URL(PATHS.webSocket, url).href : url.href;
}
