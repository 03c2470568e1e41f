// What an engine and a simulator of this process are started with, whichever command starts them.

import { logger } from "../../core/logger.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import type { RunningEngine } from "../face/run-engine.ts";

export function engineOptions(definition: MarketDefinition) {
  return {
    definition,
    token: process.env["MKT_BEARER_TOKEN"] || null,
    secret: process.env["STRESS_TEST_SECRET"] || null,
    log: logger("engine"),
    now: Date.now,
  };
}

export function simulatorOptions() {
  return { token: process.env["MKT_BEARER_TOKEN"] || null, log: logger("simulator"), now: Date.now };
}

/** Rejects once the engine can't go on. */
export async function failureOf(engine: RunningEngine): Promise<never> {
  throw await engine.failed;
}
