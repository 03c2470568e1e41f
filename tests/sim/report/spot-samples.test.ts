// Spot prices in buckets of time, by hour of the day and by price.

import { expect, test } from "bun:test";
import { durationCurve, SpotSamples } from "../../../sim/report/spot-samples.ts";
import { NodeCalendars } from "../../../sim/spot/node-calendars.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-01-14T18:00:00Z");

test("prices are summed up by bucket, by local hour of the node, and by price", () => {
  const calendars = new NodeCalendars((node) => node === "WEST" ? "Europe/Berlin" : "America/Chicago");
  const samples = new SpotSamples(START, 2 * HOUR, ["NORTH", "WEST"], "UTC", calendars);
  samples.add(0, START, 300, "spike");
  samples.add(0, START + HOUR, 100, "base");
  samples.add(0, START + 2 * HOUR - 1, 300, "spike");
  samples.add(0, START + 2 * HOUR, -50, "drop");
  samples.add(1, START + HOUR, 7, "drop");
  samples.add(2, START, 9, "base");
  samples.add(-1, START, 9, "base");
  const [north, west] = samples.nodes;
  expect(samples.nodes.map(({ name }) => name)).toEqual(["NORTH", "WEST"]);
  expect([samples.timezone, samples.start]).toEqual(["UTC", START]);
  const second = START + 2 * HOUR;
  expect(north!.buckets.upTo(START + 3 * HOUR)).toEqual([
    { from: START, to: second, value: { low: 100, high: 300, sum: 700, count: 3, spikes: 2, drops: 0 } },
    { from: second, to: second + 2 * HOUR, value: { low: -50, high: -50, sum: -50, count: 1, spikes: 0, drops: 1 } },
  ]);
  expect(west!.buckets.upTo(START + HOUR).map(({ value }) => value)).toEqual([
    { low: 7, high: 7, sum: 7, count: 1, spikes: 0, drops: 1 },
  ]);
  const hours = (node: typeof north) =>
    Object.fromEntries([...node!.hours.entries()].filter(([, { count }]) => count > 0));
  expect(hours(north)).toEqual({ 12: { sum: 300, count: 1 }, 13: { sum: 400, count: 2 }, 14: { sum: -50, count: 1 } });
  expect(hours(west)).toEqual({ 20: { sum: 7, count: 1 } });
  expect([...north!.prices]).toEqual([[300, 2], [100, 1], [-50, 1]]);
});

test("without calendars the hours are those of the axis of time", () => {
  const samples = new SpotSamples(START, HOUR, ["N"], "America/Chicago");
  samples.add(0, START, 5, "base");
  expect(samples.nodes[0]!.hours[12]).toEqual({ sum: 5, count: 1 });
});

test("the buckets of a long time become wider, and nothing of the earlier and the later one is lost", () => {
  const samples = new SpotSamples(START, HOUR, ["N"], "UTC");
  samples.add(0, START, 300, "spike");
  samples.add(0, START, 100, "drop");
  samples.add(0, START + HOUR, 300, "spike");
  samples.add(0, START + HOUR, 100, "drop");
  samples.addCongestion(START, true);
  samples.addCongestion(START, false);
  samples.addCongestion(START + HOUR, true);
  samples.add(0, START + 743 * HOUR, 1, "base");
  expect(samples.nodes[0]!.buckets.size).toBe(3);
  samples.add(0, START + 744 * HOUR, 1, "base");
  samples.addCongestion(START + 744 * HOUR, false);
  const [first] = samples.nodes[0]!.buckets.upTo(START + 744 * HOUR);
  const times = { from: START, to: START + 2 * HOUR };
  expect(first).toEqual({ ...times, value: { low: 100, high: 300, sum: 800, count: 4, spikes: 2, drops: 2 } });
  expect(samples.congestion.upTo(START + 744 * HOUR).map(({ value }) => value)).toEqual([
    { count: 3, congested: 2 },
    { count: 1, congested: 0 },
  ]);
  expect(samples.congestion.upTo(START)[0]).toMatchObject(times);
});

test.each<[[number, number][], number, [number, number][]]>([
  [[], 3, []],
  [[[5, 1]], 3, [[0, 5], [50, 5], [100, 5]]],
  [[[1, 1], [3, 1], [2, 1]], 3, [[0, 3], [50, 2], [100, 1]]],
  [[[10, 3], [20, 1], [-5, 1]], 5, [[0, 20], [25, 10], [50, 10], [75, 10], [100, -5]]],
  [[[1, 2], [2, 2]], 2, [[0, 2], [100, 1]]],
  [[[1, 2], [2, 2]], 4, [[0, 2], [100 / 3, 2], [200 / 3, 1], [100, 1]]],
])("the duration curve of %j with %i points", (prices, points, curve) => {
  expect(durationCurve(new Map(prices), points)).toEqual(curve);
});
