import { describe, expect, test } from "bun:test";
import { LocalCalendar } from "../../../sim/spot/local-calendar.ts";
import { HOUR_MS } from "./support.ts";

describe("the local calendar", () => {
  test.each(["America/Chicago", "Europe/London", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"])(
    "equals the time zone's local time for every hour of two years, including clock changes: %s",
    (timezone) => {
      const calendar = new LocalCalendar(timezone);
      const start = Date.parse("2025-12-30T00:00:00Z");
      for (let time = start; time < start + 2 * 365 * 24 * HOUR_MS; time += HOUR_MS) {
        const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone);
        calendar.moveTo(time);
        const { hour, month, isWeekend, day } = calendar;
        const said = [hour, month, isWeekend, day, calendar.slot].join();
        const localDay = Date.UTC(local.year, local.month - 1, local.day) / 86_400_000;
        const weekend = local.dayOfWeek > 5;
        const slot = ((local.month - 1) * 2 + Number(weekend)) * 24 + local.hour;
        const right = [local.hour, local.month - 1, weekend, localDay, slot].join();
        if (said !== right) expect({ time, said }).toEqual({ time, said: right });
      }
    },
  );

  test("also moves back in time", () => {
    const calendar = new LocalCalendar("America/Chicago");
    calendar.moveTo(Date.parse("2026-07-01T12:00:00Z"));
    expect(calendar.hour).toBe(7);
    calendar.moveTo(Date.parse("2026-01-01T12:00:00Z"));
    expect(calendar.hour).toBe(6);
  });

  test("peak is 06:00 to 22:00 on weekdays", () => {
    const calendar = new LocalCalendar("UTC");
    const isPeak = (time: string) => {
      calendar.moveTo(Date.parse(time));
      return calendar.isPeak;
    };
    expect(["2026-01-16T05:59Z", "2026-01-16T06:00Z", "2026-01-16T21:59Z", "2026-01-16T22:00Z"].map(isPeak))
      .toEqual([false, true, true, false]);
    expect(isPeak("2026-01-17T12:00Z")).toBe(false);
  });
});
