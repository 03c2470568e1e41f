// The options with which commands start an engine or a simulator in this process.

import { Option } from "commander";
import { UsageError } from "../../common/command-line.ts";
import { logger } from "../../common/logger.ts";
import { readEngineAccess } from "../server/http/engine-access.ts";
import { readEngineLimits, type SettingFault } from "../server/limits/engine-limits.ts";
import type { RunningEngine } from "../server/start-engine.ts";

export function acceptDataLossOption(): Option {
  return new Option(
    "--accept-data-loss",
    "with --data: if the data are damaged, copy them aside and continue with what is readable",
  );
}

/** Throws UsageError if --accept-data-loss comes without --data. */
export function acceptsDataLoss(
  { data, acceptDataLoss = false }: { readonly data?: string; readonly acceptDataLoss?: boolean },
): boolean {
  if (acceptDataLoss && data === undefined) throw new UsageError("--accept-data-loss: needs --data DIR");
  return acceptDataLoss;
}

/** The settings that environment variables give. `host`: the address to listen on. Throws a UsageError that names every wrong variable. */
export function engineSettings(host: string) {
  const access = readEngineAccess(process.env, host);
  const limits = readEngineLimits(process.env);
  if ("faults" in access || "faults" in limits) {
    throw usageErrorOf([access, limits].flatMap((read) => "faults" in read ? read.faults : []));
  }
  const secret = process.env["STRESS_TEST_SECRET"] || null;
  return { ...access.access, ...limits, hostname: host, secret, log: logger("engine"), now: Date.now };
}

/** For a simulator with a port of its own. Throws a UsageError that names every wrong variable. */
export function simulatorAccess(host: string) {
  const read = readEngineAccess(process.env, host);
  if ("faults" in read) throw usageErrorOf(read.faults);
  return { ...read.access, host };
}

export function simulatorOptions() {
  return { log: logger("simulator"), now: Date.now };
}

/** Rejects when the engine stops for good. */
export async function failureOf(engine: RunningEngine): Promise<never> {
  throw await engine.failed;
}

function usageErrorOf(faults: readonly SettingFault[]): UsageError {
  return new UsageError(faults.map(({ variable, message }) => `${variable}: ${message}`).join("\n"));
}
