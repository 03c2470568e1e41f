// The populations that a simulation starts with, as data: who trades, how fast, on what they disagree, and what happens
// to spot prices meanwhile.
//
// calm: many market makers with small spreads and values that lie close together, so that the front contracts have two
// sides. volatile: followers of trends and wider opinions. stress: outages, heat and congestion, few and wary market
// makers: wider spreads. thin: few traders, long waits.

import type { SpotEventType } from "../spot/spot-prices.ts";
import type { StrategyName } from "../strategies/registry.ts";
import type { Pace } from "./pace.ts";

export interface PersonaGroup {
  readonly strategy: StrategyName;
  readonly count: number;
  /** All of them trade for this entity; else they are spread over the entities that may trade. */
  readonly entityId?: string;
}

/** A spot event that a preset brings about by itself. */
export interface ScheduledSpotEvent {
  readonly afterHours: number;
  readonly type: SpotEventType;
  /** Place of the node in the market, from 0; null: both. */
  readonly node: 0 | 1 | null;
  /** 1 is a usual event of its kind. */
  readonly size: number;
  readonly durationHours: number;
}

/** How personas trade, whoever they are. */
export interface TradingSettings {
  /** Of strategies without an entry in `paces`. */
  readonly pace: Pace;
  readonly paces: Readonly<Partial<Record<StrategyName, Pace>>>;
  /** Standard deviation of private values around the forecast, as a share of it. */
  readonly disagreement: number;
  /** Half the spread of market makers at rest, as a share of the value; also what others count as a small difference. */
  readonly halfSpread: number;
  /** Deliveries of each product that are traded, the nearest first. */
  readonly contractsPerProduct: number;
}

export interface Preset extends TradingSettings {
  readonly name: PresetName;
  readonly description: string;
  readonly personas: readonly PersonaGroup[];
  readonly spotEvents: readonly ScheduledSpotEvent[];
}

export const PRESET_NAMES = ["calm", "volatile", "stress", "thin"] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

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
    description: "deep books and small spreads",
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
    description: "trends, wide opinions and a busy market",
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
    description: "outages, heat and congestion; market makers stand back",
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
    description: "few traders and long waits",
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
