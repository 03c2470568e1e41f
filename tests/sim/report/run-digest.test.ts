import { expect, test } from "bun:test";
import { NodeCalendars } from "../../../sim/spot/node-calendars.ts";
import { RunDigest } from "../../../sim/report/run-digest.ts";

const START = Date.parse("2026-03-02T06:00:00Z");
const HOUR_MS = 3_600_000;

function digestOf(): RunDigest {
  return new RunDigest({ start: START, timezone: "America/Chicago", nodes: ["NORTH", "WEST"], bookTimes: null });
}

test("the points of delivered contracts become few in a long run", () => {
  const digest = digestOf();
  const days = 200;
  for (let day = 0; day < days; day++) {
    for (let minute = 0; minute < 1_440; minute += 10) {
      const time = START + day * 24 * HOUR_MS + minute * 60_000;
      digest.append("quotes", time, [time, `DAY-${day}`, 3_000, 1, 3_010, 1]);
    }
  }
  const end = START + days * 24 * HOUR_MS;
  digest.finish(end);
  const points = [...digest.contracts.values()].map(({ prices }) => prices.size);
  expect(points).toHaveLength(days);
  expect(points.reduce((sum, each) => sum + each, 0)).toBeLessThan(days * 12);
});

test("spreads are weighted by the time for which they last, while both sides are there", () => {
  const digest = digestOf();
  const quote = (hours: number, bid: number | null, ask: number | null) => {
    const time = START + hours * HOUR_MS;
    digest.append("quotes", time, [time, "A", bid, 1, ask, 1]);
  };
  quote(0, 100, 110);
  quote(1, 100, 130);
  quote(4, null, 130);
  digest.finish(START + 9 * HOUR_MS);
  const { twoSidedMs, spreadMs } = digest.contracts.get("A") ?? expect.unreachable();
  expect({ hours: twoSidedMs / HOUR_MS, mean: spreadMs / twoSidedMs }).toEqual({ hours: 4, mean: (10 + 3 * 30) / 4 });
});

test("the middle look is near the middle of a run of any length, and few are kept", () => {
  const digest = digestOf();
  const hours = 500;
  for (let minute = 5; minute <= hours * 60; minute += 5) {
    const time = START + minute * 60_000;
    digest.append("depth", time, [time, "A", "BUY", 1, 3_000, 1, 1]);
  }
  const looks = digest.books.shown(START + hours * HOUR_MS).map(({ time }) => (time - START) / HOUR_MS);
  expect(looks).toHaveLength(3);
  expect(looks[0]).toBeCloseTo(1 / 12);
  expect(Math.abs((looks[1] ?? NaN) - hours / 2)).toBeLessThan(hours / 32);
  expect(looks[2]).toBe(hours);
});

const at = (hours: number) => START + hours * HOUR_MS;

test("a spread that is there at the end lasts until the end", () => {
  const digest = digestOf();
  digest.append("quotes", at(1), [at(1), "A", 100, 1, 110, 1]);
  digest.finish(at(5));
  digest.finish(at(9));
  expect(digest.contracts.get("A")).toMatchObject({ twoSidedMs: 4 * HOUR_MS, spreadMs: 40 * HOUR_MS });
});

test("a contract has quotes once an order rested on either side, and none if its book was only emptied", () => {
  const digest = digestOf();
  for (const [id, bid, ask] of [["BID", 100, null], ["ASK", null, 100], ["NONE", null, null]] as const) {
    digest.append("quotes", START, [START, id, bid, 1, ask, 1]);
  }
  digest.append("quotes", at(1), [at(1), "BID", null, 0, null, 0]);
  const has = Object.fromEntries([...digest.contracts].map(([id, { hasQuotes }]) => [id, hasQuotes]));
  expect(has).toEqual({ BID: true, ASK: true, NONE: false });
});

test("trades count by the side of the aggressor in the hour after the start, and have a range of prices", () => {
  const digest = digestOf();
  const trade = (hours: number, price: number, megawatts: number, side: string) =>
    digest.append("trades", at(hours), [at(hours), "A", price, megawatts, side]);
  trade(0, 100, 1.5, "BUY");
  trade(0.001, 90, 2, "SELL");
  trade(0.999, 95, 0.25, "BUY");
  trade(2, 300, 4, "SELL");
  expect([...digest.hours]).toEqual([{ bought: 1_750, sold: 2_000 }, undefined as never, { bought: 0, sold: 4_000 }]);
  const { trades, volume, prices } = digest.contracts.get("A") ?? expect.unreachable();
  expect([trades, volume]).toEqual([4, 7_750]);
  expect(prices.upTo(at(3)).map(({ value }) => [value.low, value.high])).toEqual([[90, 100], [95, 95], [300, 300]]);
});

