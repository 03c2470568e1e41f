// How far the expected price of a product usually moves in a day: the standard deviation as a share of the price, as measured
// on the spot model without events. A single hour moves most, a year least.

export type ProductType = "hour" | "base" | "peak" | "weekend" | "week" | "month" | "quarter" | "year";

export const DAILY_SD: Readonly<Record<ProductType, number>> = {
  hour: 0.33,
  base: 0.21,
  peak: 0.24,
  weekend: 0.12,
  week: 0.085,
  month: 0.03,
  quarter: 0.018,
  year: 0.007,
};

/** How much opinions about a product differ, relative to those about a day's base. */
export function opinionFactor(type: ProductType): number {
  return DAILY_SD[type] / DAILY_SD.base;
}

/** As `opinionFactor`, for what opinions about all contracts of one delivery day have in common. */
export function sharedOpinionFactor(type: ProductType): number {
  return type === "hour" || type === "peak" ? 1 : opinionFactor(type);
}

/** How much wider a product is quoted than its moves suggest. There are many single hours, and little trade in far products. */
const WIDENING: Readonly<Record<ProductType, number>> = {
  hour: 3.5,
  base: 1,
  peak: 1.2,
  weekend: 1.5,
  week: 1.5,
  month: 2,
  quarter: 2,
  year: 2,
};

/** Half spread of a product relative to that of a day's base. */
export function spreadFactor(type: ProductType): number {
  return opinionFactor(type) * WIDENING[type];
}
