// Marks of an axis of time, at round local times, also on days when clocks change. Times are seconds since 1970.

import { zoneOffset } from "./chart-time.ts";
import { beginOfDay, beginOfNextDay } from "./local-day.ts";
import { time } from "./time-format.ts";

interface TimeMark {
  readonly at: number;
  /** `06:00`, `Nov 24`, `Mar`, `2027`. */
  readonly label: string;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A zone's offset is a multiple of a quarter of an hour. */
const QUARTER = HOUR / 4;
const HOURS = [1, 2, 3, 6, 12];
const DAYS = [1, 2, 7, 14];
const MONTHS = [1, 2, 3, 6, 12];

/** At most about `most` marks from `from` to `to`. */
export function timeMarks(from: number, to: number, timezone: string, most: number): TimeMark[] {
  const span = to - from;
  const hours = HOURS.find((each) => span / (each * HOUR) <= most);
  if (hours !== undefined) return hourMarks(from, to, timezone, hours);
  const days = DAYS.find((each) => span / (each * DAY) <= most);
  if (days !== undefined) return dayMarks(from, to, timezone, days);
  return monthMarks(from, to, timezone, MONTHS.find((each) => span / (each * 30 * DAY) <= most) ?? 24);
}

function hourMarks(from: number, to: number, timezone: string, hours: number): TimeMark[] {
  const marks: TimeMark[] = [];
  for (let at = Math.ceil(from / QUARTER) * QUARTER; at <= to; at += QUARTER) {
    const local = (at + zoneOffset(at, timezone)) % DAY;
    if (local % (hours * HOUR) !== 0) continue;
    marks.push({ at, label: time(at * 1_000, timezone, local === 0 ? "dayMonth" : "minutes") });
  }
  return marks;
}

function dayMarks(from: number, to: number, timezone: string, days: number): TimeMark[] {
  const marks: TimeMark[] = [];
  for (let at = beginOfDay(from, timezone); at <= to; at = beginOfNextDay(at, timezone)) {
    // Days since Monday, 5 January 1970: weeks begin on Mondays.
    const day = Math.floor((at + zoneOffset(at, timezone)) / DAY) - 4;
    if (at >= from && day % days === 0) marks.push({ at, label: time(at * 1_000, timezone, "dayMonth") });
  }
  return marks;
}

function monthMarks(from: number, to: number, timezone: string, months: number): TimeMark[] {
  const marks: TimeMark[] = [];
  const first = new Date((from + zoneOffset(from, timezone)) * 1_000);
  for (let month = first.getUTCFullYear() * 12 + first.getUTCMonth();; month++) {
    const local = Date.UTC(Math.floor(month / 12), month % 12, 1) / 1_000;
    const at = beginOfDay(local - zoneOffset(local, timezone) + DAY / 2, timezone);
    if (at > to) return marks;
    if (at < from || month % months !== 0) continue;
    const label = month % 12 === 0 ? String(Math.floor(month / 12)) : monthName(local);
    marks.push({ at, label });
  }
}

function monthName(local: number): string {
  return new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" }).format(local * 1_000);
}
