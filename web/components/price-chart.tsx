// The price history of a contract: candles with the last price, and below them the volume traded in the same time.

import { type Interval, INTERVALS } from "./candles.ts";
import type { ChartCandle, LinePoint } from "./chart-series.ts";
import { Chart, type ChartSeries } from "./chart.tsx";
import { price } from "./format.ts";
import { useMemo } from "preact/hooks";

/** Lengths of a candle that are visible at first. */
const VISIBLE = 120;

interface PriceChartProps {
  /** As people read it, such as `NORTH, hour 22`. */
  readonly name: string;
  /** Length of a candle. */
  readonly interval: Interval;
  readonly candles: readonly ChartCandle[];
  /** MW, of the same times. */
  readonly volumes: readonly LinePoint[];
  readonly timezone: string;
  /** As of a Chart. */
  readonly height?: number | string;
}

export function PriceChart({ name, interval, candles, volumes, timezone, height }: PriceChartProps) {
  const series = useMemo((): ChartSeries[] => [
    { id: "price", name: "Price", kind: "candles", unit: "price", points: candles },
    { id: "volume", name: "Volume", kind: "bars", unit: "quantity", colour: "muted", pane: 1, points: volumes },
  ], [candles, volumes]);
  return (
    <Chart
      label={`Price of ${name} in candles of ${interval}, with volume`}
      summary={summaryOf(candles, INTERVALS[interval])}
      timezone={timezone}
      series={series}
      step={INTERVALS[interval]}
      visible={VISIBLE}
      viewKey={`${name} ${interval}`}
      height={height}
    />
  );
}

/** `step`: seconds of a candle. */
function summaryOf(candles: readonly ChartCandle[], step: number): string {
  const last = candles.at(-1);
  if (last === undefined) return "No trades yet.";
  const shown = candles.filter(({ time }) => time > last.time - VISIBLE * step);
  const low = Math.min(...shown.map(({ low }) => low));
  const high = Math.max(...shown.map(({ high }) => high));
  return `Last price ${price(last.close)} dollars; the last ${shown.length} candles lie between ${price(low)} and ${
    price(high)
  }.`;
}
