// How the capacity of a unit, or the load of a retailer, is shared among the products of its node. Each hour is delivered by
// several products: its own, its day, week, month, quarter and year. The shares of all of them sum to 1, so no hour is sold
// or bought twice, whatever is traded. The share of a product that a market doesn't have is left to the spot market.
//
// Limit: a market with two products of one type and shape at a node counts that share twice.

import type { PeriodKind } from "../../../engine/market/listing-rule.ts";
import type { Delivery } from "./physical-asset.ts";

const BASE_SHARES: Readonly<Record<PeriodKind, number>> = {
  hour: 0.15,
  base: 0.15,
  peak: 0.05,
  weekend: 0.05,
  week: 0.1,
  month: 0.14,
  quarter: 0.14,
  year: 0.14,
};

/** Of products that deliver only in the peak hours of longer periods. */
const PEAK_SHARES: Readonly<Partial<Record<PeriodKind, number>>> = {
  week: 0.01,
  month: 0.04,
  quarter: 0.02,
  year: 0.01,
};

/** The share of a contract's product. */
export function shareOf({ type, shape }: Pick<Delivery, "type" | "shape">): number {
  return shape === "peak" && type !== "peak" ? PEAK_SHARES[type] ?? 0 : BASE_SHARES[type];
}
