// One credit limit and its exact comparison with usage. A limit becomes a capacity in the units of usage, with its margin
// included and rounded down once, so comparing it with usage needs no further arithmetic.

import type { Usage } from "./credit-usage.ts";
import { differenceOf, type ExactInteger, exactOf, productOf, roundedNumber } from "./exact-integer.ts";
import { type Decimal, decimalOf, ENERGY_PER_MEGAWATT_HOUR, NOTIONAL_PER_DOLLAR } from "./units.ts";

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
  readonly capacity: ExactInteger | null;
  readonly shown: ShownLimit;
}

/**
 * A limit as fractions of one denominator, in lowest terms: it is granted / denominator, and a usage takes
 * usage x weight / denominator of it. All three are integers, so a limit and its usage are rounded only once.
 */
export interface ShownLimit {
  readonly granted: ExactInteger;
  readonly weight: ExactInteger;
  readonly denominator: ExactInteger;
  /** granted = whole x denominator + rest, and 0 <= rest < denominator. Null if one of the three is above 2^53 - 1. */
  readonly parts: { readonly whole: number; readonly rest: number; readonly denominator: number } | null;
}

export interface LimitUsage {
  readonly terms: Limit;
  /** In the unit of the limit, after margin; rounded for display. */
  readonly used: number;
  /** limit - used; negative if the limit was lowered below its usage. */
  readonly available: number;
}

const PERCENT = 100n;
/** Units of usage in one unit of the limit. */
const UNITS_PER: Readonly<Record<LimitType, bigint>> = {
  notional: BigInt(NOTIONAL_PER_DOLLAR),
  mw: 1000n,
  mwh: BigInt(ENERGY_PER_MEGAWATT_HOUR),
};
/** Places that a limit and its usage are rounded to. */
export const DISPLAY_DECIMALS: Readonly<Record<LimitType, number>> = { notional: 4, mw: 3, mwh: 6 };

/** Computes the capacity of a limit. */
export function limitOf({ limitType, contract, limit, marginPercent }: LimitTerms): Limit {
  const amount = decimalOf(limit);
  const margin = limitType === "notional" ? decimalOf(marginPercent) : FULL_MARGIN;
  const unit = UNITS_PER[limitType] * PERCENT * 10n ** BigInt(margin.scale);
  const scale = 10n ** BigInt(amount.scale);
  const granted = amount.coefficient * unit;
  const weight = margin.coefficient * scale;
  const shown = inLowestTerms(granted, weight, unit * scale);
  const capacity = granted === 0n ? 0 : weight === 0n ? null : exactOf(granted / weight);
  return { limitType, contract, limit, marginPercent, capacity, shown };
}

const FULL_MARGIN: Decimal = { coefficient: PERCENT, scale: 0 };

function inLowestTerms(granted: bigint, weight: bigint, denominator: bigint): ShownLimit {
  const divisor = greatestCommonDivisor(greatestCommonDivisor(denominator, weight), granted);
  const reduced = { granted: granted / divisor, denominator: denominator / divisor };
  return {
    granted: exactOf(reduced.granted),
    weight: exactOf(weight / divisor),
    denominator: exactOf(reduced.denominator),
    parts: partsOf(reduced.granted, reduced.denominator),
  };
}

function partsOf(granted: bigint, divisor: bigint): ShownLimit["parts"] {
  const [whole, rest, denominator] = [granted / divisor, granted % divisor, divisor].map(exactOf);
  const areNumbers = typeof whole === "number" && typeof rest === "number" && typeof denominator === "number";
  return areNumbers ? { whole, rest, denominator } : null;
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  while (other !== 0n) [one, other] = [other, one % other];
  return one;
}

/**
 * Whether a limit leaves enough for a trade of these measures. A limit that is used up leaves nothing, even for a trade that
 * uses none of it.
 */
export function leavesFor(limit: Limit, usage: Usage, trade: Usage): boolean {
  if (limit.capacity === null) return true;
  const left = differenceOf(limit.capacity, measured(usage, limit.limitType));
  return left > 0 && left >= measured(trade, limit.limitType);
}

/** What a trade of these measures uses of a limit, in the unit of the limit, after margin; rounded for display. */
export function usedBy({ limitType, shown: { weight, denominator } }: Limit, trade: Usage): number {
  return roundedNumber(productOf(measured(trade, limitType), weight), denominator, DISPLAY_DECIMALS[limitType]);
}

/** used = usage x margin, as a numerator over the limit's denominator. */
export function usedUnder({ limitType, shown: { weight } }: Limit, usage: Usage): ExactInteger {
  return productOf(measured(usage, limitType), weight);
}

/** available = limit - used; both are exact until they are rounded. */
export function limitUsageOf(terms: Limit, usage: Usage): LimitUsage {
  const { limitType, shown: { granted, denominator } } = terms;
  const used = usedUnder(terms, usage);
  const decimals = DISPLAY_DECIMALS[limitType];
  return {
    terms,
    used: roundedNumber(used, denominator, decimals),
    available: roundedNumber(differenceOf(granted, used), denominator, decimals),
  };
}

function measured(usage: Usage, type: LimitType): ExactInteger {
  if (type === "mw") return usage.quantity;
  return type === "mwh" ? usage.energy : usage.notional;
}
