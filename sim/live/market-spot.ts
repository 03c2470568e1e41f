// The spot prices of a market: for its first two price nodes, with a history before them. The same market, seed and time
// give the same prices.

import { MAXIMUM_HISTORY_HOURS } from "../../protocol/index.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import { SpotProcess } from "../spot/spot-process.ts";

export interface PricedMarket {
  /** The first gives the time zone. */
  readonly markets: readonly { readonly timezone: string; readonly nodes: readonly string[] }[];
}

const HOUR_MS = 3_600_000;

/** The price nodes for which spot prices are simulated: the first two of the market, or its only one. */
export function spotNodes({ markets }: PricedMarket): string[] {
  return [...new Set(markets.flatMap(({ nodes }) => nodes))].slice(0, 2);
}

/** As of `time`, milliseconds since the epoch. A market of one node gets a second one that nobody is shown. */
export function spotPricesOf(market: PricedMarket, seed: number, time: number): SpotPrices {
  const [first = "", second = `not ${first}`] = spotNodes(market);
  const prices = new SpotProcess({
    seed,
    nodes: [first, second],
    timezone: market.markets[0]?.timezone ?? "UTC",
    startTime: time - MAXIMUM_HISTORY_HOURS * HOUR_MS,
  });
  prices.advanceTo(time);
  return prices;
}
