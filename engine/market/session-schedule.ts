// The session of a market's schedule at an instant, its status, and when the status changes next.
//
// A session belongs to the day on which it opens. Its preopen is on the day before if its local time is later than that of
// the opening. Its close is on the next day if its local time is not later than that of the opening. A session takes less
// than 24 hours from preopen to close, so there is time between sessions.
//
// Local times become instants in the market's time zone, and a later local time never becomes an earlier instant
// (local-time.ts). If a change of the clocks leaves a session no time to trade, the session is skipped. If it leaves no time
// between two sessions, the next one begins at the close.

import { instantOf, localDateAt } from "./local-time.ts";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];
const DAYS_SEARCHED = 15;
export const MINUTES_PER_DAY = 24 * 60;

/** Local times such as 08:30; the market opens on each of `days`. */
export interface SessionSchedule {
  readonly days: readonly Weekday[];
  readonly preopen: string;
  readonly open: string;
  readonly close: string;
}

/** The current session, or the next one if none is under way. Times in milliseconds since the epoch. */
export interface Session {
  readonly status: "preopen" | "open" | "closed";
  readonly preopen: number;
  readonly open: number;
  readonly close: number;
  /** When the status changes next. */
  readonly nextChange: number;
}

/** The session of a schedule at `now`. At the instant of the close the status is closed already. */
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

/** Minutes from preopen to close on a day on which clocks do not change. */
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
