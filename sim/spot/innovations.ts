// The innovations of the model: the random numbers that an hour and a day draw, and the deviations of what they add to the
// autoregressions.

import type { SpotParameters } from "./spot-parameters.ts";

/** What the next hour draws: uniform numbers for regimes and congestion, otherwise standard normal ones. */
export interface HourDraws {
  regime: number;
  base: number;
  /** Of a spike and a drop. */
  size: number;
  spread: number;
  congestion: number;
}

/** What the next day draws: standard normal numbers. */
export interface DayDraws {
  level: number;
  tightness: number;
  turbulence: number;
}

/** Deviations of the innovations. */
export interface Noise {
  readonly level: number;
  readonly tightness: number;
  readonly turbulence: number;
  readonly base: number;
  readonly spike: number;
  readonly drop: number;
  readonly spread: number;
}

export function noiseIn({ level, day, turbulence, base, spike, drop, spread }: SpotParameters): Noise {
  return {
    level: noiseOf(level.dailyMemory) * level.sd,
    tightness: noiseOf(day.memory),
    turbulence: noiseOf(turbulence.memory),
    base: noiseOf(base.memory) * base.sd,
    spike: noiseOf(spike.sizeMemory),
    drop: noiseOf(drop.sizeMemory),
    spread: noiseOf(spread.sizeMemory),
  };
}

/** The factor of the innovation in an autoregression with standard deviation 1. */
export function noiseOf(memory: number): number {
  return Math.sqrt(1 - memory ** 2);
}
