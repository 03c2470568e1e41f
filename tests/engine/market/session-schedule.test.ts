import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  MINUTES_PER_DAY,
  minutesOfSession,
  sessionAt,
  type SessionSchedule,
  type Weekday,
  WEEKDAYS,
} from "../../../engine/market/session-schedule.ts";
import { size } from "../../support/sizes.ts";

const EVERY_DAY: Weekday[] = [...WEEKDAYS];
const DAYTIME: SessionSchedule = { days: EVERY_DAY.slice(0, 5), preopen: "08:30", open: "09:00", close: "17:00" };
const NEW_YORK = "America/New_York";

function at(time: string, schedule: SessionSchedule = DAYTIME, timezone = NEW_YORK) {
  const { status, ...times } = sessionAt(schedule, timezone, Date.parse(time));
  const iso = Object.entries(times).map(([name, time]) => [name, new Date(time).toISOString().slice(0, 16)]);
  return { status, ...Object.fromEntries(iso) };
}

describe("the session schedule", () => {
  test("each status begins at its instant", () => {
    const statuses = ["13:29:59.999", "13:30", "13:59:59.999", "14:00", "21:59:59.999", "22:00"]
      .map((time) => at(`2026-01-14T${time}Z`).status);
    expect(statuses).toEqual(["closed", "preopen", "preopen", "open", "open", "closed"]);
  });

  test("the times are those of the current session, and after its close those of the next", () => {
    const wednesday = { preopen: "2026-01-14T13:30", open: "2026-01-14T14:00", close: "2026-01-14T22:00" };
    expect(at("2026-01-14T20:00Z")).toEqual({ status: "open", ...wednesday, nextChange: "2026-01-14T22:00" });
    expect(at("2026-01-14T13:45Z")).toEqual({ status: "preopen", ...wednesday, nextChange: "2026-01-14T14:00" });
    expect(at("2026-01-14T22:00Z")).toMatchObject({ preopen: "2026-01-15T13:30", nextChange: "2026-01-15T13:30" });
  });

  test("a weekly schedule gives the next session right after a close", () => {
    const weekly: SessionSchedule = { ...DAYTIME, days: ["wed"] };
    expect(at("2026-01-14T22:00Z", weekly)).toMatchObject({ preopen: "2026-01-21T13:30" });
  });

  test("a time that clocks going forward skip is the instant of the change", () => {
    const night: SessionSchedule = { days: EVERY_DAY, preopen: "01:45", open: "02:15", close: "03:10" };
    expect(at("2026-03-08T06:00Z", night)).toEqual({
      status: "closed",
      preopen: "2026-03-08T06:45",
      open: "2026-03-08T07:00",
      close: "2026-03-08T07:10",
      nextChange: "2026-03-08T06:45",
    });
  });

  test("a session inside the skipped hour is skipped", () => {
    const night: SessionSchedule = { days: EVERY_DAY, preopen: "02:10", open: "02:20", close: "02:50" };
    expect(at("2026-03-08T06:30Z", night)).toMatchObject({ status: "closed", open: "2026-03-09T06:20" });
  });

  test("a time that clocks going back repeat is its first occurrence", () => {
    const night: SessionSchedule = { days: EVERY_DAY, preopen: "00:30", open: "01:15", close: "01:45" };
    const session = { preopen: "2026-11-01T04:30", open: "2026-11-01T05:15", close: "2026-11-01T05:45" };
    expect(at("2026-11-01T05:30Z", night)).toMatchObject({ status: "open", ...session });
    expect(at("2026-11-01T06:30Z", night)).toMatchObject({ status: "closed", open: "2026-11-02T06:15" });
  });

  test("if preopen equals open, the market goes from closed to open", () => {
    const schedule: SessionSchedule = { ...DAYTIME, preopen: "09:00" };
    expect(at("2026-01-14T14:00Z", schedule).status).toBe("open");
    expect(at("2026-01-14T13:59Z", schedule)).toMatchObject({ status: "closed", nextChange: "2026-01-14T14:00" });
  });

  test("a day that a time zone skips has no session", () => {
    const schedule: SessionSchedule = { days: EVERY_DAY, preopen: "08:00", open: "09:00", close: "17:00" };
    expect(at("2011-12-30T06:00Z", schedule, "Pacific/Apia")).toMatchObject({ open: "2011-12-30T19:00" });
  });

  test("an overnight session closes on the day after its opening", () => {
    const night: SessionSchedule = { days: ["fri"], preopen: "21:30", open: "22:00", close: "06:00" };
    const session = { preopen: "2026-01-17T02:30", open: "2026-01-17T03:00", close: "2026-01-17T11:00" };
    expect(at("2026-01-17T02:29Z", night)).toMatchObject({ status: "closed", ...session });
    expect(at("2026-01-17T02:30Z", night)).toMatchObject({ status: "preopen", ...session });
    expect(at("2026-01-17T03:00Z", night)).toMatchObject({ status: "open", ...session });
    expect(at("2026-01-17T10:59Z", night)).toMatchObject({ status: "open", ...session });
    expect(at("2026-01-17T11:00Z", night)).toMatchObject({ status: "closed", open: "2026-01-24T03:00" });
  });

  test("a preopen before midnight belongs to the session that opens after it", () => {
    const early: SessionSchedule = { days: ["sat"], preopen: "23:45", open: "00:15", close: "04:00" };
    expect(at("2026-01-17T04:44Z", early)).toMatchObject({ status: "closed", open: "2026-01-17T05:15" });
    expect(at("2026-01-17T04:45Z", early)).toMatchObject({ status: "preopen", open: "2026-01-17T05:15" });
    expect(at("2026-01-17T05:15Z", early)).toMatchObject({ status: "open", close: "2026-01-17T09:00" });
  });

  test("agrees with a calendar that goes minute by minute", () => {
    const nights = [
      ["America/New_York", "2026-03-07T00:00Z"],
      ["America/New_York", "2026-10-31T00:00Z"],
      ["Europe/Berlin", "2026-10-24T00:00Z"],
      ["Australia/Lord_Howe", "2026-04-03T00:00Z"],
      ["America/Havana", "2026-03-07T00:00Z"],
    ] as const;
    const calendars = nights.map(([timezone, from]) =>
      new MinuteCalendar(timezone, Date.parse(from) - 2 * 86_400_000, 8)
    );
    const minute = fc.oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 240 }));
    const times = fc.tuple(minute, minute, minute).map((minutes) => minutes.map(localTime));
    fc.assert(
      fc.property(
        fc.constantFrom(...calendars),
        fc.subarray(EVERY_DAY, { minLength: 1 }),
        times,
        fc.array(fc.integer({ min: 0, max: 3 * 1440 - 1 }), { minLength: 3, maxLength: 3 }),
        (calendar, days, [preopen = "", open = "", close = ""], minutes) => {
          const schedule = { days, preopen, open, close };
          fc.pre(minutesOfSession(schedule) < MINUTES_PER_DAY);
          const sessions = calendar.sessions(schedule);
          for (const minute of minutes) {
            const now = calendar.start + (3 * 1440 + minute) * 60_000;
            const expected = sessions.find((session) => now < session.close);
            if (expected === undefined || expected.close === Infinity) continue;
            const { status, nextChange, ...session } = sessionAt(schedule, calendar.timezone, now);
            expect(session).toEqual(expected);
            expect(status).toBe(now < expected.preopen ? "closed" : now < expected.open ? "preopen" : "open");
            expect(nextChange).toBe(
              status === "closed" ? expected.preopen : status === "preopen" ? expected.open : expected.close,
            );
          }
        },
      ),
      { numRuns: size(30, 10_000) },
    );
  });
});

function localTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** Every minute of some days with its local time. A local time begins at the first minute that reaches it. */
class MinuteCalendar {
  readonly #minutes: { readonly time: number; date: string; local: string; weekday: Weekday }[];

  constructor(readonly timezone: string, readonly start: number, dayCount: number) {
    this.#minutes = Array.from({ length: dayCount * 1440 }, (_, minute) => {
      const time = start + minute * 60_000;
      const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone);
      const date = local.toPlainDate().toString();
      const weekday = EVERY_DAY[local.dayOfWeek - 1]!;
      return { time, date, local: `${date}T${localTime(local.hour * 60 + local.minute)}`, weekday };
    });
  }

  /** Sessions with time to trade, in order. The first two days are left out, because their sessions may be incomplete. */
  sessions({ days, preopen, open, close }: SessionSchedule) {
    const dates = [...new Map(this.#minutes.map(({ date, weekday }) => [date, weekday]))];
    return dates.flatMap(([date, weekday], index) => {
      const before = dates[index - 1]?.[0];
      const after = dates[index + 1]?.[0];
      if (!days.includes(weekday) || index < 2 || before === undefined || after === undefined) return [];
      const session = {
        preopen: this.#reached(`${preopen > open ? before : date}T${preopen}`),
        open: this.#reached(`${date}T${open}`),
        close: this.#reached(`${close > open ? date : after}T${close}`),
      };
      return session.open < session.close ? [session] : [];
    });
  }

  #reached(local: string): number {
    return this.#minutes.find((minute) => minute.local >= local)?.time ?? Infinity;
  }
}
