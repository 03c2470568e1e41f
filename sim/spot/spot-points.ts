// The points of both nodes at one time.

import { isCongested } from "./hourly-prices.ts";
import type { Pair } from "./hour-history.ts";
import { regimeOf, REGIMES } from "./regimes.ts";
import type { SpotPoint } from "./spot-prices.ts";

/** `prices` and `normals` in cents/MWh. */
export function pointsOf(
  nodes: readonly [string, string],
  time: number,
  prices: Pair,
  normals: Pair,
): readonly [SpotPoint, SpotPoint] {
  const congested = isCongested(prices[0], prices[1]);
  const point = (at: 0 | 1) => ({
    time,
    node: nodes[at],
    priceCents: prices[at],
    regime: REGIMES[regimeOf(prices[at], normals[at])]!,
    congested,
  });
  return [point(0), point(1)];
}
