// Credit as trading desks have it: each company grants each other one a limit in dollars of its own, to some also one in
// MW, and with some it has no contract yet. So in a busy market some pairs use up their credit.
//
// The same market gives the same credit.

import type { MarketDefinition } from "./market-definition.ts";

type Credit = MarketDefinition["credit"][number];

/** In dollars of margin. */
const NOTIONAL_LIMITS = [1_500_000, 250_000, 800_000, 4_000_000, 400_000, 1_000_000, 2_500_000, 600_000] as const;
/**
 * The share of a trade's face value that counts. One MW of a year has a face value of about 370,000 dollars, of which a desk
 * takes what it could lose.
 */
const MARGIN_PERCENT = 20;
/** For one pair in six, which is nearly used up after some trades. */
const FEW_MEGAWATTS = 20;

export function withTightCredit(market: MarketDefinition): MarketDefinition {
  const ids = market.entities.map(({ id }) => id);
  const credit = ids.flatMap((entityId, row) =>
    ids.flatMap((counterpartyId, column) => row === column ? [] : [creditOf(entityId, counterpartyId, row, column)])
  );
  return { ...market, credit, creditDefaults: undefined };
}

/** `row`, `column`: places of the two in the market. */
function creditOf(entityId: string, counterpartyId: string, row: number, column: number): Credit {
  const limit = NOTIONAL_LIMITS[(5 * row + 3 * column) % NOTIONAL_LIMITS.length]!;
  const hasFew = (row + column) % 6 === 0;
  return {
    entityId,
    counterpartyId,
    limits: [
      { limitType: "notional", scope: "total", limit, marginPercent: MARGIN_PERCENT },
      ...(hasFew ? [{ limitType: "mw", scope: "total", limit: FEW_MEGAWATTS, marginPercent: 100 } as const] : []),
    ],
    documentation: (3 * row + column) % 13 === 0 ? "pending" : "docs_in_place",
  };
}
