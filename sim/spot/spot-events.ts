// The kinds of events, and how long one lasts. The sizes are our choice: an event of size 1 is clearly visible, but not
// the event of the decade. event-effects.ts says how events act on prices.

import { SPOT_EVENT_TYPES, type SpotEvent, type SpotEventRequest, type SpotEventType } from "./spot-prices.ts";

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
  /**
   * Mean of the remaining life that the market expects, in hours. Nobody knows when an event ends, and an exponential
   * life has the same mean remaining life at any age.
   */
  readonly expectedHours: number;
}

export const EVENT_PROFILES: Readonly<Record<SpotEventType, EventProfile>> = {
  // Weather systems stay for a few days.
  heat_wave: { lift: 0.5, spikes: 1.2, drops: -1, hours: [[12, 21]], otherwise: 0.3, expectedHours: 48 },
  cold_snap: { lift: 0.5, spikes: 1.2, drops: -1, hours: [[5, 10], [17, 22]], otherwise: 0.5, expectedHours: 36 },
  // Most units that trip are back within a day; some need weeks.
  plant_outage: { lift: 0.3, spikes: 1.4, drops: -0.7, expectedHours: 24 },
  // A limit of the grid binds for some hours of a day.
  line_congestion: { lift: 0.5, expectedHours: 8 },
  // A windy or sunny spell; the sun sets.
  renewable_surplus: { lift: -0.6, spikes: -0.7, drops: 1.8, hours: [[9, 17]], otherwise: 0.6, expectedHours: 10 },
  // Fuel prices move slowly: gas markets need weeks to settle.
  fuel_shock: { level: 0.35, expectedHours: 240 },
  // A holiday, or a large consumer that is down.
  demand_drop: { lift: -0.4, spikes: -1, drops: 1, expectedHours: 24 },
};

export const EVENT_SIZE = { least: 0.1, most: 5 } as const;
export const EVENT_HOURS = { least: 0.25, most: 8760 } as const;
export const MAX_EVENTS = 100;

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
