// What an engine and a simulator of this process are started with, whichever command starts them.

import { Option } from "commander";
import { UsageError } from "../../core/commands/command-line.ts";
import { logger } from "../../core/logger.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import { type EngineLimits, readEngineLimits } from "../face/engine-limits.ts";
import type { RunningEngine } from "../face/run-engine.ts";

export function acceptDataLossOption(): Option {
  return new Option(
    "--accept-data-loss",
    "with --data: if the data are damaged, copy them aside and go on with what is readable",
  );
}

/** Throws UsageError if the option stands without the directory that it is about. */
export function acceptsDataLoss(
  { data, acceptDataLoss = false }: { readonly data?: string; readonly acceptDataLoss?: boolean },
): boolean {
  if (acceptDataLoss && data === undefined) throw new UsageError("--accept-data-loss needs --data DIR");
  return acceptDataLoss;
}

/** Throws UsageError if a limit's variable is wrong. */
export function engineOptions(definition: MarketDefinition) {
  return {
    definition,
    token: process.env["MKT_BEARER_TOKEN"] || null,
    secret: process.env["STRESS_TEST_SECRET"] || null,
    log: logger("engine"),
    now: Date.now,
    limits: limitsFrom(process.env),
  };
}

function limitsFrom(environment: Readonly<Record<string, string | undefined>>): EngineLimits {
  const read = readEngineLimits(environment);
  if ("limits" in read) return read.limits;
  throw new UsageError(read.faults.map(({ variable, message }) => `${variable}: ${message}`).join("\n"));
}

export function simulatorOptions() {
  return { token: process.env["MKT_BEARER_TOKEN"] || null, log: logger("simulator"), now: Date.now };
}

/** Rejects once the engine can't go on. */
export async function failureOf(engine: RunningEngine): Promise<never> {
  throw await engine.failed;
}
