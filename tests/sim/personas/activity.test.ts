import { expect, test } from "bun:test";
import { Activity } from "../../../sim/personas/activity.ts";
import { BUSY_HOURS } from "../../../sim/spot/busy-hours.ts";
import { NodeCalendars } from "../../../sim/spot/node-calendars.ts";

/** Noon in Berlin and 5:00 in Chicago. */
const NOON = Date.parse("2026-01-05T11:00:00Z");
const ZONES: Readonly<Record<string, string>> = {
  NORTH: "Europe/Berlin",
  WEST: "America/Chicago",
  SOUTH: "Europe/Berlin",
};
const calendars = () => new NodeCalendars((node) => ZONES[node]!);
const [berlin, chicago] = [BUSY_HOURS[12]!, BUSY_HOURS[5]!];

test("traders of several time zones are as busy as the mean of their zones, and those of one as its hour", () => {
  expect(new Activity(calendars(), ["NORTH"]).at(NOON)).toBe(berlin);
  expect(new Activity(calendars(), ["NORTH", "SOUTH"]).at(NOON)).toBe(berlin);
  const both = new Activity(calendars(), ["NORTH", "WEST", "SOUTH"]);
  expect(both.at(NOON)).toBeCloseTo((berlin + chicago) / 2, 12);
  expect(both.ratioAt("WEST", NOON)).toBeCloseTo(chicago / ((berlin + chicago) / 2), 12);
  both.at(NOON - 1_800_000);
  expect(both.at(NOON)).toBeCloseTo((berlin + chicago) / 2, 12);
  expect(both.at(NOON + 3_600_000)).toBeCloseTo((BUSY_HOURS[13]! + BUSY_HOURS[6]!) / 2, 12);
  expect(both.at(NOON)).toBeCloseTo((berlin + chicago) / 2, 12);
});
