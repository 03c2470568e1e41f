// The configuration of a command, from the environment. Throws UsageError with all faults: of each variable, of variables
// that contradict each other, of named files, and of names of packs.

import { tableStorageOf } from "../core/audit/audit-reader.ts";
import type { TableStorageSettings } from "../common/audit/azure/table-connection.ts";
import type { Configuration, ConfigurationFault } from "../core/config/configuration.ts";
import { readConfiguration, readFreezeFile } from "../core/config/environment.ts";
import {
  type Environment,
  mistypedGuardrails,
  type OtherVariables,
  unknownVariables,
  VARIABLES,
  withDefaults,
} from "../core/config/variables.ts";
import { callLogFault } from "../core/guardrails/call-log.ts";
import { configureLogging, logger } from "../common/logger.ts";
import { openTelemetry, telemetrySettings } from "../common/open-telemetry.ts";
import { readTelemetry } from "../common/telemetry/settings.ts";
import { nearestName } from "../common/nearest-name.ts";
import { packNameFaults } from "../core/packs/pack-choice.ts";
import { createRuntime, type Program, type ReplicaRole, type Runtime } from "../core/runtime.ts";
import { settingsError, UsageError } from "../common/command-line.ts";

/** Values for required variables that a command does not use. */
export const UNUSED = { MKT_HOST: "localhost:3001", MKT_USER_ID: "nobody" } as const satisfies Environment;

/** For commands whose output a person reads: only warnings and errors are logged unless LOG_LEVEL says otherwise. */
export const QUIET = { LOG_LEVEL: "warn" } as const satisfies Environment;

/** What the MCP server is called in traces and metrics, unless OTEL_SERVICE_NAME says otherwise. */
export const SERVICE_NAME = "mkt-server";

export interface CommandLineProgram extends Program {
  /** Variables that the market reads, besides those of the MCP server. */
  readonly marketVariables: OtherVariables;
  /** The WebSocket connections that an engine with this environment accepts. */
  readonly engineConnections: (environment: Environment) => number;
}

/** `defaults`: values for variables that are not set. `role`: what the process is to replicas. */
export async function configuredRuntime(
  program: CommandLineProgram,
  environment: Environment,
  defaults: Environment = {},
  role: ReplicaRole = "member",
): Promise<Runtime> {
  const configuration = configurationFrom(program, withDefaults(environment, defaults));
  configureLogging(configuration.logLevel);
  checkUnknownVariables(environment, program.marketVariables);
  const settings = role === "member" ? telemetrySettings(environment, SERVICE_NAME) : null;
  const telemetry = await openTelemetry(settings, program.version);
  const runtime = await createRuntime(configuration, program, environment, role, telemetry);
  if (runtime.nameFaults.length === 0) return runtime;
  throw settingsError(runtime.nameFaults.map(packFault));
}

/** Also checks the names of packs, unless MKT_PLUGIN_DIR may have further packs; configuredRuntime reads those. */
export function configurationFrom({ packs }: Program, environment: Environment): Configuration {
  const read = readConfiguration(environment);
  const configuration = read.ok ? read.configuration : read.others;
  const telemetry = readTelemetry(environment, SERVICE_NAME);
  const { callLog } = configuration.guardrails;
  const unwritable = callLog === null ? null : callLogFault(callLog);
  const faults = [
    ...(read.ok ? [] : read.faults),
    ...("faults" in telemetry ? telemetry.faults : []),
    ...(unwritable === null ? [] : [{ variable: "MKT_CALL_LOG", message: unwritable }]),
    ...(configuration.packs.directory === null ? packNameFaults(packs, configuration).map(packFault) : []),
  ];
  if (faults.length > 0) throw settingsError(faults);
  return configuration;
}

function packFault(message: string): ConfigurationFault {
  return { variable: "MKT_PACKS", message };
}

export function configureLoggingFrom({ LOG_LEVEL }: Environment): void {
  configureLogging(checked({ ...UNUSED, LOG_LEVEL }).logLevel);
}

/** Warns of unknown variables. Throws UsageError if one is probably a guardrail that is mistyped. */
export function checkUnknownVariables(environment: Environment, market: OtherVariables): void {
  const mistyped = mistypedGuardrails(environment, market);
  if (mistyped.length > 0) throw settingsError(mistyped);
  const log = logger("configuration");
  for (const name of unknownVariables(environment, market.known)) {
    const meant = nearestName(name, [...VARIABLES, ...market.known]);
    if (meant === null) log.warn("{name} is not a variable of mkt and has no effect", { name });
    else log.warn("{name} is not a variable of mkt and has no effect; did you mean {meant}?", { name, meant });
  }
}

/** At least one of them is there. */
export interface KillSwitchTargets {
  /** MKT_FREEZE_FILE. */
  readonly path: string | null;
  readonly redis: { readonly url: string; readonly namespace: string } | null;
}

/** The kill switches that a command reaches: MKT_FREEZE_FILE, MKT_REDIS_URL, or both. */
export function killSwitchesFrom(environment: Environment): KillSwitchTargets {
  const { MKT_REDIS_URL, MKT_REDIS_NAMESPACE } = environment;
  const { redis } = checked({ ...UNUSED, MKT_REDIS_URL, MKT_REDIS_NAMESPACE });
  if (redis !== null && !environment["MKT_FREEZE_FILE"]) return { path: null, redis };
  const read = readFreezeFile(environment);
  if ("path" in read) return { path: read.path, redis };
  throw settingsError([read]);
}

/** The engine of a command that only talks to it over HTTP, and as whom. Throws UsageError if only another one is named. */
export function backendFrom(environment: Environment) {
  const { host, baseUrl, bearerToken: token, userId } = checked(environment).backend;
  if (!environment["MKT_BASE_URL"] && new URL(baseUrl).host !== host) {
    throw new UsageError(`MKT_BASE_URL: is required with MKT_HOST=${host}, for example http://${host}`);
  }
  return { baseUrl, token, userId };
}

/** `purpose` says in the message what needs table storage. */
export function tableStorageFrom(environment: Environment, purpose: string): TableStorageSettings {
  const storage = tableStorageOf(checked({ ...environment, ...UNUSED }));
  if (storage !== null) return storage;
  const required = ["STORAGE_TABLE_ENDPOINT", "STORAGE_ACCOUNT_NAME"] as const;
  const missing = required.filter((name) => !environment[name]);
  throw new UsageError(missing.map((name) => `${name}: is required for ${purpose}`).join("\n"));
}

function checked(environment: Environment): Configuration {
  const read = readConfiguration(environment);
  if (read.ok) return read.configuration;
  throw settingsError(read.faults);
}
