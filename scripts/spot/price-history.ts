// Real hourly prices from a CSV file: a header line, then UTC time and one price for each node, in dollars/MWh. Missing
// hours are skipped.

import { LocalCalendar } from "../../sim/spot/local-calendar.ts";
import type { PriceSeries } from "./statistics.ts";

export interface PriceHistory extends PriceSeries {
  /** Milliseconds since the epoch. */
  readonly times: Float64Array;
  /** Local hour, 0 to 23; month, 0 to 11; and days since 1970-01-01. */
  readonly hours: Uint8Array;
  readonly months: Uint8Array;
  readonly days: Uint32Array;
}

/** Throws with the line number if a line is invalid. */
export function readPriceHistory(csv: string, nodes: readonly [string, string], timezone: string): PriceHistory {
  const [head = "", ...lines] = csv.trimEnd().split("\n");
  const columns = nodes.map((node) => {
    const column = head.trim().split(",").indexOf(node);
    if (column < 0) throw new Error(`the file has no column ${node}`);
    return column;
  });
  const calendar = new LocalCalendar(timezone);
  const rows = lines.map((line, at) => {
    const cells = line.trim().split(",");
    const time = Date.parse(`${cells[0]?.replace(" ", "T")}Z`);
    const [first = NaN, second = NaN] = columns.map((column) => cells[column] === "" ? NaN : Number(cells[column]));
    if (!Number.isFinite(time + first + second)) {
      throw new Error(`line ${at + 2} is not a time with two prices: ${line}`);
    }
    calendar.moveTo(time);
    const { hour, month, day, isWeekend } = calendar;
    return { time, first, second, hour, month, day, weekend: isWeekend ? 1 : 0 };
  });
  return {
    times: Float64Array.from(rows, ({ time }) => time),
    first: Float64Array.from(rows, ({ first }) => first),
    second: Float64Array.from(rows, ({ second }) => second),
    weekend: Uint8Array.from(rows, ({ weekend }) => weekend),
    hours: Uint8Array.from(rows, ({ hour }) => hour),
    months: Uint8Array.from(rows, ({ month }) => month),
    days: Uint32Array.from(rows, ({ day }) => day),
  };
}

/** The hours for which `keeps` returns true for their time. */
export function part(history: PriceHistory, keeps: (time: number) => boolean): PriceHistory {
  const kept = <Values extends Float64Array | Uint8Array | Uint32Array>(values: Values) =>
    values.filter((_, at) => keeps(history.times[at]!)) as Values;
  return {
    times: kept(history.times),
    first: kept(history.first),
    second: kept(history.second),
    weekend: kept(history.weekend),
    hours: kept(history.hours),
    months: kept(history.months),
    days: kept(history.days),
  };
}
