// A chart on a page: when it moves to the last points again, its table, its time zone, and its end.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { ChartCanvas } from "../../../web/components/chart-canvas.ts";
import type { ChartSeries } from "../../../web/components/chart-series.ts";
import { Chart } from "../../../web/components/chart.tsx";
import { openBrowser, settle, show } from "../support/browser.ts";
import { recordCharts } from "../support/recorded-chart.ts";

const { document } = openBrowser();
const charts = recordCharts();

const HOUR = 3_600;
/** Sunday, 1 November 2026, 07:00 UTC: an hour later clocks in Edmonton go back from 02:00 to 01:00. */
const BEFORE = Date.UTC(2026, 10, 1, 7) / 1_000;
const series = (count: number, from = BEFORE): ChartSeries => ({
  ...{ id: "line", name: "NORTH", kind: "line", unit: "price", colour: "buy" } as const,
  points: Array.from({ length: count }, (_, at) => ({ time: from + at * HOUR, value: 100 + at })),
});

type Given = Partial<Parameters<typeof Chart>[0]>;
const chart = (given: Given) =>
  h(Chart, { label: "C", summary: "S.", series: [], timezone: "UTC", step: HOUR, ...given });

describe("the view of a chart", () => {
  test("is all points or the last ones once there are some, and again only for another view", async () => {
    const page = await show(chart({ visible: 20, viewKey: "a" }));
    const drawn = charts.at(-1)!;
    const moves: unknown[] = [];
    const redraw = async (given: Given) => {
      drawn.range = { from: -1, to: -1 };
      drawn.calls.length = 0;
      await page.redraw(chart(given));
      moves.push(drawn.range.from === -1 ? drawn.calls.includes("fit") ? "all" : null : drawn.range);
    };
    await redraw({ series: [series(0)], visible: 20, viewKey: "a" });
    await redraw({ series: [series(100)], visible: 20, viewKey: "a" });
    await redraw({ series: [series(101)], visible: 20, viewKey: "a" });
    await redraw({ series: [series(101)], visible: 30, viewKey: "a" });
    await redraw({ series: [series(101)], visible: 30, viewKey: "b" });
    await redraw({ series: [series(101)], viewKey: "b" });
    await redraw({ series: [series(102)], viewKey: "b" });
    const last = (points: number, of: number) => ({ from: of - points, to: of + 2 });
    expect(moves).toEqual([null, last(20, 100), null, last(30, 101), last(30, 101), "all", null]);
    drawn.calls.length = 0;
    await page.redraw(null);
    expect(drawn.calls).toEqual(["removed"]);
  });

  test("shows all at first if nothing else is asked for", async () => {
    await show(chart({ series: [series(3)] }));
    expect(charts.at(-1)!.calls).toContain("fit");
  });
});

test("the table of a chart is there while it is open", async () => {
  const page = await show(chart({ series: [series(2)] }));
  const [details] = page.all("chart-table");
  const seen = [page.all("table").length];
  for (const open of [true, false]) {
    details!.open = open;
    await settle(() => void details!.dispatch({ type: "toggle" }));
    seen.push(page.all("table").length);
  }
  expect([seen, page.hints]).toEqual([[0, 1, 0], [
    "C",
    "C. S. Arrow keys scroll, plus and minus zoom, Home shows all.",
  ]]);
});

test.each([[undefined, "280px"], [120, "120px"], ["50vh", "50vh"]])("the height %p is %s", async (height, expected) => {
  const page = await show(chart(height === undefined ? {} : { height }));
  expect(page.all("chart-box")[0]!.style["height"]).toBe(expected);
});

test("a chart has the offset of its last point, also after clocks went back in the same time zone", () => {
  const made = new ChartCanvas(document.body as never);
  const drawn = charts.at(-1)!;
  const timezone = "America/Edmonton";
  const times = (count: number) => {
    made.show({ series: [series(count)], timezone });
    return drawn.series[0]!.data.map(({ time }) => (time - BEFORE) / HOUR);
  };
  // In summer 6 hours behind, in winter 7.
  expect([times(1), times(2), times(3)]).toEqual([[-6], [-7, -6], [-7, -6, -5]]);
  const { tickMarkFormatter } =
    (drawn.options as { timeScale: { tickMarkFormatter: (time: number, kind: number) => string } }).timeScale;
  expect(drawn.series[0]!.data.map(({ time }) => tickMarkFormatter(time, 3))).toEqual(["01:00", "01:00", "02:00"]);
  made.remove();
});
