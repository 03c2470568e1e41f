// Spot prices for the nodes of a market.

import { SeededRandom } from "../random/seeded-random.ts";
import { SPOT_PARAMETERS } from "./built-in-parameters.ts";
import { type LocatedMarket, timezoneAt } from "./node-calendars.ts";
import { SeparateSpotPrices } from "./separate-spot-prices.ts";
import type { SpotParameters } from "./spot-parameters.ts";
import type { SpotPrices } from "./spot-prices.ts";
import { SpotProcess } from "./spot-process.ts";

export interface PricedMarket extends LocatedMarket {
  /** Price limits in cents/MWh. */
  readonly products: readonly { readonly minimumPrice: number; readonly maximumPrice: number }[];
}

/** The nodes that have spot prices: the first two of the markets, or the only one. */
export function spotNodes({ markets }: PricedMarket): string[] {
  return [...new Set(markets.flatMap(({ nodes }) => nodes))].slice(0, 2);
}

/**
 * The model needs two nodes, so a node that has its time zone to itself gets a second one at which nothing is traded. Nodes of
 * two time zones have unrelated prices.
 */
export function marketSpotPrices(market: PricedMarket, seed: number, startTime: number): SpotPrices {
  const [first = "", second] = spotNodes(market);
  const parameters = limitedTo(market);
  const pricesAt = (node: string, neighbour = `${node} neighbour`, ownSeed = seed) =>
    new SpotProcess({
      seed: ownSeed,
      startTime,
      timezone: timezoneAt(node, market),
      nodes: [node, neighbour],
      parameters,
    });
  if (second === undefined || timezoneAt(first, market) === timezoneAt(second, market)) return pricesAt(first, second);
  const random = new SeededRandom(seed);
  const secondSeed = random.fork("second grid").word();
  return new SeparateSpotPrices(pricesAt(first), pricesAt(second, undefined, secondSeed), random.fork("events"));
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
