// What a caller's time means in each market, and which values a property takes.

import { expect, test } from "bun:test";
import {
  asHeld,
  comparable,
  describeType,
  describeValue,
  fits,
  isIndexable,
  monthMeant,
  TimeMeaning,
  timeOf,
} from "../../../core/market/filter-values.ts";
import { propertiesOf } from "../../../core/market/module-properties.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import type { AnyModuleData, ModuleType } from "../../../protocol/modules/registry.ts";

function snapshotOf(markets: Readonly<Record<string, string>>): Snapshot {
  const snapshot = new Snapshot();
  for (const [id, timezone] of Object.entries(markets)) {
    snapshot.apply({ statePath: `/MARKET/${id}`, state: { id, timezone } as never }, "");
  }
  return snapshot;
}

const MARKETS = { chicago: "America/Chicago", berlin: "Europe/Berlin" };
const NOON = Date.parse("2030-01-02T12:00:00Z");
const module = (own: Record<string, unknown>) => ({ id: "m", ...own }) as unknown as AnyModuleData;

test.each<[string, Record<string, string>, Record<string, unknown>, string | null]>([
  ["of its market", MARKETS, { marketId: "berlin" }, "2030-01-01T23:00"],
  ["of the first market, if its own is unknown", MARKETS, { marketId: "other" }, "2030-01-02T06:00"],
  ["of the first market, if it has none", MARKETS, {}, "2030-01-02T06:00"],
  ["of its own, as a market has it", MARKETS, { timezone: "Asia/Tokyo" }, "2030-01-01T15:00"],
  ["of its market before its own", MARKETS, { marketId: "berlin", timezone: "Asia/Tokyo" }, "2030-01-01T23:00"],
  ["of UTC without any market", {}, { marketId: "berlin" }, "2030-01-02T00:00"],
  ["that is unknown", MARKETS, { timezone: "Nowhere/None" }, null],
])("today begins in the time zone %s", (_whose, markets, own, expected) => {
  const meaning = TimeMeaning.of("today", { snapshot: snapshotOf(markets), now: NOON })!;
  for (let time = 0; time < 2; time += 1) {
    const period = meaning.periodFor(module(own));
    expect(period === null ? null : new Date(period.start).toISOString().slice(0, 16)).toBe(expected);
  }
  const first = markets === MARKETS ? "2030-01-02T06:00Z" : "2030-01-02T00:00Z";
  expect(meaning.period()?.start).toBe(Date.parse(first));
});

test("what is no time has no meaning", () => {
  const context = { snapshot: snapshotOf(MARKETS), now: NOON };
  for (const value of [null, undefined, 5, ["today"], "noon", ""]) expect(TimeMeaning.of(value, context)).toBeNull();
});

test.each([
  ["January", "2030-06-15", "Did you mean 2031-01? "],
  ["june", "2030-06-15", "Did you mean 2030-06? "],
  [" Jul ", "2030-06-15", "Did you mean 2030-07? "],
  ["may", "2030-06-15", "Did you mean 2031-05? "],
  ["December", "2030-12-31", "Did you mean 2030-12? "],
  ["January", "2030-12-31", "Did you mean 2031-01? "],
  ["noon", "2030-06-15", ""],
  [6, "2030-06-15", ""],
])("the month %p on %s: %p", (value, today, question) => {
  expect(monthMeant(value, { snapshot: snapshotOf({}), now: Date.parse(today) })).toBe(question);
});

test.each([["2030-01-01T00:00:00.000Z", Date.UTC(2030, 0, 1)], [null, NaN], [5, NaN], ["noon", NaN]])(
  "the time %p of a module is %p",
  (value, expected) => expect(timeOf(value)).toBe(expected),
);

const property = (type: ModuleType, name: string) => propertiesOf(type).get(name)!;

test.each<[ModuleType, string, unknown, boolean, boolean]>([
  ["ORDER", "status", "working", true, true],
  ["ORDER", "status", "odd", false, false],
  ["ORDER", "status", null, false, false],
  ["ORDER", "closeReason", null, true, true],
  ["ORDER", "price", 5, true, true],
  ["ORDER", "price", "5", false, false],
  ["MARKET", "nodes", ["hub"], true, false],
  ["MARKET", "open", null, true, true],
])("%s.%s takes %p: %p; an index may look it up: %p", (type, name, value, isFitting, isIndexed) => {
  expect([fits(property(type, name), value), isIndexable(property(type, name), value)]).toEqual([isFitting, isIndexed]);
});

test("sides are held as numbers, also in a list; other values stay as they are", () => {
  const side = property("ORDER", "side");
  expect(["BUY", "SELL", 0, 1, "buy", null].map((value) => asHeld(side, value))).toEqual([0, 1, 0, 1, "buy", null]);
  expect(asHeld(side, ["SELL", 0, "BUY"])).toEqual([1, 0, 0]);
  expect(asHeld(property("ORDER", "status"), "BUY")).toBe("BUY");
});

test("lists are compared by what is in them, and all else as it is", () => {
  const nodes = property("MARKET", "nodes");
  expect([comparable(nodes, ["a", "b"]) === comparable(nodes, ["a", "b"]), comparable(nodes, null)]).toEqual([
    true,
    null,
  ]);
  expect(comparable(nodes, ["a,b"])).not.toBe(comparable(nodes, ["a", "b"]));
  expect(comparable(property("ORDER", "price"), 5)).toBe(5);
});

test("properties and values are described with their units, choices and null", () => {
  expect(describeType(property("ORDER", "side"))).toBe("number (one of BUY, SELL, 0, 1)");
  expect(describeType(property("ORDER", "price"))).toBe("number");
  expect(describeValue(property("ORDER", "price"))).toBe("a number (cents/MWh)");
  expect(describeValue(property("ORDER", "averagePrice"))).toBe("a number (cents/MWh), or null");
  expect(describeValue(property("ORDER", "side"))).toBe("one of BUY, SELL, 0, 1");
  expect(describeValue(property("MARKET", "halted"))).toBe("true or false");
  expect(describeValue(property("MARKET", "nodes"))).toBe("an array of strings");
  expect(describeValue(property("MARKET", "open"))).toMatch(/^a time with Z or an offset.*today or tomorrow, or null$/);
});
