// The market clock: how market time follows real time. Market time stamps everything that happens in the market; it never
// goes back. Real time is what clients' deadlines are in (`validUntil`).

import { z } from "zod";
import { DAY_MS } from "./time-units.ts";

/**
 * `real`: market time is real time. `fast`: it passes `speed` times as fast, from where it stood when the speed was set.
 * `lockstep`: it stands still until clock.advance moves it.
 */
export const CLOCK_MODES = ["real", "fast", "lockstep"] as const;

export const MIN_SPEED = 0.1;
export const MAX_SPEED = 1000;
/** How far one clock.advance may go. Everything due until then is carried out in one call. */
export const MAX_ADVANCE_MS = 31 * DAY_MS;

export const clockSpeed = z.number().min(MIN_SPEED).max(MAX_SPEED);

export const clockSetting = z.looseObject({
  mode: z.enum(CLOCK_MODES).describe(
    "real: market time is real time; fast: it passes `speed` times as fast; lockstep: it stands still between two clock.advance",
  ),
  speed: z.number().min(0).describe("Speed of market time relative to real time; 0 in lockstep"),
});

export interface ClockSetting {
  readonly mode: (typeof CLOCK_MODES)[number];
  /** Speed of market time relative to real time; 0 in lockstep. */
  readonly speed: number;
}

export const REAL_CLOCK: ClockSetting = { mode: "real", speed: 1 };
export const LOCKSTEP_CLOCK: ClockSetting = { mode: "lockstep", speed: 0 };
