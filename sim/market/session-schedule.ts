// Where a market's schedule stands at an instant: the session under way or the next one, and when that changes.
//
// A session belongs to the day on which it opens. Its preopen is the last one before that, on the day before if its local
// time is later than the opening time; its close the first one after it, on the next day if its local time is not later.
// From preopen to close a session takes less than 24 hours, so sessions don't overlap and there is a time between them.
//
// Local times become instants in the market's time zone (local-time.ts), so the times of a session never change their
// order. A session that a change of the clocks leaves without any time to trade is passed over. A change of the clocks can
// also leave no time between two sessions: the next one then begins at the close.

import { instantOf, localDateAt } from "./local-time.ts";

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
const WEEKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAYS_SEARCHED = 15;
export const MINUTES_PER_DAY = 24 * 60;

/** Local times such as 08:30; the market opens on each of `days`. */
export interface SessionSchedule {
  readonly days: readonly Weekday[];
  readonly preopen: string;
  readonly open: string;
  readonly close: string;
}

/** Times in milliseconds since the epoch; those of the session under way, else of the next one. */
export interface Session {
  readonly status: "preopen" | "open" | "closed";
  readonly preopen: number;
  readonly open: number;
  readonly close: number;
  /** When the status changes next. */
  readonly nextChange: number;
}

/** The session of a schedule at `now`. Each status begins at its instant: at the close it is closed. */
export function sessionAt(schedule: SessionSchedule, timezone: string, now: number): Session {
  const today = localDateAt(now, timezone);
  // Yesterday's session may still be under way.
  for (let days = -1; days < DAYS_SEARCHED; days++) {
    const date = today.add({ days });
    const weekday = WEEKDAYS[date.dayOfWeek - 1];
    if (weekday === undefined || !schedule.days.includes(weekday)) continue;
    const preopenDate = schedule.preopen > schedule.open ? date.subtract({ days: 1 }) : date;
    const closeDate = schedule.close > schedule.open ? date : date.add({ days: 1 });
    const preopen = instantOf(preopenDate, schedule.preopen, timezone);
    const open = instantOf(date, schedule.open, timezone);
    const close = instantOf(closeDate, schedule.close, timezone);
    if (now < close && open < close) return { preopen, open, close, ...statusAt(preopen, open, close, now) };
  }
  throw new RangeError(`no session within ${DAYS_SEARCHED} days of ${today} in ${timezone}`);
}

/** Minutes from preopen to close on a day without a change of the clocks. */
export function minutesOfSession({ preopen, open, close }: SessionSchedule): number {
  const untilOpen = (minuteOf(open) - minuteOf(preopen) + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  const untilClose = (minuteOf(close) - minuteOf(open) + MINUTES_PER_DAY) % MINUTES_PER_DAY || MINUTES_PER_DAY;
  return untilOpen + untilClose;
}

function minuteOf(time: string): number {
  const { hour, minute } = Temporal.PlainTime.from(time);
  return hour * 60 + minute;
}

function statusAt(preopen: number, open: number, close: number, now: number): Pick<Session, "status" | "nextChange"> {
  if (now >= open) return { status: "open", nextChange: close };
  if (now >= preopen) return { status: "preopen", nextChange: open };
  return { status: "closed", nextChange: preopen };
}
