// The presets of a simulation: who trades, how fast, how much they disagree, and which spot events happen.
//
// calm: many market makers with small spreads and similar valuations, so the front contracts are two-sided. volatile:
// trend followers and wider disagreement. stress: outages, heat and congestion, few and cautious market makers, wider
// spreads. thin: few traders and long waits.

import type { SpotEventType } from "../spot/spot-prices.ts";
import type { StrategyName } from "../strategies/registry.ts";
import type { Pace } from "./pace.ts";

export interface PersonaGroup {
  readonly strategy: StrategyName;
  readonly count: number;
  /** The entity of the whole group; absent: spread over all entities that may trade. */
  readonly entityId?: string;
}

/** A spot event of a preset. */
export interface ScheduledSpotEvent {
  readonly afterHours: number;
  readonly type: SpotEventType;
  /** Index of the node in the market; null: both nodes. */
  readonly node: 0 | 1 | null;
  /** 1 is a normal event of its kind. */
  readonly size: number;
  readonly durationHours: number;
}

/** Settings for all personas of a run. */
export interface TradingSettings {
  /** For strategies without an entry in `paces`. */
  readonly pace: Pace;
  readonly paces: Readonly<Partial<Record<StrategyName, Pace>>>;
  /** Standard deviation of private valuations around the forecast, as a share of the forecast. */
  readonly disagreement: number;
  /**
   * Half the spread of market makers without inventory, as a share of the price; also the price scale of other
   * strategies.
   */
  readonly halfSpread: number;
  /** Number of deliveries traded of each product, nearest first. */
  readonly contractsPerProduct: number;
}

export interface Preset extends TradingSettings {
  readonly name: PresetName;
  readonly personas: readonly PersonaGroup[];
  readonly spotEvents: readonly ScheduledSpotEvent[];
}

export const PRESET_NAMES = ["calm", "volatile", "stress", "thin"] as const;
type PresetName = (typeof PRESET_NAMES)[number];

export function isPresetName(name: string): name is PresetName {
  return PRESET_NAMES.some((preset) => preset === name);
}

const SECOND = 1_000;
const QUICK: Pace = { kind: "jittered", meanMs: 5 * SECOND };
const USUAL: Pace = { kind: "exponential", meanMs: 10 * SECOND };
const SLOW: Pace = { kind: "exponential", meanMs: 60 * SECOND };

export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  calm: {
    name: "calm",
    personas: [
      { strategy: "avellaneda-stoikov", count: 6 },
      { strategy: "zip", count: 12 },
      { strategy: "zic", count: 4 },
      { strategy: "gvwy", count: 2 },
      { strategy: "shvr", count: 2 },
      { strategy: "aa", count: 4 },
      { strategy: "generator", count: 4 },
      { strategy: "retailer", count: 4 },
      { strategy: "arbitrageur", count: 2 },
    ],
    pace: USUAL,
    paces: { "avellaneda-stoikov": QUICK },
    disagreement: 0.02,
    halfSpread: 0.01,
    contractsPerProduct: 2,
    spotEvents: [],
  },
  volatile: {
    name: "volatile",
    personas: [
      { strategy: "avellaneda-stoikov", count: 4 },
      { strategy: "zip", count: 8 },
      { strategy: "zic", count: 8 },
      { strategy: "aa", count: 4 },
      { strategy: "momentum", count: 3 },
      { strategy: "mean-reversion", count: 3 },
      { strategy: "generator", count: 4 },
      { strategy: "retailer", count: 4 },
      { strategy: "arbitrageur", count: 2 },
    ],
    pace: { kind: "exponential", meanMs: 6 * SECOND },
    paces: { "avellaneda-stoikov": QUICK, "momentum": USUAL },
    disagreement: 0.06,
    halfSpread: 0.02,
    contractsPerProduct: 2,
    spotEvents: [
      { afterHours: 1, type: "fuel_shock", node: null, size: 1, durationHours: 12 },
      { afterHours: 4, type: "renewable_surplus", node: 1, size: 1, durationHours: 6 },
    ],
  },
  stress: {
    name: "stress",
    personas: [
      { strategy: "avellaneda-stoikov", count: 3 },
      { strategy: "zip", count: 6 },
      { strategy: "zic", count: 8 },
      { strategy: "momentum", count: 2 },
      { strategy: "generator", count: 4 },
      { strategy: "retailer", count: 8 },
      { strategy: "arbitrageur", count: 2 },
    ],
    pace: USUAL,
    paces: { "avellaneda-stoikov": { kind: "jittered", meanMs: 10 * SECOND } },
    disagreement: 0.1,
    halfSpread: 0.06,
    contractsPerProduct: 2,
    spotEvents: [
      { afterHours: 0, type: "heat_wave", node: null, size: 2, durationHours: 48 },
      { afterHours: 1, type: "plant_outage", node: 0, size: 2, durationHours: 12 },
      { afterHours: 3, type: "line_congestion", node: null, size: 2, durationHours: 12 },
    ],
  },
  thin: {
    name: "thin",
    personas: [
      { strategy: "avellaneda-stoikov", count: 1 },
      { strategy: "zip", count: 3 },
      { strategy: "zic", count: 2 },
      { strategy: "generator", count: 1 },
      { strategy: "retailer", count: 1 },
    ],
    pace: SLOW,
    paces: {},
    disagreement: 0.03,
    halfSpread: 0.03,
    contractsPerProduct: 1,
    spotEvents: [],
  },
};
