// Exact units. Quantities are whole kilowatts, delivery times whole minutes, prices whole cents/MWh. Energy is kW x min and
// notional is cents/MWh x kW x min; both are ExactIntegers, because the notional of one large order can exceed 2^53. Only
// numbers for display are rounded: `roundedNumber` rounds half away from zero.
//
// Limits: a quantity is at most 10^9 kW. A sum of quantities kept as a number is exact up to 2^53 kW: nine million orders
// of the greatest size.

import { type ExactInteger, exactOf, productOf, roundedNumber } from "./exact-integer.ts";

export const KILOWATTS_PER_MEGAWATT = 1000;
export const CENTS_PER_DOLLAR = 100;
const MINUTES_PER_HOUR = 60;
/** kW x min in one MWh. */
export const ENERGY_PER_MEGAWATT_HOUR = 60_000;
/** cents/MWh x kW x min in one dollar. */
export const NOTIONAL_PER_DOLLAR = 6_000_000;

export const DOLLAR_DECIMALS = 4;
export const ENERGY_DECIMALS = 6;

/** A decimal number exactly: coefficient / 10^scale. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

/** kW of a quantity in MW; null if it is not a whole number of kW. */
export function kilowattsOf(megawatts: number): number | null {
  const kilowatts = Math.round(megawatts * KILOWATTS_PER_MEGAWATT);
  return Number.isSafeInteger(kilowatts) && kilowatts / KILOWATTS_PER_MEGAWATT === megawatts ? kilowatts : null;
}

export function megawattsOf(kilowatts: number): number {
  return kilowatts / KILOWATTS_PER_MEGAWATT;
}

/** Minutes of a delivery time in hours. Throws a RangeError if they are not whole. */
export function minutesOf(hours: number): number {
  const minutes = hours * MINUTES_PER_HOUR;
  if (!Number.isSafeInteger(minutes)) throw new RangeError(`${hours} hours are not a whole number of minutes`);
  return minutes;
}

/** kW x min. */
export function energyOf(kilowatts: number, minutes: number): ExactInteger {
  return productOf(kilowatts, minutes);
}

/** |price| x energy, in cents/MWh x kW x min. */
export function notionalOf(price: number, energy: ExactInteger): ExactInteger {
  return productOf(Math.abs(price), energy);
}

/** cents/MWh x kW x min of an amount in dollars, rounded down. */
export function wholeNotional(dollars: number): ExactInteger {
  return wholeUnits(dollars, NOTIONAL_PER_DOLLAR);
}

/** kW of a quantity in MW, rounded down. */
export function wholeKilowatts(megawatts: number): number {
  return Number(wholeUnits(megawatts, KILOWATTS_PER_MEGAWATT));
}

/** The whole units in the decimal number that `value` (at least 0) prints as. */
function wholeUnits(value: number, unitsPerOne: number): ExactInteger {
  if (Number.isSafeInteger(value)) return productOf(value, unitsPerOne);
  const { coefficient, scale } = decimalOf(value);
  return exactOf(coefficient * BigInt(unitsPerOne) / 10n ** BigInt(scale));
}

/** The multiple of a step within bounds that is nearest to 0; null if there is none. */
export function multipleNearestToZero(step: number, least: number, most: number): number | null {
  const nearest = least > 0 ? Math.ceil(least / step) * step : most < 0 ? Math.floor(most / step) * step : 0;
  return nearest >= least && nearest <= most ? nearest : null;
}

/** MWh for display, to six decimals; exact if delivery is a multiple of a quarter of an hour. */
export function megawattHoursOf(energy: ExactInteger): number {
  return roundedNumber(energy, ENERGY_PER_MEGAWATT_HOUR, ENERGY_DECIMALS);
}

/** Dollars for display, to 1/100 cent. */
export function dollarsOf(notional: ExactInteger): number {
  return roundedNumber(notional, NOTIONAL_PER_DOLLAR, DOLLAR_DECIMALS);
}

/** The decimal number that a finite JavaScript number prints as. */
export function decimalOf(value: number): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (match === null) throw new RangeError(`${value} is not a finite number`);
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const scale = fraction.length - Number(exponent);
  const coefficient = BigInt(`${sign}${whole}${fraction}`);
  return scale >= 0 ? { coefficient, scale } : { coefficient: coefficient * 10n ** BigInt(-scale), scale: 0 };
}
