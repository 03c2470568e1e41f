// One credit limit and its exact comparison with usage. A limit becomes a capacity in the units of usage, with its margin
// included and rounded down once, so comparing it with usage needs no further arithmetic.

import type { Usage } from "./credit-usage.ts";
import { type Decimal, decimalOf, ENERGY_PER_MEGAWATT_HOUR, NOTIONAL_PER_DOLLAR, roundedNumber } from "./units.ts";

export type LimitType = "notional" | "mw" | "mwh";

export interface LimitTerms {
  readonly limitType: LimitType;
  /** Key of the contract that the limit covers; null for all contracts in total. */
  readonly contract: number | null;
  /** Dollars, MW or MWh; at least 0. */
  readonly limit: number;
  /** 0 to 100, of face value; applies to notional limits only. At 0 the limit is never used up. */
  readonly marginPercent: number;
}

export interface Limit extends LimitTerms {
  /** The usage, without margin, that uses up the limit; null if no usage does. */
  readonly capacity: bigint | null;
}

export interface LimitUsage {
  readonly terms: LimitTerms;
  /** In the unit of the limit, after margin; rounded for display. */
  readonly used: number;
  /** limit - used; negative if the limit was lowered below its usage. */
  readonly available: number;
}

const PERCENT = 100n;
const UNITS_PER: Readonly<Record<LimitType, bigint>> = {
  notional: NOTIONAL_PER_DOLLAR,
  mw: 1000n,
  mwh: ENERGY_PER_MEGAWATT_HOUR,
};
const DISPLAY_DECIMALS: Readonly<Record<LimitType, number>> = { notional: 4, mw: 3, mwh: 6 };

/** Computes the capacity of a limit. */
export function limitOf(terms: LimitTerms): Limit {
  const limit = decimalOf(terms.limit);
  const margin = marginOf(terms);
  const numerator = limit.coefficient * UNITS_PER[terms.limitType] * PERCENT * 10n ** BigInt(margin.scale);
  const denominator = margin.coefficient * 10n ** BigInt(limit.scale);
  if (numerator === 0n) return { ...terms, capacity: 0n };
  return { ...terms, capacity: denominator === 0n ? null : numerator / denominator };
}

/** Whether all of a limit is used. */
export function isExhausted(limit: Limit, usage: Usage): boolean {
  return limit.capacity !== null && measured(usage, limit.limitType) >= limit.capacity;
}

/**
 * Whether a limit leaves enough for a trade of these measures. A limit that is used up leaves nothing, even for a trade that
 * uses none of it.
 */
export function leavesFor(limit: Limit, usage: Usage, trade: Usage): boolean {
  if (limit.capacity === null) return true;
  const left = limit.capacity - measured(usage, limit.limitType);
  return left > 0n && left >= measured(trade, limit.limitType);
}

/** What a trade of these measures uses of a limit, in the unit of the limit, after margin; rounded for display. */
export function usedBy(terms: LimitTerms, trade: Usage): number {
  return limitUsageOf({ ...terms, capacity: null }, trade).used;
}

/** used = usage x margin, available = limit - used; both are exact until they are rounded. */
export function limitUsageOf(terms: Limit, usage: Usage): LimitUsage {
  const limit = decimalOf(terms.limit);
  const margin = marginOf(terms);
  const decimals = DISPLAY_DECIMALS[terms.limitType];
  const used = measured(usage, terms.limitType) * margin.coefficient;
  const unit = UNITS_PER[terms.limitType] * PERCENT * 10n ** BigInt(margin.scale);
  const limitScale = 10n ** BigInt(limit.scale);
  return {
    terms,
    used: roundedNumber(used, unit, decimals),
    available: roundedNumber(limit.coefficient * unit - used * limitScale, unit * limitScale, decimals),
  };
}

function marginOf(terms: LimitTerms): Decimal {
  return terms.limitType === "notional" ? decimalOf(terms.marginPercent) : { coefficient: PERCENT, scale: 0 };
}

function measured(usage: Usage, type: LimitType): bigint {
  if (type === "mw") return usage.quantity;
  return type === "mwh" ? usage.energy : usage.notional;
}
