// The charts of several runs side by side: on the same scales, each with its own values, and without what would hide the rest.

import { describe, expect, test } from "bun:test";
import { BookLooks } from "../../../sim/report/book-looks.ts";
import { depthCharts } from "../../../sim/report/depth-charts.ts";
import { contractCharts, mostTraded, volumeByContract, volumeByTime } from "../../../sim/report/price-charts.ts";
import type { RecordedRun } from "../../../sim/report/recorded-run.ts";
import { TimeBuckets } from "../../../sim/report/time-buckets.ts";

const HOUR = 3_600_000;
const SIZE = { width: 300 };
type Price = { bid?: number; ask?: number; low?: number; high?: number };

/** A run from one hour to another, with the prices of a contract C in each hour, and what was traded. */
function runOf(
  { from = 0, to = 4, prices = [], volumes = { C: 1 }, hours = [] }: {
    readonly from?: number;
    readonly to?: number;
    readonly prices?: readonly Price[];
    readonly volumes?: Readonly<Record<string, number>>;
    readonly hours?: readonly { readonly bought: number; readonly sold: number }[];
  },
): RecordedRun {
  const buckets = new TimeBuckets<Price>(from * HOUR, HOUR, 1_000, (earlier, later) => ({ ...earlier, ...later }));
  for (const [at, price] of prices.entries()) buckets.at((from + at) * HOUR, () => price);
  const contracts = Object.entries(volumes).map(([id, volume]) =>
    [id, { id, volume, hasQuotes: true, trades: 1, prices: buckets, twoSidedMs: 1, spreadMs: 1 }] as const
  );
  const [startedAt, endedAt] = [from, to].map((hour) => new Date(hour * HOUR).toISOString());
  const description = { startedAt, endedAt, hours: to - from };
  return { digest: { contracts: new Map(contracts), hours }, description, timezone: "UTC" } as unknown as RecordedRun;
}

describe("the prices of a contract", () => {
  test("have one scale in all runs, of quotes and trades, and another of spreads, over the time of each run", () => {
    const charts = contractCharts(
      [
        runOf({ prices: [{ bid: 100, ask: 300 }] }),
        runOf({ from: 2, to: 5.25, prices: [{ bid: 500, ask: 900 }, {}, {}, { low: 450, high: 950 }] }),
      ],
      "C",
      SIZE,
    );
    for (const [price, spread] of charts) {
      expect([price.y, spread.y]).toMatchObject([{ domain: [1, 9.5] }, { domain: [0, 4] }]);
    }
    expect(charts.map(([{ x }]) => x)).toMatchObject([{ domain: [0, 4 * HOUR] }, { domain: [2 * HOUR, 5.25 * HOUR] }]);
    // What was traded in the last hour is in its middle, but not after the end.
    const [, [{ layers }]] = charts as [unknown, typeof charts[0]];
    expect(layers.at(-1)).toMatchObject({ name: "trades", extents: [[5.25 * HOUR, 4.5, 9.5]] });
  });

  test("leave out what is three times as far from the median as all but a hundredth, on each side", () => {
    const counts = [[-50_000, 1], [4_000, 10], [5_000, 280], [7_000, 8], [100_000, 1]] as const;
    const prices = counts.flatMap(([price, count]) =>
      Array.from({ length: count }, () => ({ low: price, high: price }))
    );
    const axisOf = (run: RecordedRun) => contractCharts([run], "C", SIZE)[0]![0].y;
    expect(axisOf(runOf({ to: 300, prices }))).toMatchObject({ domain: [20, 110] });
    expect(axisOf(runOf({ prices: prices.slice(20, 23) }))).not.toHaveProperty("domain");
  });
});

test("the six most traded contracts have prices, fourteen have a bar, on a scale of at least a megawatt", () => {
  const ids = Array.from({ length: 16 }, (_, at) => `C${String(at).padStart(2, "0")}`);
  const run = runOf({ volumes: Object.fromEntries(ids.map((id, at) => [id, 500 - at])) });
  expect(mostTraded([run])).toEqual(ids.slice(0, 6));
  const [chart] = volumeByContract([run], SIZE);
  expect(chart).toMatchObject({ x: { domain: [0, 1] }, y: { names: ids.slice(0, 14) }, height: 62 + 14 * 17 });
});

test("volumes over time have at most 96 bars, as long in all runs, and one scale", () => {
  const run = (count: number, bought: number) =>
    runOf({ to: count, hours: Array.from({ length: count }, () => ({ bought, sold: 1_000 })) });
  const seen = (...runs: RecordedRun[]) =>
    volumeByTime(runs, SIZE).map(({ title, y, layers: [layer] }) => [
      title,
      "domain" in y ? y.domain?.[1] : NaN,
      layer?.kind === "boxes" ? layer.boxes.length : NaN,
    ]);
  expect(seen(run(96, 1_000))).toEqual([["Volume by hour", 2, 96]]);
  expect(seen(run(4, 1_000), run(97, 3_000))).toEqual([["Volume by 2 hours", 8, 2], ["Volume by 2 hours", 8, 49]]);
});

test("books have one scale in all runs, the looks and the local time of each; contracts that all of them have come first", () => {
  const run = (
    timezone: string,
    hour: number,
    levels: readonly (readonly [id: string, side: string, megawatts: number])[],
  ) => {
    const books = new BookLooks(0, null);
    for (const [id, side, megawatts] of levels) books.add(hour * HOUR, [0, id, side, 0, 3_000, megawatts]);
    const description = { endedAt: new Date(6 * HOUR).toISOString() };
    return { digest: { books }, description, timezone } as unknown as RecordedRun;
  };
  const runs = [
    run("UTC", 6, [["X", "BUY", 1], ["Y", "BUY", 0.2], ["Z", "BUY", 1]]),
    run("America/Chicago", 5, [["Y", "SELL", 0.3], ["Z", "BUY", 1]]),
  ];
  const contracts = depthCharts(runs, ["X", "Y", "Z"], 480);
  expect(contracts.map(({ id }) => id)).toEqual(["Y", "Z"]);
  const charts = contracts[0]!.runs.flat();
  expect(charts.map(({ title }) => title)).toEqual(["1970-01-01 06:00", "1969-12-31 23:00"]);
  for (const { x, y } of charts) expect([x, y]).toMatchObject([{ domain: [29.99, 30.01] }, { domain: [0, 1] }]);
  expect(charts.map(({ layers }) => layers.map((layer) => layer.kind === "area" ? layer.extents : []))).toEqual([
    [[[29.99, 0, 0.2], [30, 0, 0]], []],
    [[], [[30, 0, 0.3], [30.01, 0, 0.3]]],
  ]);
});
