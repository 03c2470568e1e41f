// Times of the market, in the market's time zone.

import { NONE } from "./format.ts";

type Time = string | number | null | undefined;

const OPTIONS = {
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  minutes: { hour: "2-digit", minute: "2-digit" },
  date: { weekday: "short", day: "numeric", month: "short" },
  dayMonth: { day: "numeric", month: "short" },
  dateTime: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  full: {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  },
  zone: { timeZoneName: "short" },
  clock: {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** What of a time is shown: `14:05:09`, `14:05`, `Mon, Nov 23`, `Nov 23`, `Nov 23, 14:05:09`, all of it. */
export type TimeParts = keyof typeof OPTIONS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** An ISO time, or milliseconds, in a time zone such as `America/Edmonton`. An unknown zone counts as UTC. */
export function time(value: Time, timezone: string, parts: TimeParts = "time"): string {
  const at = millisecondsOf(value);
  return Number.isNaN(at) ? NONE : formatOf(timezone, parts).format(at);
}

/** The parts of a valid time. */
export function timeParts(at: number, timezone: string, parts: TimeParts): Intl.DateTimeFormatPart[] {
  return formatOf(timezone, parts).formatToParts(at);
}

/** `MST`. */
export function zoneName(value: Time, timezone: string): string {
  const at = millisecondsOf(value);
  if (Number.isNaN(at)) return "";
  return timeParts(at, timezone, "zone").find(({ type }) => type === "timeZoneName")?.value ?? timezone;
}

/** 4200: `4 s`; 125000: `2 min`. The largest unit alone, rounded down. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** `5 min ago`, `in 2 h`, `now`. */
export function age(value: Time, now: number): string {
  const at = millisecondsOf(value);
  if (Number.isNaN(at)) return "";
  const difference = now - at;
  if (Math.abs(difference) < 1_000) return "now";
  return difference > 0 ? `${duration(difference)} ago` : `in ${duration(-difference)}`;
}

/** 3750000: `1:02:30`; 65000: `1:05`. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** NaN without a time. */
function millisecondsOf(value: Time): number {
  return value === null || value === undefined ? NaN : new Date(value).getTime();
}

function formatOf(timezone: string, parts: TimeParts): Intl.DateTimeFormat {
  const key = `${timezone} ${parts}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = newFormat(timezone, parts);
  formats.set(key, made);
  return made;
}

function newFormat(timezone: string, parts: TimeParts): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", { ...OPTIONS[parts], hourCycle: "h23", timeZone: timezone });
  } catch {
    // A RangeError: this browser does not know the zone.
    return new Intl.DateTimeFormat("en-US", { ...OPTIONS[parts], hourCycle: "h23", timeZone: "UTC" });
  }
}
