// What the map shows: a value for each contract, its extremes, and a step of colour for each value. Cents/MWh.

import { bent, unbent } from "../../../components/spot-scale.ts";

export type Mode = "price" | "change";

/** Steps of colour. The middle one of changes is for none. */
const STEPS = 7;
const MIDDLE = (STEPS - 1) / 2;

/** Indices of the lowest and the highest value, the first of equals; null if fewer than two differ. */
export type Ends = { readonly lowest: number; readonly highest: number } | null;

export function extremes(values: readonly (number | null)[]): Ends {
  let [lowest, highest] = [-1, -1];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    if (lowest === -1 || value < values[lowest]!) lowest = index;
    if (highest === -1 || value > values[highest]!) highest = index;
  }
  return lowest === highest || values[lowest] === values[highest] ? null : { lowest, highest };
}

export interface Shades {
  /** 0 to STEPS - 1, higher for a higher value. */
  readonly stepOf: (value: number) => number;
  /** The values at which each step begins and ends; a change of zero is the middle one. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** Steps for all these values; null without any. Prices are on the bent scale, so a spike leaves steps for usual prices. */
export function shadesOf(values: readonly number[], mode: Mode): Shades | null {
  if (values.length === 0) return null;
  return mode === "price" ? priceShades(values) : changeShades(values);
}

function priceShades(values: readonly number[]): Shades {
  const [low, high] = [bent(Math.min(...values)), bent(Math.max(...values))];
  const width = (high - low) / STEPS;
  return {
    stepOf: (value) => width === 0 ? MIDDLE : Math.max(0, Math.min(STEPS - 1, Math.floor((bent(value) - low) / width))),
    ranges: Array.from({ length: STEPS }, (_, step) => [unbent(low + step * width), unbent(low + (step + 1) * width)]),
  };
}

/** The same number of steps for falls and rises, so that equal changes are equally strong. */
function changeShades(values: readonly number[]): Shades {
  const width = Math.max(...values.map(Math.abs)) / MIDDLE;
  return {
    stepOf: (value) =>
      width === 0 ? MIDDLE : MIDDLE + Math.sign(value) * Math.min(MIDDLE, Math.ceil(Math.abs(value) / width)),
    ranges: Array.from({ length: STEPS }, (_, step) => {
      const from = step - MIDDLE;
      return [(from > 0 ? from - 1 : from) * width, (from < 0 ? from + 1 : from) * width];
    }),
  };
}
