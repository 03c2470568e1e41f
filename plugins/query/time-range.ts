// The days that an audit query covers: whole UTC days, both ends included (specification: day granularity). So -1h starts
// at the beginning of that UTC day, and startTime may be later than endTime if both are on one day.
//
// A time is an ISO timestamp or date, a time before now (-30m, -1h, -7d), now, today or yesterday. Without an offset it is
// UTC.

import { dayOf } from "../../common/audit/audit-search.ts";
import { ToolError } from "../../core/error.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../protocol/time-units.ts";

/** Number of days if no start is given; they end with the last day. */
const DEFAULT_DAYS = 7;

const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
/** Days from now. */
const NAMED_DAYS: ReadonlyMap<string, number> = new Map([["now", 0], ["today", 0], ["yesterday", -1]]);
const RELATIVE = /^-(\d{1,6})([mhd])$/;
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

interface DayRange {
  /** First day, YYYY-MM-DD. */
  readonly from: string;
  /** Last day, included. */
  readonly to: string;
}

/** `now` is in milliseconds since the epoch. Throws ToolError `invalid_input`. */
export function dayRange(startTime: string | undefined, endTime: string | undefined, now: number): DayRange {
  const end = endTime === undefined ? now : timeOf("endTime", endTime, now);
  const start = startTime === undefined ? end - (DEFAULT_DAYS - 1) * DAY_MS : timeOf("startTime", startTime, now);
  const range = { from: dayOf(start), to: dayOf(end) };
  if (range.from <= range.to) return range;
  throw new ToolError(
    "invalid_input",
    `The day of startTime (${range.from}) is after the day of endTime (${range.to}).`,
    "Give a startTime whose UTC day is not after the UTC day of endTime, which is today if endTime is absent.",
  );
}

/** The UTC day of a time, YYYY-MM-DD. Throws ToolError `invalid_input`. */
export function dayNamed(field: string, value: string, now: number): string {
  return dayOf(timeOf(field, value, now));
}

/** Milliseconds since the epoch. */
function timeOf(field: string, value: string, now: number): number {
  const text = value.trim();
  const named = NAMED_DAYS.get(text.toLowerCase());
  if (named !== undefined) return now + named * DAY_MS;
  const [, amount, unit] = RELATIVE.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return Math.max(0, now - Number(amount) * (UNIT_MS[unit] ?? DAY_MS));
  const time = isoTime(text);
  if (time !== null) return time;
  throw new ToolError(
    "invalid_input",
    `${field} ${JSON.stringify(value)} is not a time.`,
    "Give an ISO timestamp such as 2026-03-01T00:00:00Z, a date such as 2026-03-01, a time before now such as -1h, -30m, " +
      "-7d, or today or yesterday.",
  );
}

/** Null if the text is no ISO time of a day that exists. */
function isoTime(text: string): number | null {
  if (!ISO.test(text)) return null;
  const isUtc = !text.includes("T") || /(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = Date.parse(isUtc ? text : `${text}Z`);
  return Number.isFinite(time) && isCalendarDay(text.slice(0, 10)) ? time : null;
}

/** Needed because Date.parse reads 30 February as 2 March. */
function isCalendarDay(day: string): boolean {
  return new Date(Date.parse(day)).toISOString().startsWith(day);
}
