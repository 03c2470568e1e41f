// The ranges of statistics in several real markets. The model's statistics must be within them.

import type { SpotStatistics } from "./statistics.ts";

type Range = readonly [least: number, most: number];

export const STATISTIC_RANGES = {
  asinhLag1: [0.85, 0.97],
  asinhLag24: [0.38, 0.88],
  excessKurtosis: [20, Infinity],
  negativeShare: [0.0002, 0.08],
  highShare: [0.005, 0.025],
  highRunHours: [2, 8.5],
  priceCorrelation: [0.8, 0.9995],
  asinhReturnCorrelation: [0.27, 0.95],
  weekendRatio: [0.58, 1],
  weekdayPeakRatio: [1.2, 1.4],
  peakRatio: [1.2, 1.4],
  daytimeRatio: [1.2, 1.4],
  eveningRatio: [1.5, 1.9],
  weekdayEveningRatio: [1.5, 1.9],
  tailExponent: [1, 1.8],
  changeSizeLag1: [0.3, 0.6],
  changeSizeLag24: [0.15, 0.4],
  asinhChangeSizeLag1: [0.3, 0.6],
  asinhChangeSizeLag24: [0.15, 0.4],
  spreadSd: [10, 20],
} as const satisfies Partial<Record<keyof SpotStatistics, Range>>;
