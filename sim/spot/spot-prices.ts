// The interface of spot prices: points of price and regime at two nodes, events that act on them, and expected prices
// of deliveries. The model is described in docs/spot-model.md.
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
  /** Whether the line between the nodes is congested: their prices then differ. */
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
  /** Null: both nodes. */
  readonly node: string | null;
  /** 1 is an event of a kind seen a few times a year; from 0.1 to 5. */
  readonly size: number;
  /** From 0.25 to 8760. The event fades during the second half and is over at the end. */
  readonly durationHours: number;
  /** From 0 to 1; absent: 0. A false alarm is one after half an hour. */
  readonly falseAlarmChance?: number;
  /** When it begins; absent, or before the announcement: with it. */
  readonly startTime?: number;
  /** When the market learns of it; absent, or before the present: now. */
  readonly announcedTime?: number;
}

/** An event as it is announced: its size and end are expected ones (event-course.ts). */
export interface SpotEvent extends Pick<SpotEventRequest, "type" | "node" | "size" | "durationHours"> {
  readonly id: string;
  readonly startTime: number;
  readonly endTime: number;
}

/** An event as it is known now. */
export interface ActiveSpotEvent extends SpotEvent {
  /** The expected share of its size that still acts, from 1 to 0. */
  readonly remaining: number;
}

/** base: every hour; peak: 06:00 to 22:00 local time on weekdays. */
export type DeliveryShape = "base" | "peak";

/** Time only moves forward. */
export interface SpotPrices {
  readonly nodes: readonly [string, string];
  /**
   * Advances to `time` and returns the new points: one for each node every 5 minutes. Twelve make up the hour's price.
   */
  advanceTo(time: number): SpotPoint[];
  current(node: string): SpotPoint;
  /** The hourly points of the last hours, including the hour in progress, oldest first. */
  history(hours: number): SpotPoint[];
  /** Takes effect from the first new point at or after its start. Throws RangeError for an invalid request (`eventFault`). */
  trigger(request: SpotEventRequest): SpotEvent;
  /** Recomputes the latest point of each node with the events triggered since. */
  reprice(): SpotPoint[];
  readonly activeEvents: readonly ActiveSpotEvent[];
  /** The present factor of fuel shocks on a node's fuel prices; 1 without any. Throws RangeError for an unknown node. */
  fuelFactor(node: string): number;
  /** Grows with every 5-minute step and every event. The expected prices of one vintage never change. */
  readonly vintage: number;
  /**
   * The expected mean price of a delivery, in cents/MWh, given everything known now. It moves at every 5-minute step:
   * with the state, with regimes and events, and with news of the next hour and the next day. For far deliveries it tends
   * to the seasonal mean. Throws RangeError for an unknown node, and for a
   * delivery that is empty or longer than 50 years.
   */
  expectedPrice(node: string, from: number, until: number, shape: DeliveryShape): number;
  /** How often the market was told something of an event: that it begins, how large it is, when it ends. */
  readonly announcements: number;
  /** The expected price without the last announcements, if they came since the last step; otherwise `expectedPrice`. */
  priceBeforeAnnouncements(node: string, from: number, until: number, shape: DeliveryShape): number;
}
