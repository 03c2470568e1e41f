// The layers of the charts over time: spot prices with the rows below them, and the prices and volumes of contracts.

import { describe, expect, test } from "bun:test";
import type { Chart } from "../../../common/plot/chart.ts";
import {
  contractCharts,
  mostTraded,
  quotedContracts,
  volumeByContract,
  volumeByTime,
} from "../../../sim/report/price-charts.ts";
import type { RecordedRun } from "../../../sim/report/recorded-run.ts";
import { spotPicture } from "../../../sim/report/spot-picture.ts";
import { type ShownEvent, spotOverTime, spotSummaries } from "../../../sim/report/spot-charts.ts";
import { durationCurve, SpotSamples } from "../../../sim/report/spot-samples.ts";
import { TimeBuckets } from "../../../sim/report/time-buckets.ts";

const HOUR = 3_600_000;
/** Cents and regime of each hour. */
type Hours = readonly (readonly [cents: number, regime: "base" | "spike" | "drop"])[];

/** Nodes with a price for each hour; the line between them is congested in the hours named. */
function samplesOf(nodes: Readonly<Record<string, Hours>>, congestedHours: readonly number[] = []): SpotSamples {
  const samples = new SpotSamples(0, HOUR, Object.keys(nodes), "UTC");
  const all = Object.values(nodes);
  for (const [place, hours] of all.entries()) {
    for (const [hour, [cents, regime]] of hours.entries()) samples.add(place, hour * HOUR, cents, regime);
  }
  for (let hour = 0; hour < all[0]!.length; hour++) samples.addCongestion(hour * HOUR, congestedHours.includes(hour));
  return samples;
}

/** Each layer's name and tone, and its boxes or bands as hours and rows. */
function boxesOf({ layers }: Chart) {
  return layers.flatMap((layer) => {
    const head = `${layer.name} ${layer.tone}`;
    if (layer.kind === "boxes") {
      const boxes = layer.boxes.map(({ x: [from, to], y: [top, bottom] }) =>
        `${from / HOUR}-${to / HOUR} in row ${Math.round(top + bottom) / 2}`
      );
      return [`${head}: ${boxes.join(", ")}`];
    }
    if (layer.kind !== "bands") return [];
    return [`${head}: ${layer.bands.map(({ from, to }) => `${from / HOUR}-${to / HOUR}`).join(", ")}`];
  });
}

const CALM: Hours = [[100, "base"], [200, "base"], [300, "base"], [400, "base"]];
const WILD: Hours = [[9_000, "spike"], [9_500, "spike"], [-200, "drop"], [100, "base"]];
const event = (time: number, until: number, type: string, node: string | null = null): ShownEvent => (
  { time: time * HOUR, until: until * HOUR, type, node, size: 1.5 }
);
const overTime = (samples: SpotSamples, events: readonly ShownEvent[] = [], end = 4) =>
  spotOverTime({ samples, end: end * HOUR, events, width: 900 });

describe("the rows below spot prices", () => {
  const EVENTS = [event(-1, 2, "heat_wave"), event(3, 9, "outage", "B"), event(-9, 0, "over"), event(4, 5, "not_yet")];

  test("are the nodes, congestion and the events, each in the row of its name", () => {
    const [, strip] = overTime(samplesOf({ A: CALM, B: WILD }, [1, 2]), EVENTS);
    expect(strip.y).toEqual({ kind: "names", names: ["A", "B", "congested", "heat wave", "outage"] });
    expect(boxesOf(strip)).toEqual([
      "spike spike: 0-2 in row 1",
      "drop drop: 2-3 in row 1",
      "congestion congestion: 1-3 in row 2",
      "event event: 0-2 in row 3, 3-4 in row 4",
    ]);
    expect(strip.height).toBe(62 + 5 * 17);
    const titles = strip.layers.flatMap((layer) => layer.kind === "boxes" ? layer.boxes.map(({ title }) => title) : []);
    expect(titles.slice(-2)).toEqual([
      "heat_wave, size 1.5, all nodes, 1969-12-31 23:00 to 1970-01-01 02:00",
      "outage, size 1.5, B, 1970-01-01 03:00 to 1970-01-01 09:00",
    ]);
  });

  test.each<[name: string, nodes: Record<string, Hours>, names: string[], boxes: string[]]>([
    ["one node has no congestion", { B: WILD }, ["B", "heat wave", "outage"], [
      "spike spike: 0-2 in row 0",
      "drop drop: 2-3 in row 0",
      "event event: 0-2 in row 1, 3-4 in row 2",
    ]],
    ["three nodes have none", { A: WILD, B: CALM, C: CALM }, ["A", "B", "C", "heat wave", "outage"], [
      "spike spike: 0-2 in row 0",
      "drop drop: 2-3 in row 0",
      "event event: 0-2 in row 3, 3-4 in row 4",
    ]],
  ])("%s", (_name, nodes, names, boxes) => {
    const [, strip] = overTime(samplesOf(nodes, [1]), EVENTS);
    expect([strip.y, boxesOf(strip)]).toEqual([{ kind: "names", names }, boxes]);
  });

  test("have no event without events, and more than twelve share the row of their type", () => {
    expect(boxesOf(overTime(samplesOf({ A: CALM }))[1])).toEqual(["spike spike: ", "drop drop: "]);
    const names = (count: number) => {
      const events = Array.from({ length: count }, (_, at) => event(0, 1, at % 2 === 0 ? "heat_wave" : "outage"));
      const [, { y, layers }] = overTime(samplesOf({ A: CALM }), events);
      const last = layers.at(-1)!;
      const rows = new Set(last.kind === "boxes" ? last.boxes.map(({ y: [top] }) => Math.ceil(top)) : []);
      return [y.kind === "names" ? y.names.length : NaN, rows.size];
    };
    expect([names(12), names(13)]).toEqual([[13, 12], [3, 2]]);
  });
});

