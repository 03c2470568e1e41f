// The first part of the fit: normal prices. The level is the 30-day median. The normal price of an hour relative to the
// level is a regression of the log ratios of base hours: for each local hour on a constant, the year's cosine and sine,
// and the weekend. Which hours are base depends on the result, so it is done twice.

import { angleOfMonth } from "../../sim/spot/price-tables.ts";
import { DROP_RATIO, type HourShape, type PriceLevel, SPIKE_RATIO } from "../../sim/spot/spot-parameters.ts";
import type { PriceHistory } from "./price-history.ts";
import { autocorrelation, medianOf, moments } from "../../sim/facts/moments.ts";

const LEVEL_HOURS = 30 * 24;
const ROUNDS = 2;

interface NormalPrices {
  readonly level: PriceLevel;
  readonly shape: HourShape;
  /** Normal price of each hour, in dollars/MWh. */
  readonly normal: Float64Array;
  /** Price over normal price. */
  readonly ratio: Float64Array;
}

export function fitNormalPrices(history: PriceHistory): NormalPrices {
  const levels = runningMedian(history.first, LEVEL_HOURS);
  const over = history.first.map((price, at) => price / levels[at]!);
  const medians = hourMedians(over, history.hours);
  let normal: Float64Array = levels.map((level, at) => level * medians[history.hours[at]!]!);
  let shape = fitShape(history, over, normal);
  for (let round = 1; round < ROUNDS; round++) {
    normal = normalOf(history, levels, shape);
    shape = fitShape(history, over, normal);
  }
  normal = normalOf(history, levels, shape);
  return {
    level: fitLevel(history, levels),
    shape,
    normal,
    ratio: history.first.map((price, at) => price / normal[at]!),
  };
}

function fitLevel({ months }: PriceHistory, levels: Float64Array): PriceLevel {
  const logs = levels.map(Math.log);
  const [mean = 0, yearCosine = 0, yearSine = 0] = leastSquares(
    [...months].map((month) => [1, Math.cos(angleOfMonth(month)), Math.sin(angleOfMonth(month))]),
    [...logs],
  );
  const rest = logs.map((log, at) => {
    const angle = angleOfMonth(months[at]!);
    return log - mean - yearCosine * Math.cos(angle) - yearSine * Math.sin(angle);
  });
  return {
    logMean: mean + Math.log(100),
    yearCosine,
    yearSine,
    sd: moments(rest).sd,
    dailyMemory: autocorrelation(rest, LEVEL_HOURS) ** (24 / LEVEL_HOURS),
  };
}

/** `over`: price over level. Base hours are those that are neither spike nor drop relative to `normal`. */
function fitShape(history: PriceHistory, over: Float64Array, normal: Float64Array): HourShape {
  const { first, hours, months, weekend } = history;
  const figures = Array.from({ length: 24 }, (_, hour) => {
    const rows: number[][] = [];
    const logs: number[] = [];
    for (let at = 0; at < first.length; at++) {
      const ratio = first[at]! / normal[at]!;
      if (hours[at] !== hour || ratio > SPIKE_RATIO || ratio < DROP_RATIO) continue;
      const angle = angleOfMonth(months[at]!);
      rows.push([1, Math.cos(angle), Math.sin(angle), weekend[at]!]);
      logs.push(Math.log(over[at]!));
    }
    return leastSquares(rows, logs);
  });
  const column = (at: number) => figures.map((row) => row[at] ?? 0);
  return { log: column(0), yearCosine: column(1), yearSine: column(2), weekend: column(3) };
}

function normalOf({ hours, months, weekend }: PriceHistory, levels: Float64Array, shape: HourShape): Float64Array {
  return levels.map((level, at) => {
    const hour = hours[at]!;
    const angle = angleOfMonth(months[at]!);
    return level * Math.exp(
      shape.log[hour]! + shape.yearCosine[hour]! * Math.cos(angle) + shape.yearSine[hour]! * Math.sin(angle) +
        shape.weekend[hour]! * weekend[at]!,
    );
  });
}

/** The median of each local hour. */
function hourMedians(values: Float64Array, hours: Uint8Array): number[] {
  return Array.from({ length: 24 }, (_, hour) => medianOf(values.filter((_, at) => hours[at] === hour)));
}

/** The median of the `width` values around each value; fewer at the ends. */
function runningMedian(values: Float64Array, width: number): Float64Array {
  const half = width / 2;
  return values.map((_, at) => medianOf(values.subarray(Math.max(0, at - half), at + half + 1)));
}

/** Solves the normal equations by Gaussian elimination with pivoting. */
function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const width = rows[0]?.length ?? 0;
  const system = Array.from({ length: width }, (_, one) => [
    ...Array.from({ length: width }, (_, other) => rows.reduce((sum, row) => sum + row[one]! * row[other]!, 0)),
    rows.reduce((sum, row, at) => sum + row[one]! * values[at]!, 0),
  ]);
  for (let column = 0; column < width; column++) {
    const pivot = system.slice(column).reduce((best, row) =>
      Math.abs(row[column]!) > Math.abs(best[column]!) ? row : best
    );
    system.splice(system.indexOf(pivot), 1);
    system.splice(column, 0, pivot);
    for (const row of system) {
      if (row === pivot) continue;
      const factor = row[column]! / pivot[column]!;
      for (let at = column; at <= width; at++) row[at]! -= factor * pivot[at]!;
    }
  }
  return system.map((row, at) => row[width]! / row[at]!);
}
