// The configuration of a command, from the environment. Throws UsageError with all faults.

import { tableStorageOf } from "../audit/audit-reader.ts";
import type { TableStorageSettings } from "../../common/audit/azure/table-connection.ts";
import type { Configuration, ConfigurationFault } from "../config/configuration.ts";
import { loadEnvFile } from "../config/env-file.ts";
import { readConfiguration, readFreezeFile } from "../config/environment.ts";
import { type Environment, unknownVariables } from "../config/variables.ts";
import { configureLogging, logger } from "../../common/logger.ts";
import { createRuntime, type Program, type Runtime } from "../runtime.ts";
import { UsageError } from "../../common/command-line.ts";

/** Values for required variables that a command does not use. */
const UNUSED = { MKT_HOST: "localhost", MKT_USER_ID: "nobody" } as const;

export interface CommandLineProgram extends Program {
  /** Variables that the market reads, besides those of the MCP server. */
  readonly marketVariables: readonly string[];
}

/** Loads the file that DOTENV_PATH names. */
export function readEnvFile(): void {
  const fault = loadEnvFile();
  if (fault !== null) throw usageErrorOf([fault]);
}

export async function configuredRuntime(
  program: CommandLineProgram,
  environment: Environment,
): Promise<Runtime> {
  const configuration = configurationFrom(environment);
  configureLogging(configuration.logLevel);
  warnOfUnknownVariables(environment, program.marketVariables);
  const runtime = await createRuntime(configuration, program);
  if (runtime.nameFaults.length === 0) return runtime;
  throw new UsageError(runtime.nameFaults.map((fault) => `MKT_PACKS: ${fault}`).join("\n"));
}

export function configureLoggingFrom({ LOG_LEVEL }: Environment): void {
  configureLogging(configurationFrom({ ...UNUSED, LOG_LEVEL }).logLevel);
}

export function warnOfUnknownVariables(environment: Environment, marketVariables: readonly string[]): void {
  const log = logger("configuration");
  for (const name of unknownVariables(environment, marketVariables)) {
    log.warn("{name} is not a variable of mkt and has no effect", { name });
  }
}

/** The path of the kill switch. */
export function freezePathFrom(environment: Environment): string {
  const read = readFreezeFile(environment);
  if ("path" in read) return read.path;
  throw usageErrorOf([read]);
}

/** `purpose` says in the message what needs table storage. */
export function tableStorageFrom(environment: Environment, purpose: string): TableStorageSettings {
  const storage = tableStorageOf(configurationFrom({ ...environment, ...UNUSED }));
  if (storage !== null) return storage;
  const missing = ["STORAGE_TABLE_ENDPOINT", "STORAGE_ACCOUNT_NAME"].filter((name) => !environment[name]);
  throw new UsageError(missing.map((name) => `${name}: is required for ${purpose}`).join("\n"));
}

function configurationFrom(environment: Environment): Configuration {
  const result = readConfiguration(environment);
  if (result.ok) return result.configuration;
  throw usageErrorOf(result.faults);
}

function usageErrorOf(faults: readonly ConfigurationFault[]): UsageError {
  return new UsageError(faults.map(({ variable, message }) => `${variable}: ${message}`).join("\n"));
}
