// Simulated time between two decisions of a persona.

import type { SeededRandom } from "../random/seeded-random.ts";

export interface Pace {
  /** exponential: independent decisions. jittered: regular intervals, varied by up to a quarter. */
  readonly kind: "exponential" | "jittered";
  readonly meanMs: number;
}

/** Whole milliseconds, at least 1. `activity`: how much more often than on the mean it decides now. */
export function drawDelayMs(
  { kind, meanMs }: Pace,
  random: Pick<SeededRandom, "next" | "exponential">,
  activity: number,
): number {
  const share = kind === "exponential" ? random.exponential() : 0.75 + random.next() / 2;
  return Math.max(1, Math.round(meanMs * share / activity));
}
