// The values of a chart at the time under the crosshair; without a crosshair the last ones. It changes with each move of the
// mouse, so it is hidden from screen readers: the chart's summary and its table say the same.

import type { ChartSeries } from "./chart-series.ts";
import { price, quantity } from "./format.ts";
import { time, zoneName } from "./time-format.ts";

interface ChartReadoutProps {
  readonly series: readonly ChartSeries[];
  readonly timezone: string;
  /** The begin of a place of the time axis, seconds since 1970; null: the last one of all. */
  readonly at: number | null;
}

export function ChartReadout({ series, timezone, at }: ChartReadoutProps) {
  const last = Math.max(...series.map(({ points }) => points.at(-1)?.time ?? -Infinity));
  const seconds = at ?? last;
  return (
    <p class="chart-readout" aria-hidden="true">
      {Number.isFinite(seconds) && (
        <span>{time(seconds * 1_000, timezone, "dateTime")} {zoneName(seconds * 1_000, timezone)}</span>
      )}
      {series.map((each) => (
        <span key={each.id}>
          <span class="name">{each.name}</span> <b>{valueAt(each, seconds)}</b> {each.unit === "price" ? "$/MWh" : "MW"}
        </span>
      ))}
    </p>
  );
}

/** A dash if there is none. */
export function valueAt(series: ChartSeries, seconds: number): string {
  if (series.kind === "candles") {
    const candle = series.points.findLast((point) => point.time <= seconds);
    if (candle?.time !== seconds) return price(null);
    const { open, high, low, close } = candle;
    return `open ${price(open)} high ${price(high)} low ${price(low)} close ${price(close)}`;
  }
  const shown = series.unit === "price" ? price : quantity;
  const point = series.points.findLast((point) => point.time <= seconds);
  const holds = series.kind === "area" || (series.kind === "line" && series.steps === true);
  const isOver = holds ? seconds > (series.points.at(-1)?.time ?? -Infinity) : point?.time !== seconds;
  return shown(isOver ? null : point?.value);
}