test("only the best forecast is shown, and nothing from before the start but events", () => {
  const digest = digestOf();
  digest.append("forecasts", START, [START, "A", "best", 4_000]);
  digest.append("forecasts", START, [START, "A", "zip-1", 5_000]);
  const before = START - 1;
  digest.append("trades", before, [before, "B", 1, 1, "BUY"]);
  digest.append("events", before, [before, "heat_wave", "", 2, at(1)]);
  digest.append("events", at(1), [at(1), "plant_outage", "WEST", 1, at(3)]);
  expect([...digest.contracts.keys()]).toEqual(["A"]);
  expect(digest.contracts.get("A")?.prices.upTo(START).map(({ value }) => value)).toEqual([{ forecast: 4_000 }]);
  expect(digest.events).toEqual([
    { time: before, type: "heat_wave", node: null, size: 2, until: at(1) },
    { time: at(1), type: "plant_outage", node: "WEST", size: 1, until: at(3) },
  ]);
});

test.each([
  ["whenever both nodes have a price at the same time, in one grid", "America/Chicago", [[2, 1]]],
  ["never between nodes of two grids", "Europe/Berlin", []],
])("congestion is counted %s", (_when, second, expected) => {
  const digest = new RunDigest({
    start: START,
    timezone: "America/Chicago",
    calendars: new NodeCalendars((node) => node === "NORTH" ? "America/Chicago" : second),
    nodes: ["NORTH", "WEST"],
    bookTimes: null,
  });
  const price = (time: number, node: string, cents: number) => digest.append("spot", time, [time, node, cents, "base"]);
  price(START, "NORTH", 3_000);
  price(START, "WEST", 3_000);
  price(START + 1, "NORTH", 3_000);
  price(START + 1, "WEST", 5_000);
  // Of the time before there is no price of the first node.
  price(START + 2, "WEST", 5_000);
  const counted = digest.spot.congestion.upTo(START + 2).map(({ value }) => [value.count, value.congested]);
  expect(counted).toEqual(expected);
  expect(digest.spot.nodes.map(({ prices }) => [...prices])).toEqual([[[3_000, 2]], [[3_000, 1], [5_000, 2]]]);
});

test("books are shown at the chosen times by the last look until then, each look once, and the first if none is as old", () => {
  const times = [at(3), at(2.5), at(0), at(2)];
  const digest = new RunDigest({ start: START, timezone: "UTC", nodes: [], bookTimes: times });
  for (const hour of [1, 2, 3, 4]) {
    digest.append("depth", at(hour), [at(hour), "A", "BUY", 1, 100 * hour, 5, 1]);
    digest.append("depth", at(hour), [at(hour), "A", "BUY", 2, 90 * hour, 6, 1]);
    digest.append("depth", at(hour), [at(hour), "A", "SELL", 1, 110 * hour, 7, 1]);
  }
  const looks = digest.books.shown(at(5));
  expect(looks.map(({ time }) => (time - START) / HOUR_MS)).toEqual([1, 2, 3]);
  expect(looks[1]?.books.get("A")).toEqual({ bids: [[200, 5], [180, 6]], asks: [[220, 7]] });
});

test("buckets that become one have the last quotes and forecast, and the range of the trades of both", () => {
  const digest = digestOf();
  const rows = [
    [0, "quotes", [100, 1, 110, 1]],
    [0, "forecasts", ["best", 4_000]],
    [0, "trades", [90, 1, "BUY"]],
    [0, "trades", [105, 1, "BUY"]],
    [1, "quotes", [101, 1, null, 0]],
    [1, "forecasts", ["best", 4_100]],
    [1, "trades", [95, 1, "BUY"]],
    [2, "trades", [95, 1, "BUY"]],
    [3, "trades", [80, 1, "BUY"]],
    [3, "trades", [120, 1, "BUY"]],
    [384, "quotes", [102, 1, 112, 1]],
  ] as const;
  for (const [bucket, table, cells] of rows) {
    const time = START + bucket * 15_000;
    digest.append(table, time, [time, "A", ...cells]);
  }
  const [first, second] = digest.contracts.get("A")!.prices.upTo(START + 384 * 15_000);
  expect(first).toMatchObject({
    to: START + 30_000,
    value: { bid: 101, ask: null, forecast: 4_100, low: 90, high: 105 },
  });
  expect(second!.value).toEqual({ low: 80, high: 120 });
});

test("at most 200 events are shown", () => {
  const digest = digestOf();
  for (let count = 0; count < 201; count++) digest.append("events", START, [START, "heat_wave", "", count, START]);
  expect([digest.events.length, digest.events.at(-1)?.size]).toEqual([200, 199]);
});
