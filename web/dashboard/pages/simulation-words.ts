// What the controls of the simulation send, and how they say it. The names are those of the tools (protocol/simulator.ts).

import type { SimulationPreset, SpotEventType } from "../../../protocol/simulator.ts";
import { quantity } from "../../components/format.ts";

export const PRESETS: readonly SimulationPreset[] = ["calm", "volatile", "stress", "thin", "credit"];

export const EVENT_TYPES: readonly SpotEventType[] = [
  "heat_wave",
  "cold_snap",
  "plant_outage",
  "line_congestion",
  "renewable_surplus",
  "fuel_shock",
  "demand_drop",
];

/** What each event does to spot prices. */
const EFFECTS: Readonly<Record<SpotEventType, string>> = {
  heat_wave: "Prices rise with the demand for cooling",
  cold_snap: "Prices rise with the demand for heating",
  plant_outage: "Prices rise because a plant is missing",
  line_congestion: "The line between the nodes fills, so their prices move apart",
  renewable_surplus: "Prices fall with much wind and sun",
  fuel_shock: "Prices rise with the cost of fuel",
  demand_drop: "Prices fall with the demand",
};

interface StartArguments {
  readonly preset: string;
  readonly seed?: number;
  readonly speed?: number;
}

/** Of texts that `numberIn` has found valid. */
export function startArguments(preset: string, seed: string, speed: string): StartArguments {
  return {
    preset,
    ...(seed.trim() !== "" && { seed: Number(seed) }),
    ...(speed.trim() !== "" && { speed: Number(speed) }),
  };
}

export function startEffect({ seed, speed }: StartArguments): string {
  const speedSentence = speed === undefined
    ? "Market time keeps its speed."
    : `Market time passes ${
      quantity(speed)
    } times as fast as real time, for the whole market, until the run is stopped.`;
  return `The personas of the preset connect and trade with everybody in this market; their trades stay. ${speedSentence} ` +
    (seed === undefined ? "The simulator chooses a seed." : `The seed is ${seed}.`);
}

interface Trigger {
  readonly type: string;
  readonly node?: string;
  readonly size: number;
  readonly durationHours: number;
}

export function triggerEffect({ type, node, size, durationHours }: Trigger, nodes: readonly string[]): string {
  const where = node ?? (nodes.length === 0 ? "both nodes" : nodes.join(" and "));
  const strength = size === 1 ? "typical size" : `${quantity(size)} times the typical size`;
  const effect = EFFECTS[type as SpotEventType] ?? "Prices change";
  return `${effect}: at once at ${where}, with ${strength}, expected to fade over ${
    quantity(durationHours)
  } hours of ` +
    "market time. It can't be taken back, and each call adds another event.";
}

interface NumberGiven {
  /** Null: nothing is given, or it is no such number. */
  readonly value: number | null;
  readonly fault: string | null;
}

/** A number that a person has typed. */
export function numberIn(
  name: string,
  text: string,
  least: number,
  most: number,
  { isWhole = false } = {},
): NumberGiven {
  const trimmed = text.trim();
  if (trimmed === "") return { value: null, fault: null };
  const value = Number(trimmed);
  const fits = Number.isFinite(value) && value >= least && value <= most && (!isWhole || Number.isInteger(value));
  if (fits) return { value, fault: null };
  const kind = isWhole ? "a whole number" : "a number";
  return { value: null, fault: `${name} must be ${kind} from ${quantity(least)} to ${quantity(most)}` };
}
