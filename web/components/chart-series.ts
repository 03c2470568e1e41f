// What a chart shows: lines, candles and bars, and how a series is brought to newer points without drawing all again.

import {
  BaselineSeries,
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type SeriesType,
} from "lightweight-charts";
import type { Candle } from "../contract/candles.ts";
import { type ChartGrid, onGrid } from "./chart-grid.ts";
import type { ChartTime } from "./chart-time.ts";
import type { ColourOf, ThemeColour } from "./chart-theme.ts";
import { compact, price } from "./format.ts";

export interface LinePoint {
  /** Seconds since 1970, rising. */
  readonly time: number;
  /** Absent: the line is broken here. */
  readonly value?: number;
}

/** Their times rise. */
export type ChartCandle = Omit<Candle, "volume">;

interface AnySeries {
  /** Stays the same while the chart lives. */
  readonly id: string;
  /** As people read it, such as `NORTH`. */
  readonly name: string;
  /** `price`: cents/MWh, shown as dollars. `quantity`: MW. */
  readonly unit: "price" | "quantity";
  /** 0, the default, is the upper part of the chart; 1 the part below it. */
  readonly pane?: 0 | 1;
}

/** A point is never changed, only replaced: so two arrays are compared by their elements' identity. */
export type ChartSeries =
  | AnySeries & {
    readonly kind: "line";
    readonly colour: ThemeColour;
    readonly dashed?: boolean;
    /** A price that holds until the next one. */
    readonly steps?: boolean;
    readonly points: readonly LinePoint[];
  }
  /** What lies between a value that holds until the next one and zero. */
  | AnySeries & { readonly kind: "area"; readonly colour: ThemeColour; readonly points: readonly LinePoint[] }
  | AnySeries & { readonly kind: "bars"; readonly colour: ThemeColour; readonly points: readonly LinePoint[] }
  | AnySeries & { readonly kind: "candles"; readonly points: readonly ChartCandle[] };

type Point = LinePoint | ChartCandle;

/** One series of a chart on the screen. */
export class DrawnSeries {
  readonly api: ISeriesApi<SeriesType>;
  #points: readonly Point[] = [];
  #time: ChartTime | null = null;
  #grid: ChartGrid | null = null;

  constructor(chart: IChartApi, series: ChartSeries, colour: ColourOf) {
    this.api = added(chart, series, colour);
  }

  recolour(series: ChartSeries, colour: ColourOf): void {
    this.api.applyOptions(look(series, colour));
  }

  show(points: readonly Point[], time: ChartTime, grid: ChartGrid): void {
    const isSameAxis = time === this.#time && grid.from === this.#grid?.from && grid.step === this.#grid.step;
    const first = isSameAxis ? firstChange(this.#points, points) : null;
    const drawn = (changed: readonly Point[]) =>
      onGrid(changed, grid).map((point) => ({ ...point, time: time.toChart(point.time) }));
    if (first === null) this.api.setData(drawn(points));
    else {
      for (const point of drawn(points.slice(first))) this.api.update(point);
    }
    this.#points = points;
    this.#time = time;
    this.#grid = grid;
  }
}

/** The index of the first point to draw again; null: all of them. */
export function firstChange(before: readonly Point[], after: readonly Point[]): number | null {
  if (before === after) return after.length;
  const settled = before.length - 2;
  const isGrown = before.length > 0 && after.length >= before.length && before[0]!.time === after[0]!.time &&
    before.at(-1)!.time === after[before.length - 1]!.time && (settled < 0 || before[settled] === after[settled]);
  return isGrown ? before.length - 1 : null;
}

function added(chart: IChartApi, series: ChartSeries, colour: ColourOf): ISeriesApi<SeriesType> {
  // The line above the chart says the last values: labels on the axis would cover its marks.
  const options = { ...look(series, colour), priceFormat: FORMATS[series.unit], lastValueVisible: false };
  const pane = series.pane ?? 0;
  if (series.kind === "candles") return chart.addSeries(CandlestickSeries, options, pane);
  if (series.kind === "bars") return chart.addSeries(HistogramSeries, options, pane);
  if (series.kind === "area") return chart.addSeries(BaselineSeries, { ...options, lineWidth: 1 }, pane);
  return chart.addSeries(LineSeries, { ...options, lineWidth: 2 }, pane);
}

const FORMATS = {
  price: { type: "custom", formatter: (cents: number) => price(cents), minMove: 1 },
  quantity: { type: "custom", formatter: (value: number) => compact(value), minMove: 0.1 },
} as const;

function look(series: ChartSeries, colour: ColourOf) {
  if (series.kind === "candles") {
    // Hollow candles rise, filled ones fall: the colour says it a second time.
    return {
      upColor: colour("surface"),
      downColor: colour("sell"),
      borderUpColor: colour("buy"),
      borderDownColor: colour("sell"),
      wickUpColor: colour("buy"),
      wickDownColor: colour("sell"),
      priceLineColor: colour("muted"),
    };
  }
  if (series.kind === "bars") return { color: colour(series.colour, 0.5), priceLineVisible: false };
  if (series.kind === "area") {
    const [line, fill] = [colour(series.colour), colour(series.colour, 0.4)];
    return {
      baseValue: { type: "price", price: 0 } as const,
      topLineColor: line,
      bottomLineColor: line,
      topFillColor1: fill,
      topFillColor2: fill,
      bottomFillColor1: fill,
      bottomFillColor2: fill,
      lineType: LineType.WithSteps,
      priceLineVisible: false,
    };
  }
  return {
    color: colour(series.colour),
    priceLineVisible: false,
    lineStyle: series.dashed ? LineStyle.Dashed : LineStyle.Solid,
    lineType: series.steps ? LineType.WithSteps : LineType.Simple,
  };
}
