// The scale of prices in pictures and colours: linear up to about 20 $/MWh on both sides of zero, logarithmic beyond. So a
// spike leaves room to see usual prices, and a price below zero has a place.

/** Cents/MWh at which the scale bends. */
const BEND = 2_000;
/** Of the range of prices, above and below them. */
const MARGIN = 0.06;
/** Between marks, as a part of the scale. */
const LEAST_DISTANCE = 0.12;
/** Cents/MWh between marks, the most round ones first. */
const STEPS = [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1];
/** Marks of a step that would be looked at; with more, a step is too fine for these prices. */
const MOST_LOOKED_AT = 200;

export function bent(cents: number): number {
  return Math.asinh(cents / BEND);
}

/** The inverse of `bent`. */
export function unbent(value: number): number {
  return Math.sinh(value) * BEND;
}

interface PriceScale {
  /** 0 at the lower end of the scale, 1 at its upper end. Cents/MWh. */
  readonly at: (cents: number) => number;
  /** Round prices, cents/MWh, from low to high. */
  readonly marks: readonly number[];
}

/** A scale on which all prices, cents/MWh, have a place. Without prices it is one around zero. */
export function priceScale(prices: readonly number[]): PriceScale {
  const [low, high] = prices.length === 0 ? [0, 0] : [Math.min(...prices), Math.max(...prices)];
  const margin = Math.max(MARGIN * (bent(high) - bent(low)), bent(high + 50) - bent(high));
  const [from, to] = [bent(low) - margin, bent(high) + margin];
  const at = (cents: number) => (bent(cents) - from) / (to - from);
  return { at, marks: marksOf(at, unbent(from), unbent(to)) };
}

function marksOf(at: (cents: number) => number, low: number, high: number): number[] {
  const marks: number[] = [];
  for (const step of STEPS) {
    const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
    if (last - first > MOST_LOOKED_AT) break;
    for (let multiple = first; multiple <= last; multiple++) {
      // Adds 0, because a multiple of -0 is marked as -0.
      const mark = multiple * step + 0;
      if (marks.every((other) => Math.abs(at(other) - at(mark)) >= LEAST_DISTANCE)) marks.push(mark);
    }
  }
  return marks.sort((a, b) => a - b);
}
