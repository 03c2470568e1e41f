// The effects of events on prices. An event has a lift, in normal prices, which is added to the price of its node;
// factors on the probabilities that spikes and drops begin; and a factor on the price level. The sizes are our choice:
// an event of size 1 is clearly visible, but not the event of the decade.

import type { Hazards } from "./regimes.ts";
import { SPOT_EVENT_TYPES, type SpotEvent, type SpotEventRequest, type SpotEventType } from "./spot-prices.ts";

/** For size 1. Values are logarithms, so that a size is a multiplier. */
interface EventProfile {
  /** Log of the ratio to which a base price of ratio 1 rises. */
  readonly lift?: number;
  /** Log of the factor on the level, that is on normal prices. */
  readonly level?: number;
  readonly spikes?: number;
  readonly drops?: number;
  /** Local hours (from, until) with the full lift; in other hours the lift is multiplied by `otherwise`. */
  readonly hours?: readonly (readonly [from: number, until: number])[];
  readonly otherwise?: number;
}

const EVENT_PROFILES: Readonly<Record<SpotEventType, EventProfile>> = {
  heat_wave: { lift: 0.5, spikes: 1.2, drops: -1, hours: [[12, 21]], otherwise: 0.3 },
  cold_snap: { lift: 0.5, spikes: 1.2, drops: -1, hours: [[5, 10], [17, 22]], otherwise: 0.5 },
  plant_outage: { lift: 0.3, spikes: 1.4, drops: -0.7 },
  line_congestion: { lift: 0.5 },
  renewable_surplus: { lift: -0.6, spikes: -0.7, drops: 1.8, hours: [[9, 17]], otherwise: 0.6 },
  fuel_shock: { level: 0.35 },
  demand_drop: { lift: -0.4, spikes: -1, drops: 1 },
};

export const EVENT_SIZE = { least: 0.1, most: 5 } as const;
export const EVENT_HOURS = { least: 0.25, most: 8760 } as const;
const MAX_EVENTS = 100;
const HOUR_MS = 3_600_000;

/** The fault of a request while this many events act, as a message for its sender; null if there is none. */
export function eventFault(
  { type, node, size, durationHours }: SpotEventRequest,
  nodes: readonly string[],
  activeEvents: number,
): string | null {
  const range = (name: string, value: number, { least, most }: { least: number; most: number }) =>
    value >= least && value <= most ? null : `${name} must be from ${least} to ${most}, not ${value}`;
  if (!SPOT_EVENT_TYPES.includes(type)) return `type must be one of ${SPOT_EVENT_TYPES.join(", ")}, not ${type}`;
  if (node !== null && !nodes.includes(node)) return `node must be one of ${nodes.join(", ")}, not ${node}`;
  const fault = range("size", size, EVENT_SIZE) ?? range("durationHours", durationHours, EVENT_HOURS);
  if (fault !== null || activeEvents < MAX_EVENTS) return fault;
  return `${MAX_EVENTS} events are active already: wait until one has ended`;
}

/**
 * The share of an event's size that acts at `time`: 1 in the first half of its duration, then falling to 0 at its end.
 */
export function remainingOf({ startTime, endTime }: SpotEvent, time: number): number {
  if (time < startTime || time >= endTime) return 0;
  return Math.min(1, 2 * (endTime - time) / (endTime - startTime));
}

/** The combined effects on one node at one time. */
export interface Effects {
  /** Added to the price, in normal prices. */
  readonly lift: number;
  /** Factor on the level. */
  readonly level: number;
  readonly hazards: Hazards;
}

export const NO_EFFECTS: Effects = { lift: 0, level: 1, hazards: { spikes: 1, drops: 1 } };

/** `localHour`: local hour of `time`. `isSecond`: whether `node` is the second of the two. */
export function effectsOn(
  node: string,
  isSecond: boolean,
  events: readonly SpotEvent[],
  time: number,
  localHour: number,
): Effects {
  let [lift, level, spikes, drops] = [0, 0, 0, 0];
  for (const event of events) {
    if (!actsOn(event, node, isSecond)) continue;
    const profile = EVENT_PROFILES[event.type];
    const size = event.size * remainingOf(event, time);
    lift += Math.expm1((profile.lift ?? 0) * size) * weightOf(profile, localHour);
    level += (profile.level ?? 0) * size;
    spikes += (profile.spikes ?? 0) * size;
    drops += (profile.drops ?? 0) * size;
  }
  if (lift === 0 && level === 0 && spikes === 0 && drops === 0) return NO_EFFECTS;
  return { lift, level: Math.exp(level), hazards: { spikes: Math.exp(spikes), drops: Math.exp(drops) } };
}

/** Congestion without a named node raises the price of the second node only. */
function actsOn({ type, node }: SpotEvent, name: string, isSecond: boolean): boolean {
  if (node !== null) return node === name;
  return type !== "line_congestion" || isSecond;
}

function weightOf({ hours, otherwise = 1 }: EventProfile, localHour: number): number {
  const acts = hours === undefined || hours.some(([from, until]) => localHour >= from && localHour < until);
  return acts ? 1 : otherwise;
}

export function endOf(startTime: number, durationHours: number): number {
  return startTime + durationHours * HOUR_MS;
}
