import { describe, expect, test } from "bun:test";
import { LineStyle, LineType } from "lightweight-charts";
import { h } from "preact";
import { ChartCanvas } from "../../web/components/chart-canvas.ts";
import { type ChartSeries, DrawnSeries, firstChange } from "../../web/components/chart-series.ts";
import { colours, translucent } from "../../web/components/chart-theme.ts";
import { Chart } from "../../web/components/chart.tsx";
import { gridOf } from "../../web/components/chart-grid.ts";
import { ChartTable } from "../../web/components/chart-table.tsx";
import { ChartTime } from "../../web/components/chart-time.ts";
import { PriceChart } from "../../web/components/price-chart.tsx";
import { openBrowser, show } from "./support/browser.ts";
import { recordCharts, RecordedChart } from "./support/recorded-chart.ts";

const { document } = openBrowser();
const charts = recordCharts();

/** Monday, 23 November 2026, 12:00 UTC, in seconds: 05:00 in Edmonton, which is 7 hours behind. */
const NOON = Date.UTC(2026, 10, 23, 12) / 1_000;
const TIMEZONE = "America/Edmonton";
const BEHIND = 7 * 3_600;

const candle = (time: number, close: number) => ({ time, open: close - 5, high: close + 20, low: close - 30, close });
const PRICE: ChartSeries = { id: "price", name: "Price", kind: "candles", unit: "price", points: [] };
const LINE: ChartSeries = { id: "line", name: "NORTH", kind: "line", unit: "price", colour: "buy", points: [] };
const BARS: ChartSeries = {
  id: "volume",
  name: "Volume",
  kind: "bars",
  unit: "quantity",
  colour: "muted",
  pane: 1,
  points: [],
};

/** The colour's name, and its opacity if it is not whole. */
const named = (colour: string, opacity = 1) => opacity === 1 ? colour : `${colour} ${opacity}`;

/** What the chart was asked to draw for it. */
function drawn(series: ChartSeries) {
  const chart = new RecordedChart();
  new DrawnSeries(chart as never, series, named);
  return chart.series[0]!;
}

describe("a series of a chart", () => {
  test("has the dollars of its cents, or its MW, on its axis", () => {
    const axisOf = (series: ChartSeries) => [-1, 0, 4_673, 123_456].map(drawn(series).options.priceFormat.formatter);
    const dollars = ["−0.01", "0.00", "46.73", "1,234.56"];
    expect([PRICE, LINE].map(axisOf)).toEqual([dollars, dollars]);
    expect(axisOf(BARS)).toEqual(["−1", "0", "4.7K", "123.5K"]);
  });

  test.each<[name: string, series: ChartSeries, type: string, pane: number, look: object]>([
    ["candles", PRICE, "CandlestickSeries", 0, {
      upColor: "surface",
      downColor: "sell",
      borderUpColor: "buy",
      borderDownColor: "sell",
      wickUpColor: "buy",
      wickDownColor: "sell",
    }],
    ["bars below them", BARS, "HistogramSeries", 1, { color: "muted 0.5", priceLineVisible: false }],
    ["a line", LINE, "LineSeries", 0, { color: "buy", lineStyle: LineStyle.Solid, lineType: LineType.Simple }],
    ["a dashed line of steps", { ...LINE, dashed: true, steps: true }, "LineSeries", 0, {
      lineStyle: LineStyle.Dashed,
      lineType: LineType.WithSteps,
    }],
  ])("is drawn as %s", (_name, series, type, pane, look) => {
    expect(drawn(series)).toMatchObject({ type, pane, options: look });
  });

  test("draws only what has changed since the points before, at the times of the market", () => {
    const chart = new RecordedChart();
    const series = new DrawnSeries(chart as never, PRICE, named);
    const [first, second, third] = [candle(NOON, 1), candle(NOON + 60, 2), candle(NOON + 120, 3)];
    const time = new ChartTime(TIMEZONE, NOON);
    const grid = gridOf([{ points: [first, third] }], 60);
    series.show([first, second], time, grid);
    expect(chart.series[0]).toMatchObject({
      updates: 0,
      data: [{ time: NOON - BEHIND }, { time: NOON + 60 - BEHIND }],
    });
    series.show([first, { ...second, close: 9 }, third], time, grid);
    expect(chart.series[0]).toMatchObject({ updates: 2, data: [{ close: 1 }, { close: 9 }, { close: 3 }] });
    series.show([first, { ...second, close: 9 }, third], new ChartTime("UTC", NOON), grid);
    expect(chart.series[0]).toMatchObject({ updates: 2, data: [{ time: NOON }, { close: 9 }, { close: 3 }] });
  });

  test.each<[name: string, before: number[], after: number[], expected: number | null]>([
    ["nothing was drawn", [], [1], null],
    ["one was drawn", [1], [1], 0],
    ["the last one may have changed", [1, 2], [1, 2], 1],
    ["points were added", [1, 2], [1, 2, 3, 4], 1],
    ["the first ones were forgotten", [1, 2, 3], [2, 3, 4], null],
    ["there are fewer", [1, 2, 3], [1, 2], null],
    ["an earlier one came between", [1, 3, 4], [1, 2, 4], null],
  ])("%s: the first point to draw", (_name, before, after, expected) => {
    const points = new Map(Array.from({ length: 5 }, (_, time) => [time, { time }]));
    const of = (times: number[]) => times.map((time) => points.get(time)!);
    expect(firstChange(of(before), of(after))).toBe(expected);
  });

  test("a settled point that was replaced is drawn again with all others", () => {
    const same = [{ time: 1, value: 1 }, { time: 2, value: 2 }];
    expect([firstChange(same, same), firstChange(same, [{ ...same[0]! }, same[1]!])]).toEqual([2, null]);
    // So is the first one.
    const three = [...same, { time: 3, value: 3 }];
    expect(firstChange(three, [{ time: 0, value: 1 }, ...three.slice(1)])).toBeNull();
  });
});

