// Spot prices for the nodes of a market.

import { SPOT_PARAMETERS } from "./built-in-parameters.ts";
import type { SpotParameters } from "./spot-parameters.ts";
import { SpotProcess } from "./spot-process.ts";

export interface PricedMarket {
  /** The first gives the time zone. */
  readonly markets: readonly { readonly timezone: string; readonly nodes: readonly string[] }[];
  /** Price limits in cents/MWh. */
  readonly products: readonly { readonly minimumPrice: number; readonly maximumPrice: number }[];
}

/** The nodes that have spot prices: the first two of the markets, or the only one. */
export function spotNodes({ markets }: PricedMarket): string[] {
  return [...new Set(markets.flatMap(({ nodes }) => nodes))].slice(0, 2);
}

/** The model needs two nodes, so a market with one node gets a second one at which nothing is traded. */
export function marketSpotProcess(market: PricedMarket, seed: number, startTime: number): SpotProcess {
  const [first = "", second = `${first} neighbour`] = spotNodes(market);
  const timezone = market.markets[0]?.timezone ?? "UTC";
  return new SpotProcess({ seed, startTime, timezone, nodes: [first, second], parameters: limitedTo(market) });
}

/** The model with price limits within those of the market: the least and the greatest limit of its products. */
function limitedTo({ products }: PricedMarket): SpotParameters {
  if (products.length === 0) return SPOT_PARAMETERS;
  const least = Math.min(...products.map(({ minimumPrice }) => minimumPrice));
  const most = Math.max(...products.map(({ maximumPrice }) => maximumPrice));
  const within = (price: number) => Math.min(most, Math.max(least, price));
  const minimumPriceCents = within(SPOT_PARAMETERS.minimumPriceCents);
  const maximumPriceCents = within(SPOT_PARAMETERS.maximumPriceCents);
  const isLimited = minimumPriceCents !== SPOT_PARAMETERS.minimumPriceCents ||
    maximumPriceCents !== SPOT_PARAMETERS.maximumPriceCents;
  return isLimited ? { ...SPOT_PARAMETERS, minimumPriceCents, maximumPriceCents } : SPOT_PARAMETERS;
}
