import { expect, test } from "bun:test";
import { translucent } from "../../web/components/chart-theme.ts";
import { ChartTime, zoneOffset } from "../../web/components/chart-time.ts";

const at = (time: string) => Date.parse(time) / 1_000;
const ZONE = "America/Chicago";

test("the offset of a zone follows its clocks", () => {
  expect(zoneOffset(at("2026-11-23T12:00:00Z"), ZONE)).toBe(-6 * 3_600);
  expect(zoneOffset(at("2026-07-01T12:00:00Z"), ZONE)).toBe(-5 * 3_600);
  expect(zoneOffset(at("2026-07-01T12:00:00Z"), "Asia/Kolkata")).toBe(5.5 * 3_600);
  expect(zoneOffset(at("2026-07-01T12:00:00Z"), "Nowhere/Unknown")).toBe(0);
  expect(zoneOffset(at("2026-07-01T12:00:00.500Z"), ZONE)).toBe(-5 * 3_600);
});

/** Clocks that are set by half an hour, at unusual times, and for a month of the year. */
const UNUSUAL = [
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "America/Sao_Paulo",
  "Pacific/Apia",
  "Asia/Kathmandu",
  ZONE,
];

test.each(UNUSUAL)("the offset of %s is that of its clocks in each hour of years", (zone) => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  const wrong: string[] = [];
  for (let seconds = at("2009-01-01T00:30:00Z"); seconds < at("2031-01-01T00:00:00Z"); seconds += 7 * 3_600) {
    const local = at(`${format.format(seconds * 1_000).replace(" ", "T")}Z`);
    if (zoneOffset(seconds, zone) !== local - seconds) wrong.push(new Date(seconds * 1_000).toISOString());
  }
  expect(wrong).toEqual([]);
});

test("local midnight is midnight for the axis", () => {
  const time = new ChartTime(ZONE, at("2026-11-23T12:00:00Z"));
  expect(time.toChart(at("2026-11-23T06:00:00Z")) % 86_400).toBe(0);
  expect(time.mark(time.toChart(at("2026-11-23T06:00:00Z")), 2)).toBe("Nov 23");
});

test("a label before the clocks were set back has the time that people saw then", () => {
  // Clocks go back on 1 November 2026 at 07:00 UTC.
  const time = new ChartTime(ZONE, at("2026-11-01T12:00:00Z"));
  const label = (of: string) => time.mark(time.toChart(at(of)), 3);
  expect(label("2026-11-01T05:30:00Z")).toBe("00:30");
  expect(label("2026-11-01T06:30:00Z")).toBe("01:30");
  expect(label("2026-11-01T07:30:00Z")).toBe("01:30");
  expect(time.toChart(at("2026-11-01T07:30:00Z"))).toBeGreaterThan(time.toChart(at("2026-11-01T06:30:00Z")));
});

test("a colour of the theme gets an opacity", () => {
  expect(translucent("rgb(10, 20, 30)", 0.5)).toBe("rgba(10, 20, 30, 0.5)");
  expect(translucent("rgba(10, 20, 30, 0.9)", 0.5)).toBe("rgba(10, 20, 30, 0.5)");
});
