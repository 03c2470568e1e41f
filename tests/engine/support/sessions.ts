// The sessions of `scheduledMarket` around START: times in UTC, from Wednesday the 14th.

import { EngineDriver } from "./engine-driver.ts";
import { scheduledMarket } from "./market.ts";

export const PREOPEN = "2026-01-14T13:30:00Z";
export const OPEN = "2026-01-14T14:00:00Z";
export const CLOSE = "2026-01-14T22:00:00Z";
export const EVENING = "2026-01-14T23:00:00Z";
export const NEXT_PREOPEN = "2026-01-15T13:30:00Z";
export const NEXT_OPEN = "2026-01-15T14:00:00Z";

/** An engine with sessions, at a time. */
export function marketAt(time?: string, definition = scheduledMarket()): EngineDriver {
  const engine = new EngineDriver(definition);
  if (time !== undefined) engine.advanceTo(time);
  return engine;
}
