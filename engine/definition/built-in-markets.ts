// The built-in markets by their names, which stand in place of a market file's path.

import { builtInMarket } from "./built-in-market.ts";
import type { MarketDefinition } from "./market-definition.ts";
import { withTightCredit } from "./tight-credit.ts";

export const BUILT_IN_MARKET = "builtin";
/** The same with limits as trading desks have them. */
export const TIGHT_CREDIT_MARKET = "builtin-credit";

/** Null if no built-in market has the name. */
export function builtInMarketNamed(name: string): MarketDefinition | null {
  if (name === BUILT_IN_MARKET) return builtInMarket();
  return name === TIGHT_CREDIT_MARKET ? withTightCredit(builtInMarket()) : null;
}

export function isBuiltInMarket(name: string): boolean {
  return name === BUILT_IN_MARKET || name === TIGHT_CREDIT_MARKET;
}
