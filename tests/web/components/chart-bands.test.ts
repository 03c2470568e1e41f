// The bands behind a chart: spikes, drops and events, from their begin to their end.

import { describe, expect, test } from "bun:test";
import { ChartBands } from "../../../web/components/chart-bands.ts";
import { openBrowser } from "../support/browser.ts";
import { recordCharts, RecordedChart } from "../support/recorded-chart.ts";

openBrowser();
recordCharts();

/** The colour's name, and its opacity if it is not whole. */
const named = (colour: string, opacity = 1) => opacity === 1 ? colour : `${colour} ${opacity}`;

/** A place for each second. */
const SECONDS = { step: 1, from: 0, to: 1_000 };

/** What is drawn: `colour from width height`, and the labels. */
function drawnBands(
  bands: Parameters<ChartBands["show"]>[0]["bands"],
  letterWidth: number,
  { firstShown = 0, grid = SECONDS } = {},
): string[] {
  const calls: string[] = [];
  const context = {
    fillStyle: "",
    fillRect: (left: number, _top: number, width: number, height: number) =>
      calls.push(`${context.fillStyle} ${left} ${width} ${height}`),
    measureText: (text: string) => ({ width: text.length * letterWidth }),
    fillText: (text: string, left: number, top: number) => calls.push(`${text} at ${left} ${top}`),
  };
  const chart = Object.assign(new RecordedChart(), { firstShown });
  const shown = new ChartBands(chart as never);
  shown.show({ bands, grid, colour: named });
  const scope = {
    context,
    bitmapSize: { width: 2_000, height: 300 },
    horizontalPixelRatio: 2,
    verticalPixelRatio: 1,
  };
  for (const view of shown.paneViews()) {
    view.renderer().draw({ useBitmapCoordinateSpace: (draw) => draw(scope as never) });
  }
  return calls;
}

describe("a band of a chart", () => {
  test("is shaded from its begin to its end, or to the edge if it has not ended", () => {
    const bands = [
      { from: 100, to: 300, colour: "danger", label: "spike" },
      { from: 400, to: null, colour: "warning", label: "heat wave" },
    ] as const;
    expect(drawnBands(bands, 1)).toEqual([
      "danger 0.13 200 400 300",
      "danger 0.7 200 400 2",
      "spike at 208 14",
      "warning 0.13 800 1200 300",
      "warning 0.7 800 1200 2",
      "heat wave at 808 14",
    ]);
  });

  test("has no label without room for it, and is not drawn out of sight", () => {
    const bands = [
      { from: 10, to: 20, colour: "good", label: "drop" },
      { from: 0, to: 0, colour: "good", label: "drop" },
      { from: -5, to: 30, colour: "good", label: "drop" },
    ] as const;
    expect(drawnBands(bands, 4)).toEqual([
      "good 0.13 20 20 300",
      "good 0.7 20 20 2",
      "good 0.13 0 60 300",
      "good 0.7 0 60 2",
      "drop at 8 14",
    ]);
    // It is seen however short it is.
    expect(drawnBands([{ from: 10, to: 10, colour: "good", label: "" }], 4)).toEqual([
      "good 0.13 20 1 300",
      "good 0.7 20 1 2",
    ]);
  });

  test("that began before what is shown begins at its left edge, with its label", () => {
    const bands = [{ from: 50, to: 300, colour: "good", label: "drop" }] as const;
    expect(drawnBands(bands, 1, { firstShown: 100 })).toEqual([
      "good 0.13 0 400 300",
      "good 0.7 0 400 2",
      "drop at 8 14",
    ]);
  });
});

test("a band begins and ends at its time, also between two places of the axis and after the last one", () => {
  const minutes = { step: 60, from: 600, to: 900 };
  const bands = [{ from: 690, to: 1_230, colour: "good", label: "" }] as const;
  expect(drawnBands(bands, 4, { grid: minutes })).toEqual([
    "good 0.13 3 18 300",
    "good 0.7 3 18 2",
    " at 11 14",
  ]);
});

test("new bands are asked to be drawn", () => {
  const shown = new ChartBands(new RecordedChart() as never);
  let updates = 0;
  shown.attached({ requestUpdate: () => updates++ });
  shown.show({ bands: [], grid: SECONDS, colour: named });
  expect(updates).toBe(1);
});
