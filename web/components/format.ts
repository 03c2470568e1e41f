// Numbers as people read them. Prices come in cents/MWh and are shown in dollars; a column's heading has the unit. Negative
// numbers have a minus sign (U+2212), which is as wide as a digit.

const dollars = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const megawatts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const aligned: Intl.NumberFormat[] = [];
const MINUS = "\u2212";

/** Of an absent value. */
export const NONE = "–";

type Value = number | null | undefined;

/** 4673 cents/MWh: `46.73`. */
export function price(cents: Value): string {
  return cents === null || cents === undefined ? NONE : text(dollars, cents / 100);
}

/** MW or MWh: `12.5`. */
export function quantity(value: Value): string {
  return text(megawatts, value);
}

/** MW, or any number, with as many decimals as `decimals` says, so that the points of a column stand below each other. */
export function alignedQuantity(value: Value, decimals: number): string {
  const format = aligned[decimals] ??= new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return text(format, value);
}

/** Decimals that are needed to show each of these MW, at most 3. */
export function decimalsOf(values: readonly number[]): number {
  let decimals = 0;
  for (const value of values) {
    while (decimals < 3 && Math.abs(value - Number(value.toFixed(decimals))) > 1e-9) decimals++;
  }
  return decimals;
}

/** A number of things: `1,234`. */
export function count(value: Value): string {
  return text(whole, value);
}

/** Dollars: `1,234.50`. */
export function money(value: Value): string {
  return text(dollars, value);
}

/** Dollars, where cents would be too much: `1,235`. */
export function wholeMoney(value: Value): string {
  return text(whole, value);
}

/** `1.2K`, `3.4M`. */
export function compact(value: Value): string {
  return text(short, value);
}

/** A change or a profit in dollars: `+1,234.50`, `−12.00`, `0.00`. */
export function signed(value: Value): string {
  return withSign(dollars, value);
}

/** A change of MW: `+12.5`. */
export function signedQuantity(value: Value): string {
  return withSign(megawatts, value);
}

/** A change of cents/MWh: `+0.25`. */
export function signedPrice(cents: Value): string {
  return cents === null || cents === undefined ? NONE : withSign(dollars, cents / 100);
}

/** 0.123: `12.3 %`. */
export function percent(fraction: Value, decimals = 1): string {
  return fraction === null || fraction === undefined || Number.isNaN(fraction)
    ? NONE
    : `${(fraction * 100).toFixed(decimals).replace(/^-/, MINUS)} %`;
}

function withSign(format: Intl.NumberFormat, value: Value): string {
  const shown = text(format, value);
  return typeof value === "number" && value > 0 && shown !== format.format(0) ? `+${shown}` : shown;
}

function text(format: Intl.NumberFormat, value: Value): string {
  if (value === null || value === undefined || Number.isNaN(value)) return NONE;
  const shown = format.format(value);
  // A value that rounds to zero has no sign.
  return shown === `-${format.format(0)}` ? format.format(0) : shown.replace("-", MINUS);
}
