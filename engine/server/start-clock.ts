// The clock with which an engine starts, as its command line asks for it.
//
// A new market begins with it. A market from a data directory goes on from where it stands, in the mode that it had, unless
// another is asked for. It can't be started at another time.

import { UsageError } from "../../common/command-line.ts";
import { type ClockSetting, LOCKSTEP_CLOCK, REAL_CLOCK } from "../../protocol/index.ts";

export interface StartClock {
  /** Market time at the start, in milliseconds since the epoch; null: now, or where the market stands. */
  readonly start: number | null;
  /** Speed of market time; null: 1, or as it was. */
  readonly speed: number | null;
  /** Whether market time stands still until clock.advance moves it. */
  readonly lockstep: boolean;
}

export const AS_IT_WAS: StartClock = { start: null, speed: null, lockstep: false };

/** The clock and the time of a new market. `realNow`: milliseconds since the epoch. */
export function clockOfNewMarket(
  { start, speed, lockstep }: StartClock,
  realNow: number,
): { readonly clock: ClockSetting; readonly startedAt: number } {
  const startedAt = start ?? realNow;
  if (lockstep) return { clock: LOCKSTEP_CLOCK, startedAt };
  const isReal = start === null && (speed ?? 1) === 1;
  return { clock: isReal ? REAL_CLOCK : { mode: "fast", speed: speed ?? 1 }, startedAt };
}

/** What to change a market's clock to; null if it stays. Throws UsageError if the market stands at another time. */
export function changeOfClock(
  asked: StartClock,
  market: { readonly clock: ClockSetting; readonly now: number },
  directory: string,
): ClockSetting | null {
  const { start, speed, lockstep } = asked;
  const { clock, now } = market;
  if (start !== null && start !== now) {
    const advice = "leave out --start to continue with it, or name another directory";
    throw new UsageError(`${directory} holds a market that stands at ${new Date(now).toISOString()}; ${advice}`);
  }
  if (lockstep) return clock.mode === "lockstep" ? null : LOCKSTEP_CLOCK;
  return speed === null || speed === clock.speed ? null : { mode: "fast", speed };
}
