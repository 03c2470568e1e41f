// The places of a chart's time axis: an hour is as wide as any other hour, whatever was traded in it.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { gridOf, indexOf, onGrid, placesOf, pointsOf } from "../../../web/components/chart-grid.ts";
import { ChartReadout, valueAt } from "../../../web/components/chart-readout.tsx";
import { Chart, type ChartSeries } from "../../../web/components/chart.tsx";
import { openBrowser, settle, show } from "../support/browser.ts";
import { recordCharts } from "../support/recorded-chart.ts";

openBrowser();
const charts = recordCharts();

const NOON = Date.UTC(2026, 10, 23, 12) / 1_000;
const [MINUTE, HOUR] = [60, 3_600];
const at = (...minutes: number[]) => minutes.map((minute) => ({ time: NOON + minute * MINUTE, value: minute }));

describe("the axis of a chart", () => {
  test("has a place for each step from the first point of all series to the last one", () => {
    const grid = gridOf([{ points: at(19, 47) }, { points: at(20) }, { points: [] }], MINUTE);
    expect([grid.from - NOON, grid.to - NOON, placesOf(grid)]).toEqual([19 * MINUTE, 47 * MINUTE, 29]);
    expect(pointsOf(grid).map(({ time }) => (time - NOON) / MINUTE)).toEqual(
      Array.from({ length: 29 }, (_, n) => n + 19),
    );
    expect(pointsOf(grid, grid.to - 2 * MINUTE).map(({ time }) => (grid.to - time) / MINUTE)).toEqual([1, 0]);
  });

  test("has no places without points", () => {
    expect([placesOf(gridOf([])), pointsOf(gridOf([{ points: [] }], HOUR))]).toEqual([0, []]);
  });

  test.each([[24, MINUTE], [24 * 7, 5 * MINUTE], [24 * 60, HOUR], [24 * 365 * 100, 24 * HOUR]])(
    "has for %d hours a place every %d seconds, if nothing says its step",
    (hours, step) => expect(gridOf([{ points: at(0, hours * 60) }]).step).toBe(step),
  );

  test("leaves out the oldest points instead of having more than 20,000 places, and seldom begins at another one", () => {
    const grids = Array.from({ length: 3_000 }, (_, more) => gridOf([{ points: at(0, 30_000 + more) }], MINUTE));
    expect(Math.max(...grids.map(placesOf))).toBeLessThanOrEqual(20_001);
    expect(Math.min(...grids.map(placesOf))).toBeGreaterThan(18_000);
    expect(new Set(grids.map(({ from }) => from)).size).toBeLessThanOrEqual(3);
    expect(onGrid(at(0, 30_000), grids[0]!).map(({ value }) => value)).toEqual([30_000]);
  });

  test("puts a point at the begin of its place; of several at one place the last stays", () => {
    const grid = gridOf([{ points: at(0, 60) }], 5 * MINUTE);
    expect(onGrid(at(0, 4, 7, 9, 60), grid).map(({ time, value }) => [(time - NOON) / MINUTE, value]))
      .toEqual([[0, 4], [5, 9], [60, 60]]);
    expect([indexOf(NOON + 450, grid), indexOf(NOON - 300, grid)]).toEqual([1.5, -1]);
  });
});

describe("a chart", () => {
  const line = (points: ReturnType<typeof at>): ChartSeries => ({
    ...{ id: "line", name: "NORTH", kind: "line", unit: "price", colour: "series", steps: true } as const,
    points,
  });
  const chart = (points: ReturnType<typeof at>, step = MINUTE) =>
    h(Chart, { label: "C", summary: "S.", timezone: "UTC", series: [line(points)], step });

  test("has as many places between two points as their times need, and only adds new ones", async () => {
    const page = await show(chart(at(0, 19, 47)));
    const drawn = charts.at(-1)!;
    expect([drawn.places!.data.length, drawn.places!.updates, drawn.series[0]!.data.length]).toEqual([48, 0, 3]);
    await page.redraw(chart(at(0, 19, 47, 50)));
    expect([drawn.places!.data.length, drawn.places!.updates, drawn.series[0]!.data.length]).toEqual([51, 3, 4]);
    await page.redraw(chart(at(0, 19, 47, 50), 5 * MINUTE));
    expect(drawn.places!.data.length).toBe(11);
    await page.redraw(chart([]));
    expect([drawn.places!.data, drawn.series[0]!.data]).toEqual([[], []]);
  });

  test("says the values under the crosshair, and the last ones without it", async () => {
    const page = await show(chart(at(0, 19, 47)));
    const words = () => page.readingOf(page.all("chart-readout")[0]!);
    expect(words()).toBe("Nov 23, 12:47:00 UTC NORTH 0.47 $/MWh");
    await settle(() => charts.at(-1)!.point(NOON + 20 * MINUTE));
    expect(words()).toBe("Nov 23, 12:20:00 UTC NORTH 0.19 $/MWh");
    await settle(() => charts.at(-1)!.point(undefined));
    expect(words()).toBe("Nov 23, 12:47:00 UTC NORTH 0.47 $/MWh");
  });

  test("says no value at a time that has none", async () => {
    const steps = line(at(10, 20));
    const bars: ChartSeries = {
      ...{ id: "v", name: "Volume", kind: "bars", unit: "quantity" } as const,
      colour: "muted",
      points: at(10),
    };
    const [open, high, low, close] = [4_600, 4_700, 4_500, 4_650];
    const candles: ChartSeries = {
      ...{ id: "p", name: "Price", kind: "candles", unit: "price" } as const,
      points: [{ time: NOON, open, high, low, close }],
    };
    const values = (series: ChartSeries, ...minutes: number[]) =>
      minutes.map((minute) => valueAt(series, NOON + minute * MINUTE));
    expect(values(steps, 9, 10, 19, 20, 21)).toEqual(["–", "0.10", "0.10", "0.20", "–"]);
    expect(values(bars, 9, 10, 11)).toEqual(["–", "10", "–"]);
    expect(values(candles, 0, 1)).toEqual(["open 46.00 high 47.00 low 45.00 close 46.50", "–"]);
    expect((await show(h(ChartReadout, { series: [], timezone: "UTC", at: null }))).text).toBe("");
  });
});
