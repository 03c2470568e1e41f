// In place of the charts of lightweight-charts, which need a canvas that a test can't read: what our code has asked them to
// show.

import { mock } from "bun:test";
import * as library from "lightweight-charts";
import { atEnd } from "../../support/at-end.ts";

interface RecordedSeries {
  readonly type: string;
  readonly options: {
    readonly priceFormat: { readonly formatter: (value: number) => string };
    readonly [name: string]: unknown;
  };
  readonly pane: number;
  /** Its points as they are now. */
  data: { time: number }[];
  /** Points given one by one. */
  updates: number;
}

export class RecordedChart {
  readonly series: RecordedSeries[] = [];
  /** The series that draws nothing, but has all places of the time axis. */
  places: RecordedSeries | null = null;
  /** Moves the crosshair to a time of the library; undefined: away. */
  point: (time: number | undefined) => void = () => {};
  readonly calls: string[] = [];
  readonly primitives: { paneViews: () => readonly { renderer: () => { draw: (target: unknown) => void } }[] }[] = [];
  range = { from: 0, to: 100 };
  /** The place at the left edge. */
  readonly firstShown: number = 0;

  constructor(public options: Record<string, unknown> = {}) {}

  addSeries(definition: unknown, options: RecordedSeries["options"], pane: number) {
    const type = Object.entries(library).find(([, value]) => value === definition)![0];
    const series = {
      type,
      options: { ...options },
      pane,
      data: [] as { time: number }[],
      updates: 0,
      setData: (data: { time: number }[]) => void (series.data = data),
      update: (point: { time: number }) => {
        series.updates += 1;
        series.data = [...series.data.filter(({ time }) => time !== point.time), point];
      },
      applyOptions: (changed: object) => void Object.assign(series.options, changed),
    };
    if (options["visible"] === false) this.places = series;
    else this.series.push(series);
    return series;
  }

  subscribeCrosshairMove(moved: (event: { time?: number }) => void): void {
    this.point = (time) => moved(time === undefined ? {} : { time });
  }

  removeSeries(series: RecordedSeries): void {
    this.series.splice(this.series.indexOf(series), 1);
  }

  panes() {
    return [0, 1].map((pane) => ({
      setStretchFactor: (factor: number) => this.calls.push(`pane ${pane} ×${factor}`),
      attachPrimitive: (primitive: RecordedChart["primitives"][number]) => void this.primitives.push(primitive),
    }));
  }

  timeScale() {
    return {
      fitContent: () => this.calls.push("fit"),
      getVisibleLogicalRange: () => this.range,
      setVisibleLogicalRange: (range: RecordedChart["range"]) => void (this.range = range),
      /** A pixel for each place, and none between two, as in the library. */
      logicalToCoordinate: (index: number) => Number.isInteger(index) ? index - this.firstShown : 0,
      width: () => 1_000,
    };
  }

  applyOptions(options: object): void {
    this.calls.push(JSON.stringify(options));
  }

  remove(): void {
    this.calls.push("removed");
  }
}

/** The charts that are made from now on, until the test file ends. */
export function recordCharts(): RecordedChart[] {
  const charts: RecordedChart[] = [];
  const real = { ...library };
  const createChart = (_element: unknown, options: Record<string, unknown>) => {
    const chart = new RecordedChart(options);
    charts.push(chart);
    return chart;
  };
  mock.module("lightweight-charts", () => ({ ...real, createChart }));
  atEnd(() => mock.module("lightweight-charts", () => real));
  return charts;
}
