// What prevents a trade in the documents and limits that one party grants to another.
//
// Invariant: the answer agrees exactly with available-credit.ts, which caches the result of all checks for matching. Here each
// check is made and named by itself.
//
// Cost: O(limits of the pair).

import { leavesFor, type Limit, type LimitUsage, limitUsageOf, usedBy } from "./credit-limit.ts";
import type { DocumentationStatus } from "./credit-terms.ts";
import { type CreditContract, type Usage, usageOfTrade } from "./credit-usage.ts";

export type CreditObstacle =
  | { readonly kind: "documents"; readonly status: DocumentationStatus }
  /** No limit covers the contract. */
  | { readonly kind: "no_limit" }
  /** `needed`: what the trade would use of the limit, in its unit, after margin. */
  | { readonly kind: "limit"; readonly usage: LimitUsage; readonly needed: number };

interface Granted {
  readonly documentation: DocumentationStatus;
  readonly limits: readonly Limit[];
}

/** The obstacles to a trade of `quantity` kW: documents, then limits in the order in which they were first set. */
export function obstaclesIn(
  { documentation, limits }: Granted,
  usageUnder: (limit: Limit) => Usage,
  { key, minutes }: CreditContract,
  price: number,
  quantity: number,
): CreditObstacle[] {
  const obstacles: CreditObstacle[] = [];
  if (documentation !== "docs_in_place") obstacles.push({ kind: "documents", status: documentation });
  const covering = limits.filter(({ contract }) => contract === null || contract === key);
  if (covering.length === 0) obstacles.push({ kind: "no_limit" });
  const trade = usageOfTrade(quantity, minutes, price);
  for (const limit of covering) {
    const usage = usageUnder(limit);
    if (leavesFor(limit, usage, trade)) continue;
    obstacles.push({ kind: "limit", usage: limitUsageOf(limit, usage), needed: usedBy(limit, trade) });
  }
  return obstacles;
}
