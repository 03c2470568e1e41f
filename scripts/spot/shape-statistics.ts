// The statistics of the daily shape, of the tail and of the size of changes, as listed in docs/spot-model.md.

import { autocorrelation, meanOf, tailExponent } from "../../sim/facts/moments.ts";
import { changesOf, type PriceSeries } from "./statistics.ts";
import { PEAK_END, PEAK_START } from "../../sim/spot/local-calendar.ts";

/** The share of prices in the tail whose exponent is estimated. */
const TAIL_SHARE = 0.005;

export interface ShapeStatistics {
  /** Mean of the hours 6 to 22 of weekdays, over the mean of all hours of those days. */
  readonly weekdayPeakRatio: number;
  /** The same mean over the mean of all hours. */
  readonly peakRatio: number;
  /** Mean of the hours 6 to 22 of all days, over the mean of all hours. */
  readonly daytimeRatio: number;
  /** The dearest hour of the mean day, over the mean of all hours; and the same of weekdays alone. */
  readonly eveningRatio: number;
  readonly weekdayEveningRatio: number;
  /** Hill's estimate of the tail's exponent, from the greatest 0.5 % of prices. */
  readonly tailExponent: number;
  /** Autocorrelation of the absolute hourly change after 1 and 24 hours: of prices, and of their asinh. */
  readonly changeSizeLag1: number;
  readonly changeSizeLag24: number;
  readonly asinhChangeSizeLag1: number;
  readonly asinhChangeSizeLag24: number;
}

/** `asinh`: of the first node's prices. */
export function shapeStatistics({ first, weekend, hours }: PriceSeries, asinh: Float64Array): ShapeStatistics {
  const always = () => true;
  const meanWhere = (holds: (at: number) => boolean) => meanOf(first.filter((_, at) => holds(at)));
  const isWeekday = (at: number) => weekend[at] === 0;
  const isDaytime = (at: number) => hours[at]! >= PEAK_START && hours[at]! < PEAK_END;
  const dearestHour = (holds: (at: number) => boolean) =>
    Math.max(...Array.from({ length: 24 }, (_, hour) => meanWhere((at) => hours[at] === hour && holds(at))));
  const [mean, weekdayMean] = [meanWhere(always), meanWhere(isWeekday)];
  const peak = meanWhere((at) => isWeekday(at) && isDaytime(at));
  const [sizes, asinhSizes] = [first, asinh].map((each) => changesOf(each).map(Math.abs)) as [
    Float64Array,
    Float64Array,
  ];
  return {
    weekdayPeakRatio: peak / weekdayMean,
    peakRatio: peak / mean,
    daytimeRatio: meanWhere(isDaytime) / mean,
    eveningRatio: dearestHour(always) / mean,
    weekdayEveningRatio: dearestHour(isWeekday) / weekdayMean,
    tailExponent: tailExponent(first, TAIL_SHARE),
    changeSizeLag1: autocorrelation(sizes, 1),
    changeSizeLag24: autocorrelation(sizes, 24),
    asinhChangeSizeLag1: autocorrelation(asinhSizes, 1),
    asinhChangeSizeLag24: autocorrelation(asinhSizes, 24),
  };
}
