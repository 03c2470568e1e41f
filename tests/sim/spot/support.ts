// Shared by the tests of spot prices.

import { SpotProcess, type SpotProcessOptions } from "../../../sim/spot/spot-process.ts";
import type { SpotPoint } from "../../../sim/spot/spot-prices.ts";

export const HOUR_MS = 3_600_000;
export const TIMEZONE = "America/Chicago";
/** A Wednesday, noon local time. */
export const START = Date.parse("2026-01-14T18:00:00Z");

export function spotOf(seed: number, options: Partial<SpotProcessOptions> = {}): SpotProcess {
  return new SpotProcess({ seed, startTime: START, timezone: TIMEZONE, nodes: ["NORTH", "WEST"], ...options });
}

export function pricesOf(points: readonly SpotPoint[], node: string): number[] {
  return points.filter((point) => point.node === node).map(({ priceCents }) => priceCents);
}
