// `mkt engine`: the engine with its simulator, until a signal or a failure of the engine.

import { type Command, Option } from "commander";
import type { AuditStore } from "../../common/audit/audit-store.ts";
import { checkAll, oneLine, untilSignal, UsageError } from "../../common/command-line.ts";
import { inOrder } from "../../common/in-order.ts";
import { logger } from "../../common/logger.ts";
import { watchStalls } from "../../common/stall-watch.ts";
import { checkOptions, choice, option, port } from "../../common/options.ts";
import { CAPACITY_IN_MEMORY } from "../../engine/audit/sqlite-audit-store.ts";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { builtInMarketNamed, TIGHT_CREDIT_MARKET } from "../../engine/definition/built-in-markets.ts";
import { loadDefinition } from "../../engine/definition/load-definition.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { startEngine } from "../../engine/server/start-engine.ts";
import { embedSimulator } from "../../sim/live/embedded-simulator.ts";
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

interface EngineCommandContext {
  readonly version: string;
  /** Sets up logging from the environment. */
  readonly configureLogging: () => void;
  /** The store of `--audit azure`. Throws UsageError if it is not configured. */
  readonly tableStorage: () => AuditStore;
}

interface EngineArguments extends ClockArguments, StrategyArguments {
  readonly port: number;
  readonly host: string;
  readonly market?: string;
  readonly data?: string;
  readonly identity?: string;
  readonly audit?: "azure";
  readonly acceptDataLoss?: true;
}

export function addEngineCommand(program: Command, context: EngineCommandContext): void {
  const engine = program.command("engine")
    .description("the engine alone, as the backend of other processes; without --data nothing outlives it")
    .addOption(option("--port <port>", "port to listen on", port).default(3001))
    .addOption(new Option("--host <address>", "address to listen on").default("127.0.0.1"))
    .addOption(new Option("--market <file>", `another market than the built-in one (JSON), or ${TIGHT_CREDIT_MARKET}`))
    .addOption(new Option("--data <directory>", "keep the market here, over restarts"))
    .addOption(
      new Option("--identity <file>", "with --data: remember the market's id here, and refuse another one, or none"),
    )
    .addOption(acceptDataLossOption())
    .addOption(strategyOption())
    .addOption(
      choice("--audit <store>", "write the audit trail to table storage too (STORAGE_TABLE_ENDPOINT, ...)", ["azure"]),
    )
    .action((given: EngineArguments, command: Command) => runEngine(given, context, command));
  for (const each of clockOptions()) engine.addOption(each);
}

async function runEngine(
  given: EngineArguments,
  { version, configureLogging, tableStorage }: EngineCommandContext,
  command: Command,
): Promise<void> {
  const { port, host, market, data, identity, audit } = given;
  const checkStrategies = await strategiesFrom(given);
  const [, acceptDataLoss, clock, definition, settings, auditTarget, telemetrySettings] = checkAll(
    () => checkOptions(command),
    () => acceptsDataLoss(given),
    () => startClock(given),
    () => market === undefined ? builtInMarket() : builtInMarketNamed(market) ?? definitionFrom(market),
    () => engineSettings(host),
    () => audit === "azure" ? tableStorage() : null,
    () => engineTelemetry(),
    () => configureLogging(),
    checkStrategies,
    () => needsData("--identity", identity, data),
  );
  const stopped = untilSignal();
  const mustMatch = market !== undefined;
  const telemetry = await telemetryOf(telemetrySettings, version);
  const engine = await startEngine({
    ...settings,
    definition,
    port,
    data,
    identity,
    acceptDataLoss,
    clock,
    maxClockJumpMs: maxClockJumpMs(given),
    mustMatch,
    auditTarget,
    tracer: telemetry?.tracer ?? null,
  });
  const simulator = embedSimulator({ engine, ...simulatorOptions() });
  await inOrder(
    () => {
      sendMetrics(engine, telemetry);
      watchStalls({ log: logger("engine") });
      process.stderr.write(`mkt ${version} engine: ${engine.url}, ${engine.webSocketUrl}\n`);
      if (auditTarget !== null && data === undefined) process.stderr.write(AUDIT_IN_MEMORY);
      return Promise.race([stopped, failureOf(engine)]);
    },
    () => simulator.close(),
    () => engine.stop(),
    () => telemetry?.stop(),
  );
}

const AUDIT_IN_MEMORY =
  `mkt: without --data, audit events wait for table storage in memory: the newest ${CAPACITY_IN_MEMORY}, until the end\n`;

/** Throws UsageError. */
function needsData(option: string, value: string | undefined, data: string | undefined): void {
  if (value !== undefined && data === undefined) throw new UsageError(`${option}: needs --data DIR`);
}

function definitionFrom(path: string): MarketDefinition {
  const loaded = loadDefinition(path);
  if (loaded.ok) return loaded.definition;
  throw new UsageError(loaded.faults.map((fault) => oneLine(`${path}: ${fault}`)).join("\n"));
}
