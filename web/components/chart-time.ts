// The time axis of charts. The library draws times as UTC; so that days and hours begin at those of the market's time zone,
// every time is moved by the zone's offset. One offset serves the whole chart, since two would give two points the same
// time when clocks are set back. Labels are made from the true time, so they are right on both sides of such a change.

import type { UTCTimestamp } from "lightweight-charts";
import { time, timeParts } from "./time-format.ts";

const DAY = 86_400;
/** Of the beginning of a day of UTC, by time zone and day: a list of contracts asks for thousands of times of a few days. */
const offsets = new Map<string, number>();

/** Seconds that local time is ahead of UTC at `seconds`. An unknown zone counts as UTC. */
export function zoneOffset(seconds: number, timezone: string): number {
  const day = Math.floor(seconds / DAY);
  const atBegin = offsetOfDay(day, timezone);
  // No zone has ever changed its offset twice within a day.
  return atBegin === offsetOfDay(day + 1, timezone) ? atBegin : offsetAt(seconds, timezone);
}

function offsetOfDay(day: number, timezone: string): number {
  const key = `${timezone} ${day}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const made = offsetAt(day * DAY, timezone);
  offsets.set(key, made);
  return made;
}

function offsetAt(seconds: number, timezone: string): number {
  const parts = new Map(timeParts(seconds * 1_000, timezone, "clock").map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const local = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return local / 1_000 - Math.floor(seconds);
}

/** The time axis for points that end at `lastSeconds`. */
export class ChartTime {
  readonly offset: number;

  constructor(readonly timezone: string, lastSeconds: number) {
    this.offset = zoneOffset(lastSeconds, timezone);
  }

  /** The library's time of a true one. */
  toChart(seconds: number): UTCTimestamp {
    return seconds + this.offset as UTCTimestamp;
  }

  /** The true time of one of the library's. */
  fromChart(chartTime: number): number {
    return chartTime - this.offset;
  }

  /** A mark of the axis: `kind` 0 year, 1 month, 2 day, 3 time, 4 time with seconds. */
  mark(chartTime: number, kind: number): string {
    const at = this.fromChart(chartTime) * 1_000;
    if (kind === 0) {
      return new Intl.DateTimeFormat("en-US", { year: "numeric", timeZone: "UTC" }).format(chartTime * 1_000);
    }
    if (kind <= 2) return time(at, this.timezone, "dayMonth");
    return time(at, this.timezone, kind === 3 ? "minutes" : "time");
  }
}
