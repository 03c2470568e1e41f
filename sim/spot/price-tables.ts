// The parameters as tables by month, kind of day and hour (`LocalCalendar.slot`), computed once.

import { CALENDAR_SLOTS } from "./local-calendar.ts";
import type { ExtremeRegime, SpotParameters } from "./spot-parameters.ts";

/** Probabilities on a day of average tightness. */
interface RegimeTables {
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
  const { level, shape } = parameters;
  return {
    normalCents: tableOf((year, weekend, hour) =>
      Math.exp(
        level.logMean + seasonOf(level, year) + at(shape.log, hour) + at(shape.yearCosine, hour) * year.cosine +
          at(shape.yearSine, hour) * year.sine + (weekend ? at(shape.weekend, hour) : 0),
      )
    ),
    spike: regimeTables(parameters.spike),
    drop: regimeTables(parameters.drop),
  };
}

/** Angle of the middle of a month in the year, in radians; months from 0. */
export function angleOfMonth(month: number): number {
  return (month + 0.5) / 12 * 2 * Math.PI;
}

function regimeTables(regime: ExtremeRegime): RegimeTables {
  return {
    begins: tableOf((year, isWeekend, hour) =>
      at(regime.begins, hour) * Math.exp(seasonOf(regime, year)) * (isWeekend ? regime.weekend : 1)
    ),
    stays: tableOf((_year, _isWeekend, hour) => at(regime.stays, hour)),
  };
}

/** Cosine and sine of a month's angle in the year. */
interface PlaceInYear {
  readonly cosine: number;
  readonly sine: number;
}

const YEAR: readonly PlaceInYear[] = Array.from({ length: 12 }, (_, month) => ({
  cosine: Math.cos(angleOfMonth(month)),
  sine: Math.sin(angleOfMonth(month)),
}));

function seasonOf({ yearCosine, yearSine }: { yearCosine: number; yearSine: number }, year: PlaceInYear): number {
  return yearCosine * year.cosine + yearSine * year.sine;
}

function tableOf(value: (year: PlaceInYear, isWeekend: boolean, hour: number) => number): Float64Array {
  const table = new Float64Array(CALENDAR_SLOTS);
  for (const [month, year] of YEAR.entries()) {
    for (let place = 0; place < 48; place++) table[month * 48 + place] = value(year, place >= 24, place % 24);
  }
  return table;
}

/** Throws if the hour is missing. */
function at(hours: readonly number[], hour: number): number {
  const value = hours[hour];
  if (value === undefined) throw new Error(`a parameter has no value for hour ${hour}`);
  return value;
}
