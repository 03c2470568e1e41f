// Times as ISO texts. Most texts of a call have the call's time, so the last one is kept. Most calls are made on the day of
// the one before, so only the time of the day is written anew.

import { DAY_MS } from "../protocol/time-units.ts";

let lastTime = NaN;
let lastText = "";
let lastDay = NaN;
/** "2026-01-14T" */
let dayText = "";

/** "00" to "99". */
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

/** `time`: milliseconds since the epoch. Throws a RangeError if that is not a time. */
export function isoTime(time: number): string {
  if (time === lastTime) return lastText;
  const day = Math.floor(time / DAY_MS);
  if (day !== lastDay) {
    dayText = new Date(time).toISOString().slice(0, -"00:00:00.000Z".length);
    lastDay = day;
  }
  lastText = dayText + timeOfDay(time - day * DAY_MS);
  lastTime = time;
  return lastText;
}

/** `milliseconds`: since midnight. */
function timeOfDay(milliseconds: number): string {
  const whole = milliseconds | 0;
  const seconds = (whole / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const rest = whole - seconds * 1000;
  return `${TWO_DIGITS[(minutes / 60) | 0]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}.` +
    `${(rest / 100) | 0}${TWO_DIGITS[rest % 100]}Z`;
}
