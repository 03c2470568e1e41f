// Local hour, weekend and month for increasing instants. It looks up the UTC offset only when the clocks change.

import { DAY_MS, HOUR_MS } from "../../protocol/time-units.ts";

/** Number of entries in a table by month, kind of day (weekday, weekend) and hour. */
export const CALENDAR_SLOTS = 12 * 2 * 24;

export class LocalCalendar {
  readonly #timezone: string;
  #offsetMs = 0;
  /** The range of instants for which the offset is known. */
  #knownFrom = Infinity;
  #knownUntil = -Infinity;
  /** The range of instants for which the day and offset below hold. */
  #dayFrom = Infinity;
  #dayUntil = -Infinity;
  /** Start of the local day, as if the current offset had held since then. */
  #midnight = 0;
  #daySlot = 0;

  /** Local hour, 0 to 23. */
  hour = 0;
  /** Index of the hour in a table of CALENDAR_SLOTS: month, kind of day, hour. */
  slot = 0;
  /** Days since 1970-01-01, local. */
  day = NaN;
  isWeekend = false;
  /** 0 to 11. */
  month = 0;

  /** Throws RangeError for an unknown time zone. */
  constructor(timezone: string) {
    this.#timezone = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone).timeZoneId;
  }

  /** Moves to the hour that contains `time`, in milliseconds since the epoch. */
  moveTo(time: number): void {
    if (time >= this.#dayUntil || time < this.#dayFrom) this.#moveToDay(time);
    this.hour = Math.floor((time - this.#midnight) / HOUR_MS);
    this.slot = this.#daySlot + this.hour;
  }

  /** 06:00 to 22:00 on weekdays. */
  get isPeak(): boolean {
    return !this.isWeekend && this.hour >= PEAK_START && this.hour < PEAK_END;
  }

  #moveToDay(time: number): void {
    if (time >= this.#knownUntil || time < this.#knownFrom) this.#learnOffset(time);
    this.day = Math.floor((time + this.#offsetMs) / DAY_MS);
    this.#midnight = this.day * DAY_MS - this.#offsetMs;
    this.#dayFrom = Math.max(this.#midnight, this.#knownFrom);
    this.#dayUntil = Math.min(this.#midnight + DAY_MS, this.#knownUntil);
    // 1970-01-01 was a Thursday.
    this.isWeekend = (((this.day + 3) % 7) + 7) % 7 > 4;
    this.month = new Date(this.day * DAY_MS).getUTCMonth();
    this.#daySlot = (this.month * 2 + (this.isWeekend ? 1 : 0)) * 24;
  }

  #learnOffset(time: number): void {
    const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(this.#timezone);
    this.#offsetMs = local.offsetNanoseconds / 1e6;
    this.#knownFrom = time;
    this.#knownUntil = local.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity;
  }
}

export const PEAK_START = 6;
export const PEAK_END = 22;
