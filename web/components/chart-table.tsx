// The last points of a chart as a table, for those who can't see the chart, or want the figures.

import type { ChartSeries } from "./chart-series.ts";
import { price, quantity } from "./format.ts";
import { TableBox } from "./table-box.tsx";
import { time, zoneName } from "./time-format.ts";

const MAX_ROWS = 100;

interface ChartTableProps {
  readonly label: string;
  readonly series: readonly ChartSeries[];
  readonly timezone: string;
}

export function ChartTable({ label, series, timezone }: ChartTableProps) {
  const columns = series.flatMap(columnsOf);
  const times = [...new Set(series.flatMap(({ points }) => points.slice(-MAX_ROWS).map((point) => point.time)))]
    .sort((a, b) => b - a).slice(0, MAX_ROWS);
  return (
    <TableBox label={label} maxHeight="260px">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col" data-value="Time">Time, {zoneName((times[0] ?? 0) * 1_000, timezone)}</th>
            {columns.map(({ name }) => <th key={name} scope="col" class="number">{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {times.map((at) => (
            <tr key={at}>
              <th scope="row" data-value={new Date(at * 1_000).toISOString()}>
                {time(at * 1_000, timezone, "dateTime")}
              </th>
              {columns.map(({ name, at: valueAt }) => <td key={name} class="number">{valueAt(at)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

interface Column {
  readonly name: string;
  readonly at: (time: number) => string;
}

function columnsOf(series: ChartSeries): Column[] {
  const shown = series.unit === "price" ? price : quantity;
  const unit = series.unit === "price" ? "$/MWh" : "MW";
  if (series.kind !== "candles") {
    const values = new Map(series.points.slice(-MAX_ROWS).map(({ time, value }) => [time, value]));
    return [{ name: `${series.name}, ${unit}`, at: (time) => shown(values.get(time)) }];
  }
  const candles = new Map(series.points.slice(-MAX_ROWS).map((candle) => [candle.time, candle]));
  return (["open", "high", "low", "close"] as const).map((part) => ({
    name: `${part[0]!.toUpperCase()}${part.slice(1)}, ${unit}`,
    at: (time) => shown(candles.get(time)?.[part]),
  }));
}
