// The plots of docs/spot-model.md, for one seed: a month by the hour, and the days around the year's highest price in
// 5-minute steps.

import { LISTING_START, LISTING_TIMEZONE } from "../../sim/spot/price-listing.ts";
import { SpotProcess } from "../../sim/spot/spot-process.ts";
import { type Line, plotAsSvg } from "./line-plot.ts";
import { simulatedSeries } from "./simulated-series.ts";

const SEED = 1;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_HOURS = 8760;
const MONTH = [Date.parse("2026-08-01T05:00:00Z"), Date.parse("2026-09-01T05:00:00Z")] as const;
const NODES = ["A", "B"] as const;
const COLOURS = { A: "#2f7ed8", B: "#d9822b" } as const;
const MARKS = [-100, -50, -20, 0, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Contents by file name in docs. */
export function spotPlots(): ReadonlyMap<string, string> {
  return new Map([["spot-month.svg", monthPlot()], ["spot-spike.svg", spikePlot()]]);
}

function monthPlot(): string {
  const { times, first, second } = simulatedSeries(SEED, YEAR_HOURS);
  const line = (node: "A" | "B", cents: Float64Array): Line => ({
    name: `node ${node}`,
    colour: COLOURS[node],
    points: Array.from(times, (time, at) => ({ time, price: cents[at]! / 100 }))
      .filter(({ time }) => time >= MONTH[0] && time < MONTH[1]),
  });
  return plotAsSvg({
    title: `A month of hourly prices, $/MWh (seed ${SEED})`,
    lines: [line("B", second), line("A", first)],
    bend: 20,
    marks: MARKS,
    timeMarkMs: 3 * DAY_MS,
  });
}

function spikePlot(): string {
  const { times, first } = simulatedSeries(SEED, YEAR_HOURS);
  const peak = times[first.indexOf(Math.max(...first))]!;
  const spot = new SpotProcess({ seed: SEED, startTime: LISTING_START, timezone: LISTING_TIMEZONE, nodes: NODES });
  spot.advanceTo(peak - DAY_MS);
  const points = spot.advanceTo(peak + DAY_MS);
  const line = (node: "A" | "B"): Line => ({
    name: `node ${node}`,
    colour: COLOURS[node],
    points: points.filter((point) => point.node === node)
      .map(({ time, priceCents }) => ({ time, price: priceCents / 100 })),
  });
  return plotAsSvg({
    title: `The highest spike of a year in 5-minute steps, $/MWh (seed ${SEED})`,
    lines: [line("B"), line("A")],
    bend: 20,
    marks: MARKS,
    timeMarkMs: 6 * HOUR_MS,
  });
}
