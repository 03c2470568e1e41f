// Marks of a time axis at round local times of a time zone, also on days on which the clocks change.

import { DAY_MS, MINUTE_MS } from "../../protocol/time-units.ts";

export interface Mark {
  readonly value: number;
  readonly label: string;
}

const MINUTES = [1, 5, 15, 30, 60, 120, 180, 360, 720];
const DAYS = [1, 2, 7, 14];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120];
/** Every zone's offset is a multiple of it. */
const QUARTER_MS = 15 * MINUTE_MS;
const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** At most about `most` marks. The times are milliseconds since the epoch. Throws RangeError for an unknown time zone. */
export function timeMarks(start: number, end: number, timezone: string, most: number): Mark[] {
  const span = end - start;
  if (!(span > 0) || most < 1) return [];
  const minutes = MINUTES.find((each) => span / (each * MINUTE_MS) <= most);
  if (minutes !== undefined) return minuteMarks(start, end, timezone, minutes);
  const days = DAYS.find((each) => span / (each * DAY_MS) <= most);
  if (days !== undefined) return dayMarks(start, end, timezone, days);
  const months = MONTHS.find((each) => span / (each * 30 * DAY_MS) <= most) ?? 240;
  return monthMarks(start, end, timezone, months);
}

/** Such as 2026-03-02 06:00. */
export function localTime(time: number, timezone: string): string {
  const local = localAt(time, timezone);
  return `${local.toPlainDate()} ${clock(local)}`;
}

function minuteMarks(start: number, end: number, timezone: string, minutes: number): Mark[] {
  const step = Math.min(minutes * MINUTE_MS, QUARTER_MS);
  const marks: Mark[] = [];
  for (let time = Math.ceil(start / step) * step; time <= end; time += step) {
    const local = localAt(time, timezone);
    const minute = local.hour * 60 + local.minute;
    if (minute % minutes !== 0) continue;
    marks.push({ value: time, label: minute === 0 ? dayLabel(local) : clock(local) });
  }
  return marks;
}

function dayMarks(start: number, end: number, timezone: string, days: number): Mark[] {
  const marks: Mark[] = [];
  const first = localAt(start, timezone).toPlainDate();
  for (let date = first;; date = date.add({ days: 1 })) {
    const time = date.toZonedDateTime(timezone).epochMilliseconds;
    if (time > end) return marks;
    // Days since 1970, a Thursday: weeks begin on Mondays.
    const day = Math.round(Date.UTC(date.year, date.month - 1, date.day) / DAY_MS) + 3;
    if (time >= start && day % days === 0) marks.push({ value: time, label: dayLabel(date) });
  }
}

function monthMarks(start: number, end: number, timezone: string, months: number): Mark[] {
  const marks: Mark[] = [];
  const first = localAt(start, timezone).toPlainDate().with({ day: 1 });
  for (let date = first;; date = date.add({ months: 1 })) {
    const time = date.toZonedDateTime(timezone).epochMilliseconds;
    if (time > end) return marks;
    if (time < start || (date.year * 12 + date.month - 1) % months !== 0) continue;
    const label = date.month === 1 ? String(date.year) : `${MONTH_NAMES[date.month - 1]}`;
    marks.push({ value: time, label });
  }
}

function localAt(time: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(time)).toZonedDateTimeISO(timezone);
}

function dayLabel({ month, day }: { readonly month: number; readonly day: number }): string {
  return `${MONTH_NAMES[month - 1]} ${day}`;
}

function clock({ hour, minute }: Temporal.ZonedDateTime): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