describe("spot prices over time", () => {
  test("are dollars in steps up to the end, the first node last and whole, the others dashed", () => {
    const [prices] = overTime(samplesOf({ A: CALM, B: WILD }), [], 3.5);
    expect(prices.title).toBe("Spot prices");
    expect(boxesOf(prices)).toEqual(["a node in a spike spike: 0-2", "a node in a drop drop: 2-3"]);
    const lines = prices.layers.flatMap((layer) => layer.kind === "line" ? [layer] : []);
    expect(lines).toMatchObject([
      { name: "B", tone: "s1", isDashed: true, isStepped: true },
      { name: "A", tone: "s0", isDashed: false, isStepped: true },
    ]);
    expect(lines.map(({ points }) => points.map(([time, y]) => `${time / HOUR} ${y}`))).toEqual([
      ["0 90", "1 95", "2 -2", "3 1", "3.5 1"],
      ["0 1", "1 2", "2 3", "3 4", "3.5 4"],
    ]);
    expect([prices.x, prices.y]).toEqual([
      { kind: "time", timezone: "UTC", domain: [0, 3.5 * HOUR] },
      { kind: "bent", bend: 20, label: "$/MWh" },
    ]);
  });

  test("of a long time are means with their range, and say of how long", () => {
    const samples = new SpotSamples(0, 300_000, ["A"], "UTC");
    for (let at = 0; at < 2_000; at++) samples.add(0, at * 300_000, at % 2 === 0 ? -100 : 300, "spike");
    const end = 2_000 * 300_000;
    const titleOf = (share: number) => spotOverTime({ samples, end: end * share, events: [], width: 900 })[0].title;
    const [prices] = spotOverTime({ samples, end, events: [], width: 900, domain: [-5, 5] });
    expect(prices.title).toBe("Spot prices, mean and range of 20 minutes");
    expect(prices.y).toMatchObject({ domain: [-5, 5] });
    const [area, line] = prices.layers.slice(-2);
    expect(area).toMatchObject({ kind: "area", tone: "s0" });
    expect(area!.kind === "area" && area!.extents[0]).toEqual([0, -1, 3]);
    expect(line!.kind === "line" && line!.points[0]).toEqual([0, 1]);
    expect([titleOf(3), titleOf(20)].map((title) => title.replace(/.* of /, ""))).toEqual([
      "80 minutes",
      "320 minutes",
    ]);
    const [twoHours] = overTime(samplesOf({ A: Array.from({ length: 800 }, () => CALM[0]!) }), [], 800);
    expect(twoHours.title).toBe("Spot prices, mean and range of 2 hours");
    expect(spotOverTime({ samples, end: end * 20, events: [], width: 900 })[0].layers.map(({ kind }) => kind))
      .toEqual(["area", "line"]);
  });

  test("are summed up by bucket and hour, with the least, the greatest and each regime", () => {
    const samples = new SpotSamples(0, HOUR, ["A"], "America/Edmonton");
    for (const [cents, regime] of [[5, "base"], [-7, "drop"], [90, "spike"], [90, "spike"]] as const) {
      samples.add(0, 0, cents, regime);
    }
    samples.add(1, 0, 1, "base");
    for (const isCongested of [true, false, true]) samples.addCongestion(0, isCongested);
    const [{ buckets, hours, prices }] = samples.nodes as [SpotSamples["nodes"][0]];
    expect([buckets.upTo(HOUR)[0]!.value, samples.congestion.upTo(HOUR)[0]!.value]).toEqual([
      { low: -7, high: 90, sum: 178, count: 4, spikes: 2, drops: 1 },
      { count: 3, congested: 2 },
    ]);
    expect([hours[17], hours[0], [...prices]])
      .toEqual([{ sum: 178, count: 4 }, { sum: 0, count: 0 }, [[5, 1], [-7, 1], [90, 2]]]);
    for (let hour = 1; hour < 800; hour++) {
      samples.add(0, hour * HOUR, hour === 1 ? -100 : 200, hour === 1 ? "drop" : "spike");
      samples.addCongestion(hour * HOUR, hour === 1);
    }
    expect([buckets.upTo(800 * HOUR)[0]!.value, samples.congestion.upTo(800 * HOUR)[0]!.value]).toEqual([
      { low: -100, high: 90, sum: 78, count: 5, spikes: 2, drops: 2 },
      { count: 4, congested: 3 },
    ]);
  });

  test("last for a share of the time, and have a mean in each hour of the day", () => {
    const [duration, day] = spotSummaries(samplesOf({ A: CALM, B: WILD }), 400);
    const ends = duration.layers.map((layer) =>
      layer.kind === "line" ? [layer.name, layer.tone, layer.isDashed, layer.points[0], layer.points.at(-1)] : []
    );
    expect(ends).toEqual([
      ["A", "s0", false, [0, 4], [100, 1]],
      ["B", "s1", true, [0, 95], [100, -2]],
    ]);
    expect(day.layers.map((layer) => layer.kind === "line" ? layer.points : [])).toEqual([
      [[0, 1], [1, 2], [2, 3], [3, 4]],
      [[0, 90], [1, 95], [2, -2], [3, 1]],
    ]);
    expect([duration.x, day.x]).toMatchObject([{ domain: [0, 100] }, { domain: [0, 23], markEvery: 3 }]);
    const curve = durationCurve(new Map([[100, 3], [500, 1]]), 5);
    expect(curve).toEqual([[0, 500], [25, 500], [50, 100], [75, 100], [100, 100]]);
    expect(durationCurve(new Map(), 5)).toEqual([]);
  });
});

