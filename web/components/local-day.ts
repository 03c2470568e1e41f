// The days of a market, which have 23 or 25 hours when clocks change. Times are seconds since 1970.

import { zoneOffset } from "./chart-time.ts";

const DAY = 86_400;

/** The first second of the local day that `at` belongs to. */
export function beginOfDay(at: number, timezone: string): number {
  const offset = zoneOffset(at, timezone);
  const midnight = Math.floor((at + offset) / DAY) * DAY;
  // The offset at midnight is another one on days when clocks change.
  return midnight - zoneOffset(midnight - offset, timezone);
}

/** The first second of the local day after the one that `at` belongs to. */
export function beginOfNextDay(at: number, timezone: string): number {
  // A day and a half after midnight is the noon of the next day, an hour more or less.
  return beginOfDay(beginOfDay(at, timezone) + 1.5 * DAY, timezone);
}
