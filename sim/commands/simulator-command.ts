// `mkt sim`: the simulator alone, against any engine that speaks the protocol, until a signal.

import { type Command, InvalidArgumentError, Option } from "commander";
import { port, untilSignal } from "../../common/command-line.ts";
import { PATHS } from "../../protocol/index.ts";
import { BUILT_IN_SIMULATOR_ID } from "../definition/built-in-market.ts";
import { startStandaloneSimulator } from "../live/standalone-simulator.ts";
import { simulatorAccess, simulatorOptions } from "./process-options.ts";

export interface SimulatorCommandContext {
  readonly version: string;
  /** Sets up logging from the environment. */
  readonly configureLogging: () => void;
}

interface SimulatorArguments {
  readonly backend: string;
  readonly port: number;
  readonly host: string;
}

export function addSimulatorCommand(program: Command, context: SimulatorCommandContext): void {
  program.command("sim")
    .description("the simulator alone, against any engine that speaks the protocol")
    .requiredOption("--backend <url>", "WebSocket of the engine, for example ws://127.0.0.1:3001/ws", webSocketUrl)
    .addOption(new Option("--port <port>", "port of the control API").argParser(port).default(3002))
    .addOption(new Option("--host <address>", "address to listen on").default("127.0.0.1"))
    .action((given: SimulatorArguments) => runSimulator(given, context));
}

async function runSimulator(
  { backend, port, host }: SimulatorArguments,
  { version, configureLogging }: SimulatorCommandContext,
): Promise<void> {
  configureLogging();
  const stopped = untilSignal();
  const userId = process.env["MKT_USER_ID"] || BUILT_IN_SIMULATOR_ID;
  const served = startStandaloneSimulator({ ...simulatorOptions(), ...simulatorAccess(host), backend, userId, port });
  process.stderr.write(`mkt ${version} sim: ${served.url}, trading on ${backend}\n`);
  await stopped;
  await served.stop();
}

/** A URL without a path gets the engine's usual path. */
function webSocketUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["ws:", "wss:"].includes(url.protocol)) {
    throw new InvalidArgumentError("an address that begins with ws:// or wss://");
  }
  return url.pathname === "/" ? new URL(PATHS.webSocket, url).href : url.href;
}
