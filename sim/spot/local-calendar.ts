// The local hour, weekend and month of instants that go forward, without asking the time zone each time: between two
// changes of its clocks its offset stays.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Places in a table of every month, kind of day (weekday, weekend) and hour. */
export const CALENDAR_SLOTS = 12 * 2 * 24;

export class LocalCalendar {
  readonly #timezone: string;
  #offsetMs = 0;
  /** The instants from and until which the offset is known. */
  #knownFrom = Infinity;
  #knownUntil = -Infinity;

  /** Local hour, 0 to 23. */
  hour = 0;
  /** Days since 1970-01-01, local. */
  day = NaN;
  isWeekend = false;
  /** 0 to 11. */
  month = 0;

  /** Throws RangeError for a time zone that is not known. */
  constructor(timezone: string) {
    this.#timezone = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone).timeZoneId;
  }

  /** Moves to the hour that holds `time`, milliseconds since the epoch. */
  moveTo(time: number): void {
    if (time >= this.#knownUntil || time < this.#knownFrom) this.#learnOffset(time);
    const local = time + this.#offsetMs;
    const day = Math.floor(local / DAY_MS);
    this.hour = Math.floor((local - day * DAY_MS) / HOUR_MS);
    if (day === this.day) return;
    this.day = day;
    // 1970-01-01 was a Thursday.
    const weekday = (((day + 3) % 7) + 7) % 7;
    this.isWeekend = weekday > 4;
    this.month = new Date(day * DAY_MS).getUTCMonth();
  }

  /** The place of this hour in a table of CALENDAR_SLOTS. */
  get slot(): number {
    return (this.month * 2 + (this.isWeekend ? 1 : 0)) * 24 + this.hour;
  }

  /** 06:00 to 22:00 on weekdays. */
  get isPeak(): boolean {
    return !this.isWeekend && this.hour >= PEAK_START && this.hour < PEAK_END;
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
