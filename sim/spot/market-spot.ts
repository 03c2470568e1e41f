// Spot prices for the nodes of a market.

import { SpotProcess } from "./spot-process.ts";

export interface PricedMarket {
  /** The first gives the time zone. */
  readonly markets: readonly { readonly timezone: string; readonly nodes: readonly string[] }[];
}

/** The nodes that have spot prices: the first two of the markets, or the only one. */
export function spotNodes({ markets }: PricedMarket): string[] {
  return [...new Set(markets.flatMap(({ nodes }) => nodes))].slice(0, 2);
}

/** The model needs two nodes, so a market with one node gets a second one at which nothing is traded. */
export function marketSpotProcess(market: PricedMarket, seed: number, startTime: number): SpotProcess {
  const [first = "", second = `${first} neighbour`] = spotNodes(market);
  return new SpotProcess({ seed, startTime, timezone: market.markets[0]?.timezone ?? "UTC", nodes: [first, second] });
}
