// Times as people write them: `10:32`, `yesterday 18:00`, `Mon 9:15`, `Nov 23 10:32`, `2026-11-23`, `-30m`, `2 h ago`,
// `10:00 to 10:45`. They are times of the market's time zone, also when its clocks are changed: a time that clocks skip is
// refused, and of a time that they show twice the first is meant, unless the name of its zone follows (`1:30 MST`).

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../protocol/time-units.ts";
import { zoneOffset } from "../../../components/chart-time.ts";
import { time, zoneName } from "../../../components/time-format.ts";

/** What somebody means by words for a time. Milliseconds since 1970. */
type Meant =
  /** `to` null: a moment. `note`: what was decided for the writer. */
  | { readonly from: number; readonly to: number | null; readonly note: string | null }
  | { readonly problem: string };

interface Present {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Such as `America/Edmonton`. */
  readonly timezone: string;
}

const EXAMPLES = 'Write a time such as "10:32", "yesterday 18:00", "Nov 23 10:32", "30 min ago" or "10:00 to 10:45".';
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const MONTHS = "january february march april may june july august september october november december".split(" ");

const AGO = /^(?:-(\d{1,5}) ?([mhd])|(\d{1,5}) ?(m|h|d)[a-z]* ago)$/;
const ISO = /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(z|[+-]\d{2}:\d{2})$/;
/** After any time of a range: all of it is in UTC. */
const UTC = /(?<=\d|m) (utc|gmt)\b/g;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])m)?$|^(\d{1,2}) ?(?:([ap])m|h)$/;
const RANGE = /^(.+?) *(?: to | until |–|\.\.| - ) *(.+)$|^(\d{1,2}:\d{2}(?::\d{2})?)-(\d{1,2}:\d{2}(?::\d{2})?)$/;

/** A calendar day, as the midnight of UTC with the same date. */
type Day = number;

interface Parts {
  /** Null: not said. */
  readonly day: Day | null;
  /** Milliseconds after midnight; null: not said. */
  readonly clock: number | null;
  /** Such as `mst`; null: not said. */
  readonly zone: string | null;
  /** Milliseconds to the same a day or a week before, if the newest that is not in the future is meant; null: only one is. */
  readonly every: number | null;
}

/** The times that `text` means. */
export function timesMeant(text: string, { now, timezone }: Present): Meant {
  const said = text.trim().toLowerCase().replace(/\s+/g, " ").replace(/, | at /g, " ");
  const words = said.replace(UTC, "");
  const present = { now, timezone: words === said ? timezone : "UTC" };
  const [, first, second, firstClock, secondClock] = RANGE.exec(words) ?? [];
  const [begin, end] = [first ?? firstClock, second ?? secondClock];
  const meant = begin === undefined || end === undefined ? momentOf(words, present) : rangeOf(begin, end, present);
  if ("problem" in meant) return meant;
  if (meant.from <= now) return meant;
  return { problem: `That has not come yet: it is ${time(now, timezone, "full")}.` };
}

function rangeOf(begin: string, end: string, present: Present): Meant {
  const from = momentOf(begin, present);
  if ("problem" in from) return from;
  const parts = partsOf(end, present);
  const isClockOnly = parts !== null && parts.day === null && parts.clock !== null;
  // The end is on the day of the begin, or after midnight.
  const day = localDay(from.from, present.timezone);
  const sameDay = isClockOnly ? instantMeant({ ...parts, day }, present) : null;
  const isLater = sameDay !== null && !("problem" in sameDay) && sameDay.from > from.from;
  const to = sameDay === null
    ? momentOf(end, present)
    : isLater || "problem" in sameDay
    ? sameDay
    : instantMeant({ ...parts!, day: day + DAY_MS }, present);
  if ("problem" in to) return to;
  const last = to.to ?? to.from;
  if (last <= from.from) return { problem: "The end is not after the begin." };
  return { from: from.from, to: last, note: from.note ?? to.note };
}

function momentOf(words: string, present: Present): Meant {
  if (words === "now") return { from: present.now, to: null, note: null };
  const [, amount, unit, amountAgo, unitAgo] = AGO.exec(words) ?? [];
  const length = UNITS[unit ?? unitAgo ?? ""];
  if (length !== undefined) return { from: present.now - Number(amount ?? amountAgo) * length, to: null, note: null };
  if (ISO.test(words)) {
    const from = Date.parse(words.toUpperCase());
    return Number.isNaN(from) ? unknown(words) : { from, to: null, note: null };
  }
  const parts = partsOf(words, present);
  if (parts === null) return unknown(words);
  const { day, clock, every } = parts;
  const today = localDay(present.now, present.timezone);
  if (day === null) return latest({ ...parts, day: today, every: DAY_MS }, present);
  return every === null ? wholeOrMoment({ ...parts, day, clock }, present) : latest({ ...parts, day }, present);
}

/** The newest of a time's repetitions that is not in the future. */
function latest(parts: Parts & { readonly day: Day }, present: Present): Meant {
  const meant = wholeOrMoment(parts, present);
  if ("problem" in meant || meant.from <= present.now || parts.every === null) return meant;
  return wholeOrMoment({ ...parts, day: parts.day - parts.every }, present);
}

function wholeOrMoment(parts: Parts & { readonly day: Day }, present: Present): Meant {
  if (parts.clock !== null) return instantMeant(parts, present);
  return {
    from: startOfDay(parts.day, present.timezone),
    to: startOfDay(parts.day + DAY_MS, present.timezone),
    note: null,
  };
}

function unknown(words: string): Meant {
  return { problem: words === "" ? EXAMPLES : `"${words}" is no time that is understood. ${EXAMPLES}` };
}

