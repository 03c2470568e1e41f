import { describe, expect, test } from "bun:test";
import {
  type ListingRule,
  nextListingAfter,
  type PeriodKind,
  periodsListedAt,
} from "../../../engine/market/listing-rule.ts";
import { size } from "../../support/sizes.ts";
import { ReferenceCalendar } from "./listing-reference.ts";

const CHICAGO = "America/Chicago";
const at = (time: string) => Date.parse(time);

function rule(kind: PeriodKind, change: Partial<ListingRule> = {}): ListingRule {
  return { kind, hours: "base", ahead: 1, at: "00:00", timezone: CHICAGO, ...change };
}

function names(listing: ListingRule, time: string): string[] {
  return periodsListedAt(listing, at(time)).map(({ name }) => name);
}

describe("a listing rule", () => {
  test("lists tomorrow's hours from the midnight at which today begins", () => {
    const before = names(rule("hour"), "2026-01-14T05:59:59.999Z");
    expect(before).toHaveLength(24);
    expect(before.every((name) => name.startsWith("2026-01-14-H"))).toBe(true);
    const after = names(rule("hour"), "2026-01-14T06:00:00Z");
    expect(after.slice(0, 2)).toEqual(["2026-01-14-H02", "2026-01-14-H03"]);
    expect(after.slice(-24)).toEqual(
      Array.from({ length: 24 }, (_, hour) => `2026-01-15-H${String(hour + 1).padStart(2, "0")}`),
    );
  });

  test("has 23 hours on the day when clocks go forward and 25 when they go back", () => {
    for (const [day, hours] of [["2026-03-07", 23], ["2026-10-31", 25], ["2026-01-14", 24]] as const) {
      const listed = periodsListedAt(rule("hour"), at(`${day}T18:00:00Z`));
      const tomorrow = listed.filter(({ name }) => !name.startsWith(day));
      expect(tomorrow).toHaveLength(hours);
      for (const [index, { start }] of tomorrow.slice(1).entries()) expect(start).toBe(tomorrow[index]!.end);
      expect(periodsListedAt(rule("base"), at(`${day}T18:00:00Z`)).map((period) => period.hours)).toEqual([hours]);
    }
  });

  test("names weeks by the ISO calendar, also around the new year", () => {
    expect(names(rule("week"), "2026-12-30T18:00:00Z")).toEqual(["2027-W01"]);
    expect(names(rule("week"), "2026-12-23T18:00:00Z")).toEqual(["2026-W53"]);
    expect(names(rule("weekend"), "2026-12-30T18:00:00Z")).toEqual(["2026-W53-WE"]);
  });

  test.each<[what: string, listing: ListingRule, time: string, listed: [name: string, start: string, hours: number][]]>(
    [
      ["years on any day of one", rule("year", { ahead: 3 }), "2026-07-15T18:00:00Z", [
        ["2027", "2027-01-01T06:00:00Z", 8760],
        ["2028", "2028-01-01T06:00:00Z", 8784],
        ["2029", "2029-01-01T06:00:00Z", 8760],
      ]],
      ["the years from the first moment of the one before", rule("year"), "2027-01-01T06:00:00Z", [
        ["2028", "2028-01-01T06:00:00Z", 8784],
      ]],
      ["only the year that begins until then", rule("year"), "2027-01-01T05:59:59Z", [
        ["2027", "2027-01-01T06:00:00Z", 8760],
      ]],
      ["quarters of the next year", rule("quarter", { ahead: 2 }), "2026-12-31T18:00:00Z", [
        ["2027-Q1", "2027-01-01T06:00:00Z", 90 * 24 - 1],
        ["2027-Q2", "2027-04-01T05:00:00Z", 91 * 24],
      ]],
      ["the peak of a weekday, on Friday that of Monday", rule("peak"), "2026-01-16T18:00:00Z", [
        ["2026-01-19", "2026-01-19T12:00:00Z", 16],
      ]],
      ["the weekend after the one that has begun", rule("weekend"), "2026-01-17T18:00:00Z", [
        ["2026-W04-WE", "2026-01-24T06:00:00Z", 48],
      ]],
      ["the peak of a year, without its weekends", rule("year", { hours: "peak" }), "2026-06-01T00:00:00Z", [
        ["2027", "2027-01-01T12:00:00Z", 261 * 16],
      ]],
    ],
  )("lists %s", (_, listing, time, listed) => {
    const periods = periodsListedAt(listing, at(time));
    expect(periods.map(({ name, start, hours }) => [name, start, hours])).toEqual(
      listed.map(([name, start, hours]) => [name, at(start), hours]),
    );
  });

  test("has a short last hour on a day that is half an hour longer", () => {
    const howe = rule("hour", { timezone: "Australia/Lord_Howe" });
    const day = periodsListedAt(howe, at("2026-04-03T20:00:00Z")).filter(({ name }) => name.startsWith("2026-04-05"));
    expect(day.map(({ hours }) => hours)).toEqual([...Array(24).fill(1), 0.5]);
  });

  test("agrees with a calendar that goes hour by hour", () => {
    for (const timezone of [CHICAGO, "Europe/Berlin", "Asia/Kolkata"]) {
      const calendar = new ReferenceCalendar(timezone, at("2025-10-01T00:00:00Z"), at("2030-03-01T00:00:00Z"));
      const kinds: PeriodKind[] = ["hour", "base", "peak", "weekend", "week", "month", "quarter"];
      for (const kind of kinds) {
        const deliveries = ["month", "week", "quarter"].includes(kind) ? ["base", "peak"] as const : ["base"] as const;
        for (const hours of deliveries) {
          for (const [ahead, opening] of [[1, 0], [3, 10]] as const) {
            const listing = rule(kind, { timezone, hours, ahead, at: `${String(opening).padStart(2, "0")}:00` });
            const reference = calendar.listing(kind, hours, ahead, opening);
            // Steps of a prime number of hours reach every hour of the day and every day of the week.
            for (let time = at("2027-01-01T00:30:00Z"); time < at("2029-01-01T00:00:00Z");) {
              expect(periodsListedAt(listing, time)).toEqual(reference.listedAt(time));
              time += size(1_439, 7) * 3_600_000;
            }
          }
        }
      }
    }
  });

  test("gives the next listing: nothing new is listed before it, and something is listed at it", () => {
    const rules = [
      rule("hour"),
      rule("base", { at: "23:00", ahead: 2 }),
      rule("peak"),
      rule("weekend"),
      rule("week", { ahead: 2 }),
      rule("month", { hours: "peak", ahead: 3 }),
      rule("quarter"),
      rule("year", { ahead: 2, at: "12:30" }),
    ];
    for (const listing of rules) {
      let time = at("2027-12-20T00:00:00Z");
      for (let count = 0; count < 20; count++) {
        const next = nextListingAfter(listing, time);
        expect(next).toBeGreaterThan(time);
        const known = new Set(periodsListedAt(listing, time).map(({ name }) => name));
        const before = periodsListedAt(listing, next - 1).map(({ name }) => name);
        expect(before.filter((name) => !known.has(name))).toEqual([]);
        const after = periodsListedAt(listing, next).map(({ name }) => name);
        expect(after.filter((name) => !known.has(name)).length).toBeGreaterThan(0);
        time = next;
      }
    }
  });
});