describe("the canvas of a chart", () => {
  const points = (count: number) => Array.from({ length: count }, (_, minute) => candle(NOON + minute * 60, 5_000));

  function canvas(content: readonly ChartSeries[]) {
    const made = new ChartCanvas(document.body as never);
    made.show({ series: content, timezone: TIMEZONE });
    return { made, chart: charts.at(-1)! };
  }

  test("shows the times of the market, and removes series that are gone, until they come back", () => {
    const { made, chart } = canvas([{ ...PRICE, points: points(2) }, BARS]);
    const { timeScale } = chart.options as {
      timeScale: { tickMarkFormatter: (time: number, kind: number) => string };
    };
    const at = chart.series[0]!.data[0]!.time;
    expect([0, 1, 2, 3, 4].map((kind) => timeScale.tickMarkFormatter(at, kind)))
      .toEqual(["2026", "Nov 23", "Nov 23", "05:00", "05:00:00"]);
    expect(chart.calls.slice(0, 2)).toEqual(["pane 0 ×4", "pane 1 ×1"]);
    made.show({ series: [BARS], timezone: TIMEZONE });
    expect(chart.series.map(({ type }) => type)).toEqual(["HistogramSeries"]);
    made.show({ series: [{ ...PRICE, points: points(2) }, BARS], timezone: TIMEZONE });
    expect(chart.series.map(({ type, data }) => [type, data.length])).toContainEqual(["CandlestickSeries", 2]);
    made.remove();
    expect(chart.calls).toContain("removed");
  });

  test("another time zone moves all points", () => {
    const { made, chart } = canvas([{ ...PRICE, points: points(1) }]);
    made.show({ series: [{ ...PRICE, points: points(1) }], timezone: "Europe/Berlin" });
    expect(chart.series[0]!.data.map(({ time }) => time)).toEqual([NOON + 3_600]);
    const { tickMarkFormatter } =
      (chart.options as { timeScale: { tickMarkFormatter: (time: number, kind: number) => string } }).timeScale;
    // In summer Lagos has another time than Berlin.
    const shown = ["Europe/Berlin", "Africa/Lagos"].map((timezone) => {
      made.show({ series: [{ ...PRICE, points: points(1) }], timezone });
      return tickMarkFormatter(Date.UTC(2026, 6, 1, 13) / 1_000, 3);
    });
    expect(shown).toEqual(["14:00", "13:00"]);
  });

  test("leaves the wheel and a finger that moves up or down to the page, and adds no logo, which would need a style", () => {
    expect(canvas([]).chart.options).toMatchObject({
      handleScroll: { vertTouchDrag: false, mouseWheel: false },
      handleScale: { mouseWheel: false },
      layout: { attributionLogo: false },
    });
  });

  test.each<[name: string, act: (made: ChartCanvas) => void, range: { from: number; to: number }]>([
    ["its last points", (made) => made.showLast(60), { from: 40, to: 102 }],
    ["no more than it has", (made) => made.showLast(500), { from: 0, to: 102 }],
    ["a part to the past", (made) => made.scroll(-0.1), { from: -10, to: 90 }],
    ["a part to the present", (made) => made.scroll(0.5), { from: 50, to: 150 }],
    ["half as many points up to the same one", (made) => made.zoom(0.5), { from: 50, to: 100 }],
    ["four points at least", (made) => made.zoom(0.001), { from: 96, to: 100 }],
  ])("shows %s", (_name, act, range) => {
    const { made, chart } = canvas([{ ...PRICE, points: points(100) }]);
    act(made);
    expect(chart.range).toEqual(range);
  });

  test("does not stretch a few points over the whole width", () => {
    const { made, chart } = canvas([{ ...PRICE, points: points(3) }]);
    made.showLast(120);
    expect(chart.range).toEqual({ from: -37, to: 5 });
  });
});

