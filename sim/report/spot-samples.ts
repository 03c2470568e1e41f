// The spot prices of some nodes over a time of any length, as a picture shows them: by bucket of time, by hour of the day, and
// how often each price occurred.
//
// Memory: the buckets, and a count for each price that occurred.

import type { LocalCalendar } from "../spot/local-calendar.ts";
import { NodeCalendars } from "../spot/node-calendars.ts";
import type { SpotRegime } from "../spot/spot-prices.ts";
import { TimeBuckets } from "./time-buckets.ts";

/** Prices of one node in a bucket, in cents/MWh. */
export interface SpotBucket {
  low: number;
  high: number;
  sum: number;
  count: number;
  spikes: number;
  drops: number;
}

export interface NodeSamples {
  readonly name: string;
  readonly buckets: TimeBuckets<SpotBucket>;
  /** Sum and count by local hour of the day. */
  readonly hours: readonly { sum: number; count: number }[];
  /** How often each price occurred. */
  readonly prices: Map<number, number>;
}

/** How often the line between the nodes was congested. */
interface Congestion {
  count: number;
  congested: number;
}

const MOST_BUCKETS = 744;

export class SpotSamples {
  readonly nodes: readonly NodeSamples[];
  readonly congestion: TimeBuckets<Congestion>;
  /** Of each node. */
  readonly #calendars: readonly LocalCalendar[];

  /** `timezone`: of the axis of time. `calendars`: of the nodes' hours of the day; absent: those of the same time zone. */
  constructor(
    readonly start: number,
    stepMs: number,
    names: readonly string[],
    readonly timezone: string,
    calendars = new NodeCalendars(() => timezone),
  ) {
    this.nodes = names.map((name) => ({
      name,
      buckets: new TimeBuckets(start, stepMs, MOST_BUCKETS, mergedSpot),
      hours: Array.from({ length: 24 }, () => ({ sum: 0, count: 0 })),
      prices: new Map(),
    }));
    this.congestion = new TimeBuckets(start, stepMs, MOST_BUCKETS, (earlier, later) => {
      earlier.count += later.count;
      earlier.congested += later.congested;
      return earlier;
    });
    this.#calendars = names.map((name) => calendars.at(name));
  }

  /** Times of one node only grow. */
  add(place: number, time: number, cents: number, regime: SpotRegime): void {
    const [node, calendar] = [this.nodes[place], this.#calendars[place]];
    if (node === undefined || calendar === undefined) return;
    const bucket = node.buckets.at(time, () => ({ low: cents, high: cents, sum: 0, count: 0, spikes: 0, drops: 0 }));
    bucket.low = Math.min(bucket.low, cents);
    bucket.high = Math.max(bucket.high, cents);
    bucket.sum += cents;
    bucket.count += 1;
    if (regime === "spike") bucket.spikes += 1;
    if (regime === "drop") bucket.drops += 1;
    calendar.moveTo(time);
    const hour = node.hours[calendar.hour];
    if (hour !== undefined) {
      hour.sum += cents;
      hour.count += 1;
    }
    node.prices.set(cents, (node.prices.get(cents) ?? 0) + 1);
  }

  addCongestion(time: number, isCongested: boolean): void {
    const bucket = this.congestion.at(time, () => ({ count: 0, congested: 0 }));
    bucket.count += 1;
    if (isCongested) bucket.congested += 1;
  }
}

function mergedSpot(earlier: SpotBucket, later: SpotBucket): SpotBucket {
  earlier.low = Math.min(earlier.low, later.low);
  earlier.high = Math.max(earlier.high, later.high);
  earlier.sum += later.sum;
  earlier.count += later.count;
  earlier.spikes += later.spikes;
  earlier.drops += later.drops;
  return earlier;
}

/** Share of the time, in percent, in which the price was at least so many cents: from 0 at the highest price to 100. */
export function durationCurve(prices: ReadonlyMap<number, number>, points: number): [percent: number, cents: number][] {
  const descending = [...prices].sort(([a], [b]) => b - a);
  const total = descending.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return [];
  const curve: [number, number][] = [];
  let [at, passed] = [0, 0];
  for (let point = 0; point < points; point++) {
    const rank = point / (points - 1) * (total - 1);
    while (passed + (descending[at]?.[1] ?? Infinity) <= rank) passed += descending[at++]?.[1] ?? 0;
    curve.push([100 * point / (points - 1), descending[at]?.[0] ?? NaN]);
  }
  return curve;
}
