// The strategies by the names by which personas are asked for (core/protocol/simulator.ts).

import { Giveaway } from "./gvwy.ts";
import type { Strategy, StrategySetup } from "./strategy.ts";
import { ZeroIntelligenceConstrained } from "./zic.ts";

export interface StrategyEntry {
  /** One sentence for people: what it does. */
  readonly description: string;
  /** Whether it trades on the side that it is given, or on both as it sees fit. */
  readonly sides: "one" | "both";
  readonly make: (setup: StrategySetup) => Strategy;
}

export const STRATEGIES = {
  zic: {
    description: "Zero intelligence, constrained: random prices that never betray its limit",
    sides: "one",
    make: ({ side, random }) => new ZeroIntelligenceConstrained(side, random),
  },
  gvwy: {
    description: "Giveaway: quotes its limit price",
    sides: "one",
    make: ({ side }) => new Giveaway(side),
  },
} as const satisfies Record<string, StrategyEntry>;

export type StrategyName = keyof typeof STRATEGIES;

export function isStrategyName(name: string): name is StrategyName {
  return Object.hasOwn(STRATEGIES, name);
}
