// The days that an audit query covers: whole UTC days, both ends included (specification: day granularity). So -1h starts
// at the beginning of that UTC day, and startTime may be later than endTime if both are on one day.

import { ToolError } from "../../core/error.ts";

const DAY_MS = 86_400_000;
/** Number of days if no start is given; they end with the last day. */
const DEFAULT_DAYS = 7;

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS };
const RELATIVE = /^-(\d{1,6})([mhd])$/;
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

interface DayRange {
  /** First day, YYYY-MM-DD. */
  readonly from: string;
  /** Last day, included. */
  readonly to: string;
}

/**
 * `startTime` is an ISO timestamp or relative to `now` (-30m, -1h, -7d), `endTime` an ISO timestamp; `now` is in
 * milliseconds. Throws ToolError `invalid_input`.
 */
export function dayRange(startTime: string | undefined, endTime: string | undefined, now: number): DayRange {
  const end = endTime === undefined ? now : isoTime("endTime", endTime);
  const start = startTime === undefined ? end - (DEFAULT_DAYS - 1) * DAY_MS : startOf(startTime, now);
  const range = { from: dayOf(start), to: dayOf(end) };
  if (range.from <= range.to) return range;
  throw new ToolError(
    "invalid_input",
    `The day of startTime (${range.from}) is after the day of endTime (${range.to}).`,
    "Give a startTime whose UTC day is not after the UTC day of endTime, which is today if endTime is absent.",
  );
}

function startOf(startTime: string, now: number): number {
  const [, amount, unit] = RELATIVE.exec(startTime) ?? [];
  if (amount === undefined || unit === undefined) return isoTime("startTime", startTime);
  return Math.max(0, now - Number(amount) * (UNIT_MS[unit] ?? DAY_MS));
}

/** Milliseconds since the epoch. A time without an offset is UTC. */
function isoTime(field: string, value: string): number {
  const hasOffset = /T.*(Z|[+-]\d{2}:\d{2})$/.test(value);
  const time = ISO.test(value) ? Date.parse(hasOffset || !value.includes("T") ? value : `${value}Z`) : NaN;
  if (Number.isFinite(time) && isCalendarDay(value.slice(0, 10))) return time;
  throw new ToolError(
    "invalid_input",
    `${field} ${JSON.stringify(value)} is not a time.`,
    field === "startTime"
      ? "Give an ISO timestamp such as 2026-03-01T00:00:00Z, or a time before now such as -1h, -30m, -7d."
      : "Give an ISO timestamp such as 2026-03-01T00:00:00Z.",
  );
}

/** Needed because Date.parse reads 30 February as 2 March. */
function isCalendarDay(day: string): boolean {
  return new Date(Date.parse(day)).toISOString().startsWith(day);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
