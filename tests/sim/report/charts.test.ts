// The layers of the charts of books and of trading results, and the sums beside them.

import { describe, expect, test } from "bun:test";
import type { PersonaReport } from "../../../sim/personas/persona-report.ts";
import { BookLooks } from "../../../sim/report/book-looks.ts";
import { depthCharts } from "../../../sim/report/depth-charts.ts";
import { difference, figureTable, figureTiles, grouped } from "../../../sim/report/figures.ts";
import type { RecordedRun } from "../../../sim/report/recorded-run.ts";
import { profitCharts, resultTable, strategyTable } from "../../../sim/report/strategy-charts.ts";

const HOUR_MS = 3_600_000;

describe("the chart of a book", () => {
  /** Looks with levels of price in cents and megawatts, the best first. */
  function chartsOf(
    looks: readonly Readonly<Record<string, readonly [side: string, price: number, volume: number][]>>[],
  ) {
    const books = new BookLooks(0, null);
    for (const [hour, look] of looks.entries()) {
      for (const [contractId, levels] of Object.entries(look)) {
        for (const [side, price, volume] of levels) books.add(hour * HOUR_MS, [0, contractId, side, 0, price, volume]);
      }
    }
    const endedAt = new Date((looks.length - 1) * HOUR_MS).toISOString();
    const run = { digest: { books }, description: { endedAt }, timezone: "UTC" } as unknown as RecordedRun;
    return (ids: readonly string[]) => depthCharts([run], ids, 480);
  }

  test("has what is bid at each price or above, and offered at each price or below, from the left", () => {
    const [contract] = chartsOf([{
      C: [["BUY", 3_000, 2], ["BUY", 2_800, 5], ["BUY", 2_500, 1], ["SELL", 3_200, 3], ["SELL", 3_400, 4]],
    }])(["C"]);
    const [{ x, y, layers }] = contract!.runs[0] as [NonNullable<typeof contract>["runs"][0][0]];
    expect([x, y]).toMatchObject([{ domain: [24.7, 34.3] }, { domain: [0, 8] }]);
    expect(layers).toMatchObject([
      { tone: "buy", name: "bids", extents: [[24.7, 0, 8], [25, 0, 7], [28, 0, 2], [30, 0, 0]] },
      { tone: "sell", name: "asks", extents: [[32, 0, 3], [34, 0, 7], [34.3, 0, 7]] },
    ]);
  });

  test("is there for the first two contracts, those without a book at some of the times last", () => {
    const [bid, ask] = [["BUY", 100, 1], ["SELL", 300, 1]] as [[string, number, number], [string, number, number]];
    const charts = chartsOf([{ A: [bid], B: [bid], C: [ask] }, { B: [bid], C: [bid] }]);
    expect(charts(["A", "B", "C"]).map(({ id, runs }) => [id, runs[0]?.length])).toEqual([["B", 2], ["C", 2]]);
    const [none, asked] = charts(["A", "C"]).map(({ runs }) =>
      runs[0]!.map(({ layers }) => layers.map((layer) => layer.kind === "area" ? layer.extents.length : NaN))
    );
    expect([none, asked]).toEqual([[[0, 2], [2, 0]], [[2, 0], [0, 0]]]);
  });
});

/** What a persona has, each figure another one. */
const FIGURES = {
  ...{ orders: 11, changes: 22, cancels: 33, trades: 44, volumeMw: 5.5, netPositionMw: 6.25, stoppedForLosses: 7 },
  ...{ physicalResult: 800, surplus: 90 },
};

function runOf(results: Readonly<Record<string, readonly number[]>>, more: Partial<PersonaReport> = {}): RecordedRun {
  const personas = Object.entries(results).flatMap(([strategy, all]) =>
    all.map((tradingResult) => ({ strategy, tradingResult, ...FIGURES, ...more }))
  );
  return { report: { personas } } as unknown as RecordedRun;
}

