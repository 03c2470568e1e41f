// Where a market's schedule stands at an instant: the session under way or the next one, and when that changes.
//
// Local times become instants in the market's time zone. A local time that occurs twice, where clocks are set back, is
// its first occurrence; one that is skipped, where clocks are set forward, is the instant of the change. So the times of
// a session never change their order. A session that a change of the clocks leaves without any time to trade is passed
// over.

import { instantOf, localDateAt } from "./local-time.ts";

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
const WEEKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAYS_SEARCHED = 15;

/** Local times such as 08:30, preopen <= open < close, on each of `days`. */
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
  for (let days = 0; days < DAYS_SEARCHED; days++) {
    const date = today.add({ days });
    const weekday = WEEKDAYS[date.dayOfWeek - 1];
    if (weekday === undefined || !schedule.days.includes(weekday)) continue;
    const preopen = instantOf(date, schedule.preopen, timezone);
    const open = instantOf(date, schedule.open, timezone);
    const close = instantOf(date, schedule.close, timezone);
    if (now < close && open < close) return { preopen, open, close, ...standing(preopen, open, close, now) };
  }
  throw new RangeError(`no session within ${DAYS_SEARCHED} days of ${today} in ${timezone}`);
}

function standing(preopen: number, open: number, close: number, now: number): Pick<Session, "status" | "nextChange"> {
  if (now >= open) return { status: "open", nextChange: close };
  if (now >= preopen) return { status: "preopen", nextChange: open };
  return { status: "closed", nextChange: preopen };
}
