import { describe, expect, test } from "bun:test";
import { sessionAt, type SessionSchedule, type Weekday } from "../../../sim/market/session-schedule.ts";

const WEEKDAYS: Weekday[] = ["mon", "tue", "wed", "thu", "fri"];
const EVERY_DAY: Weekday[] = [...WEEKDAYS, "sat", "sun"];
const DAYTIME: SessionSchedule = { days: WEEKDAYS, preopen: "08:30", open: "09:00", close: "17:00" };
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

  test("the times are those of the session under way, and after its close those of the next", () => {
    const wednesday = { preopen: "2026-01-14T13:30", open: "2026-01-14T14:00", close: "2026-01-14T22:00" };
    expect(at("2026-01-14T20:00Z")).toEqual({ status: "open", ...wednesday, nextChange: "2026-01-14T22:00" });
    expect(at("2026-01-14T13:45Z")).toEqual({ status: "preopen", ...wednesday, nextChange: "2026-01-14T14:00" });
    expect(at("2026-01-14T22:00Z")).toMatchObject({ preopen: "2026-01-15T13:30", nextChange: "2026-01-15T13:30" });
  });

  test("a weekend is passed over", () => {
    expect(at("2026-01-16T23:00Z")).toMatchObject({ status: "closed", preopen: "2026-01-19T13:30" });
  });

  test("a session each week finds the next one right after its close", () => {
    const weekly: SessionSchedule = { ...DAYTIME, days: ["wed"] };
    expect(at("2026-01-14T22:00Z", weekly)).toMatchObject({ preopen: "2026-01-21T13:30" });
  });

  test("local times keep their hour when clocks go forward, and their day is an hour shorter", () => {
    expect(at("2026-03-06T15:00Z")).toMatchObject({ open: "2026-03-06T14:00", close: "2026-03-06T22:00" });
    expect(at("2026-03-09T15:00Z")).toMatchObject({ open: "2026-03-09T13:00", close: "2026-03-09T21:00" });
  });

  test("local times keep their hour when clocks go back", () => {
    expect(at("2026-10-30T15:00Z")).toMatchObject({ open: "2026-10-30T13:00", close: "2026-10-30T21:00" });
    expect(at("2026-11-02T15:00Z")).toMatchObject({ open: "2026-11-02T14:00", close: "2026-11-02T22:00" });
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

  test("a session that falls whole into the skipped hour is passed over", () => {
    const night: SessionSchedule = { days: EVERY_DAY, preopen: "02:10", open: "02:20", close: "02:50" };
    expect(at("2026-03-08T06:30Z", night)).toMatchObject({ status: "closed", open: "2026-03-09T06:20" });
  });

  test("a time that clocks going back repeat is its first occurrence", () => {
    const night: SessionSchedule = { days: EVERY_DAY, preopen: "00:30", open: "01:15", close: "01:45" };
    const session = { preopen: "2026-11-01T04:30", open: "2026-11-01T05:15", close: "2026-11-01T05:45" };
    expect(at("2026-11-01T05:30Z", night)).toMatchObject({ status: "open", ...session });
    expect(at("2026-11-01T06:30Z", night)).toMatchObject({ status: "closed", open: "2026-11-02T06:15" });
  });

  test("a session across the repeated hour is an hour longer", () => {
    const night: SessionSchedule = { days: EVERY_DAY, preopen: "00:30", open: "00:30", close: "02:30" };
    expect(at("2026-11-01T05:00Z", night)).toMatchObject({ open: "2026-11-01T04:30", close: "2026-11-01T07:30" });
  });

  test("without a preopen of its own the market goes from closed to open", () => {
    const schedule: SessionSchedule = { ...DAYTIME, preopen: "09:00" };
    expect(at("2026-01-14T14:00Z", schedule).status).toBe("open");
    expect(at("2026-01-14T13:59Z", schedule)).toMatchObject({ status: "closed", nextChange: "2026-01-14T14:00" });
  });

  test("a day that a zone has skipped altogether has no session", () => {
    const schedule: SessionSchedule = { days: EVERY_DAY, preopen: "08:00", open: "09:00", close: "17:00" };
    expect(at("2011-12-30T06:00Z", schedule, "Pacific/Apia")).toMatchObject({ open: "2011-12-30T19:00" });
  });

  test("walking from change to change goes through every status in turn, across both changes of clocks", () => {
    for (const start of ["2026-03-06T00:00Z", "2026-10-30T00:00Z"]) {
      let now = Date.parse(start);
      const statuses: string[] = [];
      for (let step = 0; step < 12; step++) {
        const session = sessionAt({ ...DAYTIME, days: EVERY_DAY }, NEW_YORK, now);
        expect(session.nextChange).toBeGreaterThan(now);
        statuses.push(session.status);
        now = session.nextChange;
      }
      expect(statuses.slice(0, 6)).toEqual(["closed", "preopen", "open", "closed", "preopen", "open"]);
      expect(statuses.slice(6)).toEqual(statuses.slice(0, 6));
    }
  });
});