describe("the chart of trading results", () => {
  test("has the range, the middle half and the median of each strategy, and a dot for each persona", () => {
    const [chart] = profitCharts(
      [runOf({ zip: [50, 10, 40, 20, 30], aa: [-4, 6, 1, 9], zic: [7], gvwy: [3, 1, 2] })],
      480,
    );
    expect(chart!.y).toEqual({ kind: "names", names: ["zip", "aa", "zic", "gvwy"] });
    const boxes = chart!.layers.map((layer) =>
      layer.kind === "boxes" ? [layer.name, layer.boxes.map(({ x }) => x)] : []
    );
    expect(boxes).toEqual([
      ["least to greatest", [[10, 50], [-4, 9], [1, 3]]],
      ["middle half", [[20, 40], [-0.25, 6.75]]],
      [],
      ["median", [[30, 30], [3.5, 3.5], [7, 7], [2, 2]]],
    ]);
    const dots = chart!.layers.flatMap((layer) => layer.kind === "dots" ? layer.points.map(([x]) => x) : []);
    expect(dots).toEqual([10, 20, 30, 40, 50, -4, 1, 6, 9, 7, 1, 2, 3]);
    // The dots of a row are beside each other, and the median is the tallest of the boxes.
    const [row] = chart!.layers.flatMap((layer) => layer.kind === "dots" ? [layer.points.slice(0, 5)] : []);
    expect(row!.map(([, y]) => y!).sort((a, b) => a - b)).toEqual([-0.16, -0.08, 0, 0.08, 0.16]);
    const [range, half, median] = chart!.layers.flatMap((layer) =>
      layer.kind === "boxes" ? [layer.boxes[0]!.y[1]] : []
    );
    expect([range! < half!, half! < median!, median! < 0.5]).toEqual([true, true, true]);
  });

  test.each<[results: number[][], domain: number[], bend: number]>([
    [[[10, -20], [30]], [-22, 33], 1_000],
    [[[10, 20]], [0, 22], 1_000],
    [[[-10, -20]], [-22, 0], 1_000],
    [[[400_000, -10]], [-11, 440_000], 2_000],
    [[[10, -400_000]], [-440_000, 11], 2_000],
  ])("of %j has all of them and zero on one scale", (results, domain, bend) => {
    const charts = profitCharts(results.map((zip) => runOf({ zip })), 480);
    for (const { x } of charts) {
      const ends = "domain" in x ? x.domain!.map((end) => Math.round(end)) : [];
      expect([ends, x]).toMatchObject([domain, { kind: "bent", bend }]);
    }
    expect(charts.length).toBe(results.length);
  });

  test("has at most 60 dots a strategy, from the least to the greatest result", () => {
    const [chart] = profitCharts([runOf({ zip: Array.from({ length: 1_000 }, (_, at) => at) })], 480);
    const [dots] = chart!.layers.flatMap((layer) => layer.kind === "dots" ? [layer.points.map(([x]) => x)] : []);
    expect([dots!.length, dots![0], dots!.at(-1)]).toEqual([60, 0, 999]);
    expect(dots).toEqual(dots!.toSorted((a, b) => a - b));
  });
});

describe("a table of strategies", () => {
  const cells = (text: string) => [...text.matchAll(/<td class="number">(.*?)<\/td>/g)].map(([, cell]) => cell);
  const heads = (text: string) => [...text.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, cell]) => cell);

  test("has the sum of each figure, and the least and the greatest result", () => {
    const { text } = strategyTable(runOf({ zip: [-100, 400] }));
    expect(heads(text).slice(1).map((head, at) => `${head}: ${cells(text)[at]}`)).toEqual([
      "personas: 2",
      "orders: 22",
      "changes: 44",
      "cancels: 66",
      "trades: 88",
      "MW: 11",
      "net MW: 13",
      "result, $: 300",
      "least, $: -100",
      "greatest, $: 400",
      "physical, $: 1,600",
      "surplus, $: 180",
      "stops: 14",
    ]);
  });

  test("has no sum of what nobody has", () => {
    const { text } = strategyTable(runOf({ zip: [1] }, { physicalResult: null, surplus: null }));
    expect(cells(text).slice(-3)).toEqual(["–", "–", "7"]);
  });

  test("of several runs has the results side by side, and the second less the first if there are two", () => {
    const runs = [runOf({ zip: [1, 2], aa: [10] }), runOf({ zip: [5], zic: [7] }), runOf({ aa: [4] })];
    expect(cells(resultTable(runs.slice(0, 2), ["one", "two"]).text)).toEqual(
      ["3", "5", "+2", "10", "–", "–", "–", "7", "–"],
    );
    expect(cells(resultTable(runs, ["one", "two", "three"]).text)).toEqual(
      ["3", "5", "–", "10", "–", "4", "–", "7", "–"],
    );
  });
});

