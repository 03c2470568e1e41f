// The plots of docs/spot-model.md, for one seed: a month by the hour, and the days around the year's highest price in
// 5-minute steps.

import type { Layer, Point } from "../../common/plot/layers.ts";
import { pictureSvg } from "../../common/plot/picture.ts";
import { DAY_MS } from "../../protocol/time-units.ts";
import { LISTING_START, LISTING_TIMEZONE } from "../../sim/spot/price-listing.ts";
import { SpotProcess } from "../../sim/spot/spot-process.ts";
import { simulatedSeries } from "./simulated-series.ts";

const SEED = 1;
const YEAR_HOURS = 8760;
const MONTH = [Date.parse("2026-08-01T05:00:00Z"), Date.parse("2026-09-01T05:00:00Z")] as const;
const NODES = ["A", "B"] as const;
const TONES = { A: "s0", B: "s1" } as const;
/** Dollars/MWh at which the scale changes from linear to logarithmic. */
const BEND = 20;

/** Contents by file name in docs. */
export function spotPlots(): ReadonlyMap<string, string> {
  return new Map([["spot-month.svg", monthPlot()], ["spot-spike.svg", spikePlot()]]);
}

function monthPlot(): string {
  const { times, first, second } = simulatedSeries(SEED, YEAR_HOURS);
  const points = (cents: Float64Array) =>
    Array.from(times, (time, at): Point => [time, cents[at]! / 100])
      .filter(([time]) => time >= MONTH[0] && time < MONTH[1]);
  return plot(`A month of hourly prices (seed ${SEED})`, [line("B", points(second)), line("A", points(first))]);
}

function spikePlot(): string {
  const { times, first } = simulatedSeries(SEED, YEAR_HOURS);
  const peak = times[first.indexOf(Math.max(...first))]!;
  const spot = new SpotProcess({ seed: SEED, startTime: LISTING_START, timezone: LISTING_TIMEZONE, nodes: NODES });
  spot.advanceTo(peak - DAY_MS);
  const points = spot.advanceTo(peak + DAY_MS);
  const of = (name: "A" | "B") =>
    points.filter(({ node }) => node === name).map(({ time, priceCents }): Point => [time, priceCents / 100]);
  return plot(`The highest spike of a year in 5-minute steps (seed ${SEED})`, [
    line("B", of("B")),
    line("A", of("A")),
  ]);
}

function line(node: "A" | "B", points: readonly Point[]): Layer {
  return { kind: "line", name: `node ${node}`, tone: TONES[node], points, isStepped: true, width: 1.2 };
}

function plot(title: string, layers: readonly Layer[]): string {
  return pictureSvg({
    title,
    description: "Spot prices of two nodes on a scale that is linear near zero and logarithmic beyond.",
    rows: [[{
      title,
      x: { kind: "time", timezone: LISTING_TIMEZONE, label: LISTING_TIMEZONE },
      y: { kind: "bent", bend: BEND, label: "$/MWh" },
      layers,
      width: 960,
      height: 380,
    }]],
  });
}
