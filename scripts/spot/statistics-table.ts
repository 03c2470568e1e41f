// The table in docs/spot-model.md: statistics of the model and of real prices.

import { aligned } from "../../bench/table.ts";
import { SPOT_PARAMETERS } from "../../sim/spot/built-in-parameters.ts";
import { FITTED_PARAMETERS } from "../../sim/spot/fitted-parameters.ts";
import type { SpotParameters } from "../../sim/spot/spot-parameters.ts";
import realStatistics from "./real-statistics.json" with { type: "json" };
import { medianStatistics, statisticsOfSeeds } from "./simulated-series.ts";
import { STATISTIC_RANGES } from "./statistic-ranges.ts";
import type { SpotStatistics } from "./statistics.ts";

type Name = keyof SpotStatistics;

interface Row {
  readonly name: Name;
  readonly title: string;
  readonly shown: (value: number) => string;
}

const dollars = (value: number) => value.toFixed(1);
const percent = (value: number) => `${(value * 100).toFixed(2)} %`;
const plain = (digits: number) => (value: number) => value.toFixed(digits);

const ROWS: readonly Row[] = [
  { name: "mean", title: "mean, $/MWh", shown: dollars },
  { name: "median", title: "median, $/MWh", shown: dollars },
  { name: "sd", title: "standard deviation, $/MWh", shown: dollars },
  { name: "asinhLag1", title: "asinh, lag-1 autocorrelation", shown: plain(3) },
  { name: "asinhLag24", title: "asinh, lag-24 autocorrelation", shown: plain(3) },
  { name: "asinhReturnSd", title: "asinh, sd of hourly changes", shown: plain(3) },
  { name: "excessKurtosis", title: "excess kurtosis", shown: plain(0) },
  { name: "negativeShare", title: "negative prices", shown: percent },
  { name: "highShare", title: "above mean + 3 sd", shown: percent },
  { name: "highRunHours", title: "mean run above mean + 3 sd, hours", shown: plain(2) },
  { name: "weekendRatio", title: "weekend mean / weekday mean", shown: plain(2) },
  { name: "priceCorrelation", title: "correlation of the nodes' prices", shown: plain(3) },
  { name: "asinhReturnCorrelation", title: "correlation of the nodes' asinh changes", shown: plain(3) },
  { name: "weekdayPeakRatio", title: "hours 6 to 22 of weekdays / all hours of weekdays", shown: plain(2) },
  { name: "peakRatio", title: "hours 6 to 22 of weekdays / all hours", shown: plain(2) },
  { name: "daytimeRatio", title: "hours 6 to 22 of all days / all hours", shown: plain(2) },
  { name: "eveningRatio", title: "dearest hour of the mean day / all hours", shown: plain(2) },
  { name: "weekdayEveningRatio", title: "the same, weekdays alone", shown: plain(2) },
  { name: "tailExponent", title: "Hill exponent of the greatest 0.5 %", shown: plain(2) },
  { name: "changeSizeLag1", title: "size of hourly changes, lag-1 autocorrelation", shown: plain(3) },
  { name: "changeSizeLag24", title: "size of hourly changes, lag-24 autocorrelation", shown: plain(3) },
  { name: "asinhChangeSizeLag1", title: "size of asinh changes, lag-1 autocorrelation", shown: plain(3) },
  { name: "asinhChangeSizeLag24", title: "size of asinh changes, lag-24 autocorrelation", shown: plain(3) },
  { name: "spreadSd", title: "sd of the nodes' spread, $/MWh", shown: dollars },
  { name: "secondNegativeShare", title: "negative prices of the second node", shown: percent },
];

/** From other sources, with the asinh of prices in dollars; real-time prices of 2020 to 2024. */
const NEW_YORK: Partial<SpotStatistics> = {
  mean: 45,
  median: 32.1,
  sd: 54.6,
  asinhLag1: 0.91,
  asinhLag24: 0.77,
  asinhReturnSd: 0.29,
  excessKurtosis: 735,
  negativeShare: 0.0004,
  highShare: 0.0111,
  highRunHours: 2.1,
};

/** The model with the fitted parameters alone. */
const AS_FITTED: SpotParameters = {
  ...SPOT_PARAMETERS,
  ...FITTED_PARAMETERS,
  day: { ...FITTED_PARAMETERS.day, spikeSize: 0 },
  turbulence: { memory: 0, sd: 0, most: 1 },
  jumpMemory: 0,
};

export function statisticsTable(): string {
  const all = statisticsOfSeeds();
  const medians = medianStatistics(all);
  const asFitted = medianStatistics(statisticsOfSeeds(AS_FITTED));
  const rows = ROWS.map(({ name, title, shown }) => [
    title,
    rangeOf(name),
    shown(medians[name]),
    `${shown(Math.min(...all.map((each) => each[name])))} to ${shown(Math.max(...all.map((each) => each[name])))}`,
    shown(asFitted[name]),
    shown(realStatistics.withoutStorm[name]),
    shown(realStatistics.year2023[name]),
    NEW_YORK[name] === undefined ? "" : shown(NEW_YORK[name]),
  ]);
  const head = [
    "",
    "range",
    "model, median",
    "model, 20 seeds",
    "as fitted",
    "ERCOT 2020-24",
    "ERCOT 2023",
    "New York 2020-24",
  ];
  return aligned(head, rows);
}

function rangeOf(name: Name): string {
  const ranges = new Map<string, readonly [number, number]>(Object.entries(STATISTIC_RANGES));
  const [least, most] = ranges.get(name) ?? [];
  if (least === undefined || most === undefined) return "";
  if (most === Infinity) return `above ${least}`;
  return name.endsWith("Share") ? `${least * 100} to ${most * 100} %` : `${least} to ${most}`;
}