test("the picture of a seed says how to make it again, and is of that seed and time alone", () => {
  const told: number[] = [];
  const picture = (seed: number, hours: number) =>
    spotPicture({ seed, hours, version: "1.2.3", onProgress: (hour) => told.push(hour) });
  const svg = picture(7, 48);
  expect(svg).toContain("mkt 1.2.3 spot --seed 7 --hours 48</text>");
  expect(svg).toContain(">Simulated spot prices, seed 7</text>");
  for (const text of ["node A", "node B", "Spot prices", "How long prices lasted", "Mean price by hour of the day"]) {
    expect(svg).toContain(`>${text}</text>`);
  }
  const body = (text: string) => text.slice(text.indexOf("translate"));
  expect([picture(7, 48) === svg, body(picture(8, 48)) === body(svg), body(picture(7, 24)) === body(svg)])
    .toEqual([true, false, false]);
  expect(told).toEqual([0, 0, 0, 0]);
});

describe("the charts of contracts", () => {
  type Price = { bid?: number | null; ask?: number | null; low?: number; high?: number; forecast?: number };
  const contract = (id: string, volume: number, prices: readonly Price[] = [], more: object = {}) => {
    const buckets = new TimeBuckets<Price>(0, HOUR, 100, (earlier, later) => ({ ...earlier, ...later }));
    for (const [hour, price] of prices.entries()) buckets.at(hour * HOUR, () => price);
    const none = { hasQuotes: true, trades: 2, twoSidedMs: 0, spreadMs: 0 };
    return [id, { ...none, id, volume, prices: buckets, ...more }] as const;
  };
  const runOf = (contracts: readonly (readonly [string, object])[], hours: readonly object[] = []) => ({
    digest: { contracts: new Map(contracts), hours },
    description: {
      startedAt: new Date(0).toISOString(),
      endedAt: new Date(Math.max(4, hours.length) * HOUR).toISOString(),
      hours: Math.max(4, hours.length),
    },
    timezone: "UTC",
  } as unknown as RecordedRun);

  test("have the band between the best prices, gaps without two sides, trades, forecasts and the spread in dollars", () => {
    const prices = [
      { bid: -100, ask: 300, forecast: 50 },
      { bid: null, low: -50, high: 20 },
      { bid: 100, forecast: 60 },
      { ask: 150 },
    ];
    const run = runOf([contract("C", 5, prices, { twoSidedMs: 2, spreadMs: 500 })]);
    const [[chart, spread]] = contractCharts([run], "C", { width: 300 }) as [[Chart, Chart]];
    const inHours = (points: readonly (readonly (number | null)[])[]) =>
      points.map(([time, ...rest]) => [time! / HOUR, ...rest]);
    const shapes = [...chart.layers, ...spread.layers].map((layer) => [
      `${layer.name} ${layer.tone} ${layer.kind}`,
      inHours("points" in layer ? layer.points : "extents" in layer ? layer.extents : []),
    ]);
    expect(shapes).toEqual([
      ["best forecast s3 line", [[0, 0.5], [2, 0.6]]],
      ["best bid to best ask s0 area", [[0, -1, 3], [1, null, null], [2, 1, 3], [3, 1, 1.5], [4, 1, 1.5]]],
      ["trades s1 sticks", [[1.5, -0.5, 0.2]]],
      ["spread, mean 2.50 $/MWh s0 line", [[0, 4], [1, null], [2, 2], [3, 0.5], [4, 0.5]]],
    ]);
    expect(spread.y).toMatchObject({ domain: [0, 4] });
    const [[none]] = contractCharts([run], "X", { width: 300 }) as [[Chart, Chart]];
    expect([none.title, none.emptyText]).toEqual(["X", "not quoted in this run"]);
  });

  test("are of the most traded ones of all runs together", () => {
    const runs = [
      runOf([contract("A", 5), contract("B", 9), contract("Z", 0, [], { hasQuotes: false })]),
      runOf([contract("A", 5), contract("C", 9)]),
    ];
    expect([mostTraded(runs), mostTraded(runs, 1), quotedContracts(runs)])
      .toEqual([["A", "B", "C"], ["A"], ["A", "B", "C"]]);
    const charts = volumeByContract([runOf([contract("A", 5_000), contract("B", 9_000)]), runs[1]!], { width: 300 });
    expect(charts.map(({ y }) => y)).toEqual(Array(2).fill({ kind: "names", names: ["B", "A", "C"] }));
    const rows = charts.map(({ layers: [layer] }) =>
      layer!.kind === "boxes" ? layer!.boxes.map(({ x, y, title }) => `${x} at ${(y[0] + y[1]) / 2} ${title}`) : []
    );
    expect(rows).toEqual([
      ["0,9 at 0 B: 9 MW in 2 trades", "0,5 at 1 A: 5 MW in 2 trades", "0,0 at 2 C: 0 MW in 0 trades"],
      ["0,0 at 0 B: 0 MW in 0 trades", "0,0.005 at 1 A: 0.005 MW in 2 trades", "0,0.009 at 2 C: 0.009 MW in 2 trades"],
    ]);
    expect(charts.map(({ x }) => x)).toMatchObject([{ domain: [0, 9], label: "MW" }, { domain: [0, 9] }]);
  });

  test("of volumes over time have what buyers took below what sellers took, and bars that are hours or more", () => {
    const hours = (count: number) => Array.from({ length: count }, () => ({ bought: 1_000, sold: 2_000 }));
    const bars = (count: number) => {
      const [chart] = volumeByTime([runOf([], hours(count))], { width: 300 });
      const [buy, sell] = chart!.layers.map((layer) => layer.kind === "boxes" ? layer.boxes : []);
      return [chart!.title, buy!.length, buy![0]!.y, sell![0]!.y, buy![0]!.title] as const;
    };
    expect([bars(2), bars(97)]).toEqual([
      ["Volume by hour", 2, [0, 1], [1, 3], "1 MW bought, 2 MW sold by takers"],
      ["Volume by 2 hours", 49, [0, 2], [2, 6], "2 MW bought, 4 MW sold by takers"],
    ]);
    for (const count of [2, 96, 97, 200, 800]) {
      const [{ x, title, layers }] = volumeByTime([runOf([], hours(count))], { width: 300 }) as [Chart];
      const step = Number(/\d+/.exec(title)?.[0] ?? 1) * HOUR;
      const [from, end] = (x as { domain: readonly [number, number] }).domain;
      // Each bar lies within its hours, and takes most of them.
      for (const layer of layers.flatMap((each) => each.kind === "boxes" ? [each] : [])) {
        for (const [place, { x: [left, right] }] of layer.boxes.entries()) {
          const [first, last] = [from + place * step, Math.min(end, from + (place + 1) * step)];
          expect([left >= first, right <= last, right - left > 0.7 * (last - first)]).toEqual([true, true, true]);
        }
      }
    }
    const [chart] = volumeByTime([runOf([], hours(2))], { width: 300 });
    expect(chart).toMatchObject({
      y: { domain: [0, 3], label: "MW" },
      layers: [{ tone: "buy", name: "a buyer took" }, { tone: "sell", name: "a seller took" }],
    });
  });
});
