// What spot prices are to whoever uses them: points of price and regime at two nodes, events that act on them, and
// what a delivery is expected to bring. The model behind: docs/spot-model.md.
//
// Prices are integer cents/MWh and may be negative; times are milliseconds since the epoch.

/** base: usual prices; spike: scarcity, above 2.5 times the usual price; drop: surplus, below a quarter of it. */
export type SpotRegime = "base" | "spike" | "drop";

/** The price of one node from `time` until the next point. */
export interface SpotPoint {
  readonly time: number;
  readonly node: string;
  readonly priceCents: number;
  readonly regime: SpotRegime;
  /** Whether the line between the nodes is congested, so that their prices part. */
  readonly congested: boolean;
}

export const SPOT_EVENT_TYPES = [
  "heat_wave",
  "cold_snap",
  "plant_outage",
  "line_congestion",
  "renewable_surplus",
  "fuel_shock",
  "demand_drop",
] as const;
export type SpotEventType = (typeof SPOT_EVENT_TYPES)[number];

export interface SpotEventRequest {
  readonly type: SpotEventType;
  /** null: both nodes. */
  readonly node: string | null;
  /** 1 is an event as it comes a few times a year; from 0.1 to 5. */
  readonly size: number;
  /** From 0.25 to 8760. The event fades over the second half of it, and is gone at its end. */
  readonly durationHours: number;
}

export interface SpotEvent extends SpotEventRequest {
  readonly id: string;
  readonly startTime: number;
  readonly endTime: number;
}

export interface ActiveSpotEvent extends SpotEvent {
  /** The share of its size that still acts, from 1 to 0. */
  readonly remaining: number;
}

/** base: every hour; peak: 06:00 to 22:00 local time on weekdays. */
export type DeliveryShape = "base" | "peak";

/** Spot prices as they come to be: time only goes forward. */
export interface SpotPrices {
  readonly nodes: readonly [string, string];
  /** The points after the last ones, up to `time`: one for each node every 5 minutes. Twelve make the hour's price. */
  advanceTo(time: number): SpotPoint[];
  current(node: string): SpotPoint;
  /** The hourly points of the last so many hours, the hour under way included, oldest first. */
  history(hours: number): SpotPoint[];
  /** Acts from the next point on. Throws RangeError for a request with a fault (`eventFault`). */
  trigger(request: SpotEventRequest): SpotEvent;
  /** Makes the latest point of each node anew, so that the events triggered since act on it too. */
  reprice(): SpotPoint[];
  readonly activeEvents: readonly ActiveSpotEvent[];
  /**
   * The mean price, in cents/MWh, that a delivery from `from` to `until` is expected to bring, given all that has
   * happened up to now: it moves with the state, regimes and events, and goes to the seasonal mean far out. Throws
   * RangeError for an unknown node, and a delivery that takes no time or more than 50 years.
   */
  expectedPrice(node: string, from: number, until: number, shape: DeliveryShape): number;
}
