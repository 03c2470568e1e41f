// When a simulation begins if nobody says when.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { sessionAt } from "../../engine/market/session-schedule.ts";
import { DAY_MS } from "../../protocol/time-units.ts";

/** Start of the simulation for a market without named contracts: 00:00 in Chicago on Monday, 2 March 2026. */
export const BUILT_IN_AS_OF = Date.UTC(2026, 2, 2, 6);

/**
 * A day before the first delivery of the contracts that the definition names, or BUILT_IN_AS_OF if it only has listing
 * rules. If the first market is closed then, the next time it opens.
 */
export function startTimeOf({ markets: [market], contracts }: MarketDefinition): number {
  const dayBefore = contracts.length === 0
    ? BUILT_IN_AS_OF
    : Math.min(...contracts.map(({ deliveryStart }) => Date.parse(deliveryStart))) - DAY_MS;
  if (market === undefined || market.schedule === null) return dayBefore;
  return Math.max(dayBefore, sessionAt(market.schedule, market.timezone, dayBefore).open);
}
