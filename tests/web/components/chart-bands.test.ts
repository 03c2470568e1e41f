// The bands behind a chart: spikes, drops and events, from their begin to their end.

import { describe, expect, test } from "bun:test";
import { ChartBands } from "../../../web/components/chart-bands.ts";
import { ChartTime } from "../../../web/components/chart-time.ts";
import { openBrowser } from "../support/browser.ts";
import { recordCharts, RecordedChart } from "../support/recorded-chart.ts";

openBrowser();
recordCharts();

/** The colour's name, and its opacity if it is not whole. */
const named = (colour: string, opacity = 1) => opacity === 1 ? colour : `${colour} ${opacity}`;

describe("a band of a chart", () => {
  /** What is drawn: `colour from width height`, and the labels. */
  function drawnBands(
    bands: Parameters<ChartBands["show"]>[0]["bands"],
    letterWidth: number,
    firstShown = 0,
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
    shown.show({ bands, time: new ChartTime("UTC", 0), colour: named });
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
    expect(drawnBands(bands, 4)).toEqual(["good 0.13 20 20 300", "good 0.7 20 20 2"]);
    // It is seen however short it is.
    expect(drawnBands([{ from: 10, to: 10, colour: "good", label: "" }], 4)).toEqual([
      "good 0.13 20 1 300",
      "good 0.7 20 1 2",
    ]);
  });

  test("that began before what is shown begins at its left edge, with its label", () => {
    const bands = [{ from: 50, to: 300, colour: "good", label: "drop" }] as const;
    expect(drawnBands(bands, 1, 100)).toEqual(["good 0.13 0 400 300", "good 0.7 0 400 2", "drop at 8 14"]);
  });
});

test("new bands are asked to be drawn", () => {
  const shown = new ChartBands(new RecordedChart() as never);
  let updates = 0;
  shown.attached({ requestUpdate: () => updates++ });
  shown.show({ bands: [], time: new ChartTime("UTC", 0), colour: named });
  expect(updates).toBe(1);
});