/** Null if the words are no day, no clock and no both. */
function partsOf(words: string, present: Present): Parts | null {
  const zone = /(?<=[\dm] )([a-z]{2,5})$/.exec(words)?.[1];
  const isZone = zone !== undefined && !["am", "pm"].includes(zone) && placeOf(zone, MONTHS) === -1;
  const rest = isZone ? words.slice(0, -zone.length - 1) : words;
  for (let cut = 0; cut !== -1; cut = rest.indexOf(" ", cut + 1)) {
    const clock = clockOf(cut === 0 ? rest : rest.slice(cut + 1));
    if (clock === null) continue;
    const day = cut === 0 ? { day: null, every: null } : dayNamed(rest.slice(0, cut), present);
    if (day !== null) return { ...day, clock, zone: isZone ? zone : null };
  }
  const day = isZone ? null : dayNamed(words, present);
  return day === null ? null : { ...day, clock: null, zone: null };
}

/** Milliseconds after midnight; null if it is none. */
function clockOf(words: string): number | null {
  const [, hour, minute = "0", second = "0", half, hourAlone, halfAlone] = CLOCK.exec(words) ?? [];
  const given = Number(hour ?? hourAlone ?? NaN);
  const noon = half ?? halfAlone;
  const isTwelve = noon !== undefined;
  const hours = isTwelve ? given % 12 + (noon === "p" ? 12 : 0) : given;
  const isValid = (isTwelve ? given >= 1 && given <= 12 : given <= 23) && Number(minute) <= 59 && Number(second) <= 59;
  return isValid ? hours * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * 1_000 : null;
}

function dayNamed(words: string, present: Present): Pick<Parts, "day" | "every"> | null {
  const today = localDay(present.now, present.timezone);
  if (words === "today") return { day: today, every: null };
  if (words === "yesterday") return { day: today - DAY_MS, every: null };
  const weekday = placeOf(words, WEEKDAYS);
  if (weekday !== -1) {
    const back = (new Date(today).getUTCDay() - weekday + 7) % 7;
    return { day: today - back * DAY_MS, every: 7 * DAY_MS };
  }
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(words) ?? [];
  if (year !== undefined) return dated(Number(year), Number(month) - 1, Number(day));
  const [, a = "", b = "", named] = /^([a-z]{3,9}|\d{1,2}) ([a-z]{3,9}|\d{1,2})(?: (\d{4}))?$/.exec(words) ?? [];
  const [monthName, dayNumber] = /\d/.test(a) ? [b, a] : [a, b];
  const index = placeOf(monthName, MONTHS);
  if (index === -1 || !/^\d+$/.test(dayNumber)) return null;
  if (named !== undefined) return dated(Number(named), index, Number(dayNumber));
  const thisYear = new Date(today).getUTCFullYear();
  const found = dated(thisYear, index, Number(dayNumber));
  return found !== null && found.day! > today ? dated(thisYear - 1, index, Number(dayNumber)) : found;
}

/** The place of a name, or of a beginning of at least three letters; -1 if it is none. */
function placeOf(word: string, names: readonly string[]): number {
  return word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word));
}

/** Null if there is no such day. */
function dated(year: number, month: number, day: number): Pick<Parts, "day" | "every"> | null {
  const at = new Date(Date.UTC(year, month, day));
  return at.getUTCMonth() === month && at.getUTCDate() === day ? { day: at.getTime(), every: null } : null;
}

/** The moment at which the clocks of the market, or of the zone that is named, show a time of a day. */
function instantMeant({ day, clock, zone }: Parts & { readonly day: Day }, { timezone }: Present): Meant {
  const local = day + (clock ?? 0);
  const found = instantsOf(local, timezone);
  const shown = new Date(local).toISOString().slice(11, 16);
  const [first, second] = found;
  if (first === undefined) {
    return { problem: `Clocks did not show ${shown} on that day: they were set forward then.` };
  }
  if (zone !== null) {
    const named = found.find((instant) => zoneName(instant, timezone).toLowerCase() === zone);
    if (named !== undefined) return { from: named, to: null, note: null };
    return {
      problem: `The market's time is ${found.map((instant) => zoneName(instant, timezone)).join(" or ")} then.`,
    };
  }
  const note = second === undefined
    ? null
    : `Clocks showed ${shown} twice on that day. The first time is meant; for the ` +
      `second add ${zoneName(second, timezone)}.`;
  return { from: first, to: null, note };
}

/** When clocks show a local time, which is given as milliseconds of UTC: once, twice if they are set back, never if forward. */
export function instantsOf(local: number, timezone: string): number[] {
  const offsets = [-DAY_MS, DAY_MS].map((away) => zoneOffset((local + away) / 1_000, timezone) * 1_000);
  const found = offsets.map((offset) => local - offset).filter((instant) => localOf(instant, timezone) === local);
  return [...new Set(found)].sort((a, b) => a - b);
}

/** What the clocks show, as milliseconds of UTC. */
export function localOf(instant: number, timezone: string): number {
  return instant + zoneOffset(instant / 1_000, timezone) * 1_000;
}

/** The first moment of a local day. If midnight is skipped, the moment of the change. */
export function startOfDay(day: Day, timezone: string): number {
  return instantsOf(day, timezone)[0] ?? day - zoneOffset((day - DAY_MS) / 1_000, timezone) * 1_000;
}

/** The local day of a moment. */
export function localDay(instant: number, timezone: string): Day {
  return Math.floor(localOf(instant, timezone) / DAY_MS) * DAY_MS;
}
