// The chart of TradingView's lightweight-charts inside an element: colours of the theme, market time, series and bands.

import {
  ColorType,
  createChart,
  CrosshairMode,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type Time,
} from "lightweight-charts";
import { type ChartBand, ChartBands } from "./chart-bands.ts";
import { type ChartGrid, gridOf, placesOf, pointsOf } from "./chart-grid.ts";
import { type ChartSeries, DrawnSeries } from "./chart-series.ts";
import { type ColourOf, colours, onThemeChange } from "./chart-theme.ts";
import { ChartTime, zoneOffset } from "./chart-time.ts";

export interface ChartContent {
  readonly series: readonly ChartSeries[];
  readonly bands?: readonly ChartBand[];
  /** IANA name, such as `America/Chicago`. */
  readonly timezone: string;
  /** Seconds between two places of the time axis, such as the length of a candle; absent: as the points need. */
  readonly step?: number;
}

const MIN_VISIBLE_POINTS = 4;
/** A few points alone are not stretched over the whole width. */
const MIN_SHOWN_AT_FIRST = 40;

export class ChartCanvas {
  readonly #chart: IChartApi;
  readonly #bands: ChartBands;
  /** Has the places of the grid, and draws nothing. */
  readonly #places: ISeriesApi<"Line">;
  readonly #drawn = new Map<string, DrawnSeries>();
  readonly #endTheme: () => void;
  #content: ChartContent | null = null;
  #grid: ChartGrid | null = null;
  #time = new ChartTime("UTC", 0);
  #colour: ColourOf;

  /** `onPoint`: the crosshair is at this time now, in seconds since 1970; null: there is none. */
  constructor(readonly element: HTMLElement, onPoint: (seconds: number | null) => void = () => {}) {
    this.#colour = colours(element);
    this.#chart = createChart(element, {
      ...this.#look(),
      autoSize: true,
      crosshair: { mode: CrosshairMode.Normal },
      rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.12, bottom: 0.08 } },
      timeScale: {
        borderVisible: false,
        timeVisible: true,
        secondsVisible: false,
        // Half of a label, which would be cut at the edge.
        rightOffsetPixels: 20,
        // A window that grows shows the same time, wider, and no empty space before it.
        lockVisibleTimeRangeOnResize: true,
        minBarSpacing: 0.02,
        tickMarkFormatter: (time: Time, kind: number) => this.#time.mark(time as number, kind),
      },
      // A finger that moves up or down scrolls the page, and so does the wheel until the chart is clicked.
      handleScroll: { vertTouchDrag: false, mouseWheel: false },
      handleScale: { mouseWheel: false },
    });
    this.#places = this.#chart.addSeries(LineSeries, { visible: false, priceScaleId: "" });
    this.#chart.subscribeCrosshairMove(({ time }) =>
      onPoint(time === undefined ? null : this.#time.fromChart(time as number))
    );
    this.#bands = new ChartBands(this.#chart);
    this.#chart.panes()[0]!.attachPrimitive(this.#bands);
    this.#endTheme = onThemeChange(() => this.#recolour());
  }

  show(content: ChartContent): void {
    const last = Math.max(0, ...content.series.map(({ points }) => points.at(-1)?.time ?? 0));
    if (content.timezone !== this.#time.timezone || zoneOffset(last, content.timezone) !== this.#time.offset) {
      this.#time = new ChartTime(content.timezone, last);
      this.#grid = null;
    }
    this.#content = content;
    this.#removeAbsent(content.series);
    const grid = gridOf(content.series, content.step);
    this.#showPlaces(grid);
    for (const series of content.series) this.#show(series, grid);
    this.#bands.show({ bands: content.bands ?? [], grid, colour: this.#colour });
  }

  /** All points, from edge to edge. */
  fit(): void {
    this.#chart.timeScale().fitContent();
  }

  /** The last places of the axis. */
  showLast(places: number): void {
    const length = this.#grid === null ? 0 : placesOf(this.#grid);
    const visible = Math.min(places, Math.max(length, MIN_SHOWN_AT_FIRST));
    this.#chart.timeScale().setVisibleLogicalRange({ from: length - visible, to: length + 2 });
  }

  /** By a part of the visible points; negative: to the past. */
  scroll(part: number): void {
    this.#change(({ from, to }) => ({ from: from + (to - from) * part, to: to + (to - from) * part }));
  }

  /** 0.5: half as many points are visible; the latest one stays where it is. */
  zoom(factor: number): void {
    this.#change(({ from, to }) => ({ from: to - Math.max(MIN_VISIBLE_POINTS, (to - from) * factor), to }));
  }

  /** Whether the wheel zooms the chart instead of scrolling the page. */
  useWheel(isUsed: boolean): void {
    this.#chart.applyOptions({ handleScroll: { mouseWheel: isUsed }, handleScale: { mouseWheel: isUsed } });
  }

  remove(): void {
    this.#endTheme();
    this.#chart.remove();
  }

  #showPlaces(grid: ChartGrid): void {
    const before = this.#grid;
    const isGrown = before !== null && before.from === grid.from && before.step === grid.step && before.to <= grid.to;
    const drawn = (point: { time: number }) => ({ time: this.#time.toChart(point.time) });
    if (!isGrown) this.#places.setData(pointsOf(grid).map(drawn));
    else {
      for (const place of pointsOf(grid, before.to)) this.#places.update(drawn(place));
    }
    this.#grid = grid;
  }

  #show(series: ChartSeries, grid: ChartGrid): void {
    let drawn = this.#drawn.get(series.id);
    if (drawn === undefined) {
      drawn = new DrawnSeries(this.#chart, series, this.#colour);
      this.#drawn.set(series.id, drawn);
      const [upper, lower] = this.#chart.panes();
      upper?.setStretchFactor(4);
      lower?.setStretchFactor(1);
    }
    drawn.show(series.points, this.#time, grid);
  }

  #removeAbsent(series: readonly ChartSeries[]): void {
    for (const [id, drawn] of this.#drawn) {
      if (series.some((one) => one.id === id)) continue;
      this.#chart.removeSeries(drawn.api);
      this.#drawn.delete(id);
    }
  }

  #recolour(): void {
    this.#colour = colours(this.element);
    this.#chart.applyOptions(this.#look());
    for (const series of this.#content?.series ?? []) this.#drawn.get(series.id)?.recolour(series, this.#colour);
    if (this.#content !== null && this.#grid !== null) {
      this.#bands.show({ bands: this.#content.bands ?? [], grid: this.#grid, colour: this.#colour });
    }
  }

  #change(next: (range: { from: number; to: number }) => { from: number; to: number }): void {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range !== null) this.#chart.timeScale().setVisibleLogicalRange(next(range));
  }

  #look() {
    const colour = this.#colour;
    const line = colour("line", 0.6);
    const crosshair = { color: colour("muted"), labelBackgroundColor: colour("border") };
    return {
      layout: {
        background: { type: ColorType.Solid, color: colour("surface") },
        textColor: colour("muted"),
        fontFamily: "system-ui, sans-serif",
        fontSize: 11,
        panes: { separatorColor: colour("line"), separatorHoverColor: colour("border"), enableResize: false },
        // Its logo would add a <style>, which the Content-Security-Policy forbids. The page's "About" names TradingView.
        attributionLogo: false,
      },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      // The line above the chart says the time.
      crosshair: { vertLine: { ...crosshair, labelVisible: false }, horzLine: crosshair },
    };
  }
}
