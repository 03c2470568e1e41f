// Times as callers write them: an instant, or a period of a market's calendar.
//
// 2030-01-31T08:00Z and 2030-01-31T08:00+01:00 are instants, and so is 2030-01-31T08:00 in the market's time zone. 2030-01-31,
// today, 2030-01, January 2030 and 2030 are periods in that zone. A month without a year is ambiguous, so it is no period.
// Seconds and fractions are optional.

/** From `start` up to, not including, `end`, in milliseconds since the epoch. An instant has `start` equal to `end`. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

interface Calendar {
  /** IANA name. */
  readonly timeZone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const CLOCK = String.raw`\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?`;
const INSTANT = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}[T ]${CLOCK}(Z|[+-]\d{2}:?\d{2})$`, "i");
const LOCAL_TIME = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}[T ]${CLOCK}$`, "i");
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^(\d{4})-(\d{2})$/;
const YEAR = /^\d{4}$/;
const NAMED_MONTH = /^(?:([a-z]{3,9})\.? (\d{4})|(\d{4}) ([a-z]{3,9}))$/;
const DAYS: ReadonlyMap<string, number> = new Map([["yesterday", -1], ["today", 0], ["tomorrow", 1]]);

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** Whether the text means the same instant in every time zone. */
export function isInstant(text: string): boolean {
  return INSTANT.test(text);
}

/** Null if the text is none of these, or no real date. */
export function periodOf(text: string, calendar: Calendar): Period | null {
  try {
    return parse(text.trim(), calendar);
  } catch (error) {
    // Temporal throws this for dates such as 30 February.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function parse(text: string, { timeZone, now }: Calendar): Period | null {
  if (INSTANT.test(text)) return instant(Temporal.Instant.from(text).epochMilliseconds);
  if (LOCAL_TIME.test(text)) {
    return instant(Temporal.PlainDateTime.from(text.replace(" ", "T")).toZonedDateTime(timeZone).epochMilliseconds);
  }
  const lower = text.toLowerCase();
  const days = DAYS.get(lower);
  if (days !== undefined) {
    const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
    return between(today.add({ days }), { days: 1 }, timeZone);
  }
  if (DATE.test(text)) return between(Temporal.PlainDate.from(text), { days: 1 }, timeZone);
  if (YEAR.test(text)) return between(dateOf(Number(text), 1), { years: 1 }, timeZone);
  const month = yearMonthOf(lower);
  return month === null ? null : between(dateOf(month.year, month.month), { months: 1 }, timeZone);
}

/** 1 to 12 for the English name of a month or its first three letters; null for other words. */
export function monthNumber(word: string): number | null {
  const lower = word.toLowerCase();
  const index = MONTHS.findIndex((name) => lower === name || lower === name.slice(0, 3));
  return index < 0 ? null : index + 1;
}

function yearMonthOf(text: string): { year: number; month: number } | null {
  const numeric = MONTH.exec(text);
  if (numeric !== null) return { year: Number(numeric[1]), month: Number(numeric[2]) };
  const named = NAMED_MONTH.exec(text);
  const month = monthNumber(named?.[1] ?? named?.[4] ?? "");
  return month === null ? null : { year: Number(named?.[2] ?? named?.[3]), month };
}

function dateOf(year: number, month: number): Temporal.PlainDate {
  return Temporal.PlainDate.from({ year, month, day: 1 }, { overflow: "reject" });
}

function between(date: Temporal.PlainDate, length: Temporal.DurationLike, timeZone: string): Period {
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return { start: startOf(date), end: startOf(date.add(length)) };
}

function instant(time: number): Period {
  return { start: time, end: time };
}