describe("the figures of a run", () => {
  const run = (change: number): RecordedRun => ({
    report: {
      steps: 1_000 + change,
      messages: 2,
      totals: {
        ...{ personas: 3, orders: 4, changes: 5, cancels: 6, rejected: 7, trades: 8, volumeMw: 9.1234 },
        ...{ physicalResult: null, surplus: -1_234.567, stoppedForLosses: 10 },
      },
      metrics: { meanSpread: 1.23456, twoSidedBooks: 50 - change, smithsAlpha: NaN, allocativeEfficiency: 99.5 },
    },
    description: { startedAt: "2026-11-23T12:00:00Z", endedAt: "2026-11-23T13:00:00Z" },
    timezone: "America/Edmonton",
  } as unknown as RecordedRun);
  const pairs = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...cells]) => cells.join(": "));

  test("are tiles with their units, and at most two digits after the point", () => {
    expect(pairs(figureTiles(run(0)).text, /<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/g)).toEqual([
      "personas: 3",
      "steps: 1,000",
      "messages: 2",
      "orders: 4",
      "changes: 5",
      "cancels: 6",
      "rejected: 7",
      "trades: 8",
      "volume, MW: 9.12",
      "mean spread, of the forecast, %: 1.23",
      "looks with a two-sided book, %: 50",
      "distance of trades from the forecast (Smith&#39;s alpha), %: –",
      "allocative efficiency, %: 99.5",
      "physical result, $: –",
      "surplus, $: -1,234.57",
      "stops for losses: 10",
    ]);
  });

  test.each([[1, ["1,000"]], [2, ["1,000", "1,003", "+3"]], [3, ["1,000", "1,003", "1,006"]]])(
    "of %i runs are side by side, of two with the difference",
    (count, steps) => {
      const runs = [run(0), run(3), run(6)].slice(0, count);
      const { text } = figureTable(runs, ["one", "two", "<3>"]);
      const row = (title: string) => text.split("<tr>").find((each) => each.includes(`>${title}<`))!;
      expect(pairs(row("steps"), /<td class="number">(.*?)<\/td>/g)).toEqual(steps);
      expect(text.includes("second less first")).toBe(count === 2);
      expect(row("volume, MW")).toContain("9.123<");
      expect(row("market time, America/Edmonton")).toContain("2026-11-23 05:00<br/>to 2026-11-23 06:00");
      expect(text.includes("<bdi>&lt;3&gt;</bdi>")).toBe(count === 3);
    },
  );

  test("have signs and dashes", () => {
    expect([
      difference(5, 3, 0),
      difference(3, 5, 0),
      difference(1, 1, 0),
      difference(1, 0.7, 0),
      difference(1, 1.3, 0),
      difference(null, 1, 0),
      difference(1, null, 0),
    ])
      .toEqual(["-2", "+2", "0", "0", "0", "–", "–"]);
    expect([grouped(1_234.56), grouped(-0.126, 2), grouped(-0.3), grouped(Infinity), grouped(null)]).toEqual([
      "1,235",
      "-0.13",
      "0",
      "–",
      "–",
    ]);
  });
});
