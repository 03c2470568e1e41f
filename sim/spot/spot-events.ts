// What events do to prices. Each has a lift, in normal prices, that is added to its node's price; factors on the chances
// that spikes and drops begin; and a factor on the level itself. Their sizes are ours: an event of size 1 moves prices as
// such events visibly do, without being the event of the decade.

import type { Hazards } from "./regimes.ts";
import { SPOT_EVENT_TYPES, type SpotEvent, type SpotEventRequest, type SpotEventType } from "./spot-prices.ts";

/** For size 1: logarithms, so that sizes multiply. */
interface EventNature {
  /** Log of the ratio that a base price of ratio 1 goes to. */
  readonly lift?: number;
  /** Log of the factor on the level: normal prices themselves move. */
  readonly level?: number;
  readonly spikes?: number;
  readonly drops?: number;
  /** Local hours at which the lift acts whole, from and until; at others it acts by `otherwise`. */
  readonly hours?: readonly (readonly [from: number, until: number])[];
  readonly otherwise?: number;
}

const NATURES: Readonly<Record<SpotEventType, EventNature>> = {
  heat_wave: { lift: 0.5, spikes: 1.2, drops: -1, hours: [[12, 21]], otherwise: 0.3 },
  cold_snap: { lift: 0.5, spikes: 1.2, drops: -1, hours: [[5, 10], [17, 22]], otherwise: 0.5 },
  plant_outage: { lift: 0.3, spikes: 1.4, drops: -0.7 },
  line_congestion: { lift: 0.5 },
  renewable_surplus: { lift: -0.6, spikes: -0.7, drops: 1.8, hours: [[9, 17]], otherwise: 0.6 },
  fuel_shock: { level: 0.35 },
  demand_drop: { lift: -0.4, spikes: -1, drops: 1 },
};

const EVENT_SIZE = { least: 0.1, most: 5 } as const;
const EVENT_HOURS = { least: 0.25, most: 8760 } as const;
const MOST_EVENTS = 100;
const HOUR_MS = 3_600_000;

/** What is wrong with a request while so many events act, for whoever sent it; null where nothing is. */
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
  if (fault !== null || activeEvents < MOST_EVENTS) return fault;
  return `${MOST_EVENTS} events act already: wait until one has ended`;
}

/** The share of an event's size that acts at `time`: whole for the first half, then less by the hour, 0 from the end. */
export function remainingOf({ startTime, endTime }: SpotEvent, time: number): number {
  if (time < startTime || time >= endTime) return 0;
  return Math.min(1, 2 * (endTime - time) / (endTime - startTime));
}

/** All that acts on one node at one time. */
export interface Effects {
  /** In normal prices, added. */
  readonly lift: number;
  /** Factor on the level. */
  readonly level: number;
  readonly hazards: Hazards;
}

export const NO_EFFECTS: Effects = { lift: 0, level: 1, hazards: { spikes: 1, drops: 1 } };

/** `localHour` is that of `time` at the market; `isSecond` says which of the two nodes is meant. */
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
    const nature = NATURES[event.type];
    const size = event.size * remainingOf(event, time);
    lift += Math.expm1((nature.lift ?? 0) * size) * weightOf(nature, localHour);
    level += (nature.level ?? 0) * size;
    spikes += (nature.spikes ?? 0) * size;
    drops += (nature.drops ?? 0) * size;
  }
  if (lift === 0 && level === 0 && spikes === 0 && drops === 0) return NO_EFFECTS;
  return { lift, level: Math.exp(level), hazards: { spikes: Math.exp(spikes), drops: Math.exp(drops) } };
}

/** A congested line parts the nodes: without a node named, it is the second that becomes dear. */
function actsOn({ type, node }: SpotEvent, name: string, isSecond: boolean): boolean {
  if (node !== null) return node === name;
  return type !== "line_congestion" || isSecond;
}

function weightOf({ hours, otherwise = 1 }: EventNature, localHour: number): number {
  const acts = hours === undefined || hours.some(([from, until]) => localHour >= from && localHour < until);
  return acts ? 1 : otherwise;
}

export function endOf(startTime: number, durationHours: number): number {
  return startTime + durationHours * HOUR_MS;
}