test("a colour is that of the theme, as translucent as it is asked for", () => {
  const before = document.body.childNodes.length;
  const colour = colours(document.body as never);
  expect(document.body.childNodes).toHaveLength(before);
  expect([colour("buy"), colour("sell")]).toEqual(["var(--buy)", "var(--sell)"]);
  expect([translucent("rgb(1, 2, 3)", 1), translucent("rgb(1, 2, 3)", 0.5), translucent("rgba(1 2 3 / 1)", 0.2)])
    .toEqual(["rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)", "rgba(1, 2, 3, 0.2)"]);
});

test("the table of a chart has its figures with their units, newest first, and a dash without a value", async () => {
  const series: ChartSeries[] = [
    { ...PRICE, points: [candle(NOON, 4_673), candle(NOON + 300, 4_700)] } as ChartSeries,
    { ...BARS, points: [{ time: NOON, value: 12.5 }] } as ChartSeries,
  ];
  const page = await show(h(ChartTable, { label: "Prices", series, timezone: TIMEZONE }));
  expect(page.text).toBe(
    `Time, MST | Open, $/MWh | High, $/MWh | Low, $/MWh | Close, $/MWh | Volume, MW
Nov 23, 05:05:00 | 46.95 | 47.20 | 46.70 | 47.00 | –
Nov 23, 05:00:00 | 46.68 | 46.93 | 46.43 | 46.73 | 12.5`,
  );
});

test("the table of a chart has the last hundred points", async () => {
  const points = Array.from({ length: 120 }, (_, minute) => ({ time: NOON + minute * 60, value: minute * 100 }));
  const page = await show(
    h(ChartTable, { label: "Prices", series: [{ ...LINE, points } as ChartSeries], timezone: "UTC" }),
  );
  const lines = page.text.split("\n");
  expect([lines.length, lines[1], lines.at(-1)]).toEqual([
    101,
    "Nov 23, 13:59:00 | 119.00",
    "Nov 23, 12:20:00 | 20.00",
  ]);
});

test("the keys move a chart, and no other key does", async () => {
  const page = await show(h(Chart, { label: "C", summary: "S.", series: [LINE], timezone: "UTC" }));
  const chart = charts.at(-1)!;
  const box = page.all("chart-box")[0]!;
  const results = ["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "+", "=", "-", "Enter"].map((key) => {
    chart.range = { from: 0, to: 100 };
    const isPrevented = box.dispatch({ type: "keydown", key });
    return [key, Math.round(chart.range.from), Math.round(chart.range.to), isPrevented];
  });
  expect(results).toEqual([
    ["ArrowLeft", -10, 90, true],
    ["ArrowRight", 10, 110, true],
    ["PageUp", -90, 10, true],
    ["PageDown", 90, 190, true],
    ["+", 30, 100, true],
    ["=", 30, 100, true],
    ["-", -40, 100, true],
    ["Enter", 0, 100, false],
  ]);
  box.dispatch({ type: "keydown", key: "Home" });
  box.dispatch({ type: "focusin" });
  expect(chart.calls.slice(-2)).toEqual([
    "fit",
    '{"handleScroll":{"mouseWheel":true},"handleScale":{"mouseWheel":true}}',
  ]);
  box.dispatch({ type: "focusout" });
  expect(chart.calls.at(-1)).toBe('{"handleScroll":{"mouseWheel":false},"handleScale":{"mouseWheel":false}}');
});

test("the price chart says its last price and range in dollars, and draws prices above volumes", async () => {
  const chart = (candles: ReturnType<typeof candle>[]) =>
    h(PriceChart, {
      name: "NORTH, hour 22",
      interval: "5 min",
      candles,
      volumes: candles.map(({ time }) => ({ time, value: 3 })),
      timezone: "UTC",
    });
  const label = (shown: { all: (name: string) => { attributes: Map<string, string> }[] }) =>
    shown.all("chart-box")[0]!.attributes.get("aria-label");
  const page = await show(chart([candle(NOON, 4_500), candle(NOON + 300, 4_673)]));
  expect(label(page)).toStartWith(
    "Price of NORTH, hour 22 in candles of 5 min, with volume. Last price 46.73 dollars; the last 2 candles lie between " +
      "44.70 and 46.93.",
  );
  expect(charts.at(-1)!.series.map(({ type, pane, data }) => [type, pane, data.length]))
    .toEqual([["CandlestickSeries", 0, 2], ["HistogramSeries", 1, 2]]);
  // The oldest ones, at 900 and 10,000, have left the chart.
  const many = [900, 10_000, ...Array.from({ length: 120 }, (_, at) => 4_000 + at)];
  expect(label(await show(chart(many.map((close, at) => candle(NOON + at * 300, close)))))).toContain(
    "Last price 41.19 dollars; the last 120 candles lie between 39.70 and 41.39.",
  );
  expect(label(await show(chart([])))).toContain("No trades yet.");
});
