// When credit is so much that its amount tells nothing.

import type { CreditUse } from "../contract/credit.ts";

/** The greatest limit that a market takes (docs/market-file.md), in any unit. Who sets it means that credit is no matter. */
const GREATEST_LIMIT = 1e12;
/** Of such a limit. */
const LEAST_LEFT = 0.2;

export function isAmpleLimit({ limit }: Pick<CreditUse, "limit">): boolean {
  return limit >= GREATEST_LIMIT;
}

/** `left`: of the limit, now or after more trades. */
export function isAmple(left: number, use: Pick<CreditUse, "limit">): boolean {
  return isAmpleLimit(use) && left > LEAST_LEFT * use.limit;
}
