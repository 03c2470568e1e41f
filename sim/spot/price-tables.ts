// What the parameters say of each month, kind of day and hour, worked out once: places as LocalCalendar.slot gives them.

import { CALENDAR_SLOTS } from "./local-calendar.ts";
import type { ExtremeRegime, SpotParameters } from "./spot-parameters.ts";

/** Chances for a day of ordinary tightness. */
export interface RegimeTables {
  readonly begins: Float64Array;
  readonly stays: Float64Array;
}

export interface PriceTables {
  /** The normal price in cents/MWh while the slow level is at its mean. */
  readonly normalCents: Float64Array;
  readonly spike: RegimeTables;
  readonly drop: RegimeTables;
}

export function priceTables(parameters: SpotParameters): PriceTables {
  return {
    normalCents: tableOf((month, weekend, hour) => Math.exp(normalLog(parameters, month, weekend, hour))),
    spike: regimeTables(parameters.spike),
    drop: regimeTables(parameters.drop),
  };
}

/** The middle of a month on the circle of the year, in radians; months from 0. */
export function angleOfMonth(month: number): number {
  return (month + 0.5) / 12 * 2 * Math.PI;
}

function normalLog({ level, shape }: SpotParameters, month: number, weekend: boolean, hour: number): number {
  const [cosine, sine] = [Math.cos(angleOfMonth(month)), Math.sin(angleOfMonth(month))];
  return level.logMean + level.yearCosine * cosine + level.yearSine * sine +
    at(shape.log, hour) + at(shape.yearCosine, hour) * cosine + at(shape.yearSine, hour) * sine +
    (weekend ? at(shape.weekend, hour) : 0);
}

function regimeTables({ begins, stays, weekend, yearCosine, yearSine }: ExtremeRegime): RegimeTables {
  return {
    begins: tableOf((month, isWeekend, hour) => {
      const season = yearCosine * Math.cos(angleOfMonth(month)) + yearSine * Math.sin(angleOfMonth(month));
      return at(begins, hour) * Math.exp(season) * (isWeekend ? weekend : 1);
    }),
    stays: tableOf((_month, _weekend, hour) => at(stays, hour)),
  };
}

function tableOf(value: (month: number, weekend: boolean, hour: number) => number): Float64Array {
  return Float64Array.from(
    { length: CALENDAR_SLOTS },
    (_, slot) => value(Math.floor(slot / 48), Math.floor(slot / 24) % 2 === 1, slot % 24),
  );
}

/** Throws where a figure for an hour is missing. */
function at(hours: readonly number[], hour: number): number {
  const value = hours[hour];
  if (value === undefined) throw new Error(`a table of the hours has no hour ${hour}`);
  return value;
}
