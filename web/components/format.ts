// Numbers and times as people read them. Prices come in cents/MWh and are shown in dollars; a column's heading has the unit.

const dollars = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const megawatts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });

/** Of an absent value. */
export const NONE = "–";

/** 4673 cents/MWh: `46.73`. */
export function price(cents: number | null | undefined): string {
  return cents === null || cents === undefined ? NONE : dollars.format(cents / 100);
}

/** MW or MWh. */
export function quantity(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : megawatts.format(value);
}
