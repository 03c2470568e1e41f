// Which delivery periods a listing rule lists at a time, and when that changes next.
//
// A rule lists consecutive periods of one kind. A period is listed until its delivery starts. Its listing begins on the
// first day of the period `ahead` periods earlier, at local time `at`. With ahead 1 and at 00:00, tomorrow's hours are
// listed from midnight on today. The list depends only on the rule and the time, so an engine that was stopped for months
// lists the same contracts as one that ran all the time.
//
// Periods follow the local calendar: days of 23 and 25 hours, months of 28 to 31 days, ISO weeks across the new year.
// Peak hours are 06:00 to 22:00 on weekdays, public holidays included. Peak days skip the weekend: on a Friday, Saturday
// or Sunday the next one is Monday.
//
// Cost: O(periods listed), with some calendar arithmetic for each.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { instantOf, localDateAt } from "./local-time.ts";

/** The delivery of one product: `hour` lists all hours of a day together. */
export const PERIOD_KINDS = ["hour", "base", "peak", "weekend", "week", "month", "quarter", "year"] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];
/** Which hours of a week, month, quarter or year are delivered. */
export type DeliveryHours = "base" | "peak";

export interface ListingRule {
  readonly kind: PeriodKind;
  readonly hours: DeliveryHours;
  /** How many periods after the current one are listed, at least 1. For hours: how many days. */
  readonly ahead: number;
  /** Local time of day such as 00:00. */
  readonly at: string;
  readonly timezone: string;
}

export interface DeliveryPeriod {
  /** `2026-03-08-H01`, `2026-03-08`, `2026-W11-WE`, `2026-W11`, `2026-04`, `2026-Q2`, `2026`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  /** Hours of delivery: less than end - start if there are peak hours of several days. */
  readonly hours: number;
}

const PEAK_START = "06:00";
const PEAK_END = "22:00";
const MIDNIGHT = "00:00";

/** The periods listed at `time` (milliseconds since the epoch), by start. */
export function periodsListedAt(rule: ListingRule, time: number): DeliveryPeriod[] {
  const today = localDateAt(time, rule.timezone);
  const current = firstDayOf(rule.kind, today);
  const periods: DeliveryPeriod[] = [];
  // The current period is included: some of its hours, or the peak of its first day, may not have started.
  for (let count = 0; count <= rule.ahead; count++) {
    const first = shifted(rule.kind, current, count);
    if (opensAt(rule, first) > time) break;
    periods.push(...deliveriesFrom(rule, first).filter(({ start }) => start > time));
  }
  return periods;
}

/** The first instant after `time` at which the rule lists further periods. */
export function nextListingAfter(rule: ListingRule, time: number): number {
  const current = firstDayOf(rule.kind, localDateAt(time, rule.timezone));
  for (let count = 0;; count++) {
    const opening = opensAt(rule, shifted(rule.kind, current, count + rule.ahead));
    if (opening > time) return opening;
  }
}

function opensAt({ kind, ahead, at, timezone }: ListingRule, first: Temporal.PlainDate): number {
  return instantOf(shifted(kind, first, -ahead), at, timezone);
}

/** The first day of the period that contains `day`; for peak days and weekends, of the current or latest one. */
function firstDayOf(kind: PeriodKind, day: Temporal.PlainDate): Temporal.PlainDate {
  switch (kind) {
    case "hour":
    case "base":
      return day;
    case "peak":
      return day.dayOfWeek <= 5 ? day : day.subtract({ days: day.dayOfWeek - 5 });
    case "weekend":
      return day.subtract({ days: (day.dayOfWeek + 1) % 7 });
    case "week":
      return day.subtract({ days: day.dayOfWeek - 1 });
    case "month":
      return day.with({ day: 1 });
    case "quarter":
      return day.with({ day: 1, month: day.month - (day.month - 1) % 3 });
    case "year":
      return day.with({ day: 1, month: 1 });
  }
}

/** The first day of the period `count` periods after the one that begins on `first`. */
function shifted(kind: PeriodKind, first: Temporal.PlainDate, count: number): Temporal.PlainDate {
  switch (kind) {
    case "hour":
    case "base":
      return first.add({ days: count });
    case "peak": {
      const weekday = first.dayOfWeek - 1 + count;
      const weeks = Math.floor(weekday / 5);
      return first.add({ days: count + 2 * weeks });
    }
    case "weekend":
    case "week":
      return first.add({ weeks: count });
    case "month":
      return first.add({ months: count });
    case "quarter":
      return first.add({ months: 3 * count });
    case "year":
      return first.add({ years: count });
  }
}

function deliveriesFrom(rule: ListingRule, first: Temporal.PlainDate): DeliveryPeriod[] {
  const { kind, timezone } = rule;
  const name = nameOf(kind, first);
  const after = kind === "weekend" ? first.add({ days: 2 }) : shifted(kind, first, 1);
  if (kind === "peak") return peakDelivery(name, first, first.add({ days: 1 }), timezone);
  if (rule.hours === "peak") return peakDelivery(name, first, after, timezone);
  const start = instantOf(first, MIDNIGHT, timezone);
  const end = instantOf(after, MIDNIGHT, timezone);
  if (kind !== "hour") return start < end ? [{ name, start, end, hours: (end - start) / HOUR_MS }] : [];
  return Array.from({ length: Math.ceil((end - start) / HOUR_MS) }, (_, index) => {
    const from = start + index * HOUR_MS;
    const until = Math.min(from + HOUR_MS, end);
    return { name: `${name}-H${twoDigits(index + 1)}`, start: from, end: until, hours: (until - from) / HOUR_MS };
  });
}

/** The peak hours of the weekdays from `first` to the day before `after`; empty if none is a weekday. */
function peakDelivery(
  name: string,
  first: Temporal.PlainDate,
  after: Temporal.PlainDate,
  timezone: string,
): DeliveryPeriod[] {
  let start: number | null = null;
  let end = 0;
  let duration = 0;
  for (let day = first; Temporal.PlainDate.compare(day, after) < 0; day = day.add({ days: 1 })) {
    if (day.dayOfWeek > 5) continue;
    const from = instantOf(day, PEAK_START, timezone);
    end = instantOf(day, PEAK_END, timezone);
    start ??= from;
    duration += end - from;
  }
  return start === null || duration === 0 ? [] : [{ name, start, end, hours: duration / HOUR_MS }];
}

function nameOf(kind: PeriodKind, first: Temporal.PlainDate): string {
  const week = () => `${first.yearOfWeek}-W${twoDigits(first.weekOfYear ?? 0)}`;
  switch (kind) {
    case "hour":
    case "base":
    case "peak":
      return first.toString();
    case "weekend":
      return `${week()}-WE`;
    case "week":
      return week();
    case "month":
      return first.toPlainYearMonth().toString();
    case "quarter":
      return `${first.year}-Q${(first.month + 2) / 3}`;
    case "year":
      return String(first.year);
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
