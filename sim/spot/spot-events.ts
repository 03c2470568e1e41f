// The kinds of events. The sizes are our choice: an event of size 1 is clearly visible, but not the event of the decade.
// event-effects.ts says how events act on prices, and event-course.ts how long.

import { SPOT_EVENT_TYPES, type SpotEventRequest, type SpotEventType } from "./spot-prices.ts";

/** For size 1. Values are logarithms, so that a size is a multiplier. */
export interface EventProfile {
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

export const EVENT_PROFILES: Readonly<Record<SpotEventType, EventProfile>> = {
  heat_wave: { lift: 0.5, spikes: 1.2, drops: -1, hours: [[12, 21]], otherwise: 0.3 },
  cold_snap: { lift: 0.5, spikes: 1.2, drops: -1, hours: [[5, 10], [17, 22]], otherwise: 0.5 },
  plant_outage: { lift: 0.3, spikes: 1.4, drops: -0.7 },
  line_congestion: { lift: 0.5 },
  renewable_surplus: { lift: -0.6, spikes: -0.7, drops: 1.8, hours: [[9, 17]], otherwise: 0.6 },
  fuel_shock: { level: 0.35 },
  // A holiday, or a large consumer that is down.
  demand_drop: { lift: -0.4, spikes: -1, drops: 1 },
};

export const EVENT_SIZE = { least: 0.1, most: 5 } as const;
export const EVENT_HOURS = { least: 0.25, most: 8760 } as const;
const FALSE_ALARM_CHANCE = { least: 0, most: 1 } as const;
export const MAX_EVENTS = 100;

/** The fault of a request while this many events act, as a message for its sender; null if there is none. */
export function eventFault(
  { type, node, size, durationHours, falseAlarmChance = 0 }: SpotEventRequest,
  nodes: readonly string[],
  activeEvents: number,
): string | null {
  const range = (name: string, value: number, { least, most }: { least: number; most: number }) =>
    value >= least && value <= most ? null : `${name} must be from ${least} to ${most}, not ${value}`;
  if (!SPOT_EVENT_TYPES.includes(type)) return `type must be one of ${SPOT_EVENT_TYPES.join(", ")}, not ${type}`;
  if (node !== null && !nodes.includes(node)) return `node must be one of ${nodes.join(", ")}, not ${node}`;
  const fault = range("size", size, EVENT_SIZE) ?? range("durationHours", durationHours, EVENT_HOURS) ??
    range("falseAlarmChance", falseAlarmChance, FALSE_ALARM_CHANCE);
  if (fault !== null || activeEvents < MAX_EVENTS) return fault;
  return `${MAX_EVENTS} events are active already: wait until one has ended`;
}
