// The spot prices of a market, with their history. The same market, seed and time give the same prices.

import { MAX_HISTORY_HOURS } from "../../protocol/index.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import { marketSpotProcess, type PricedMarket } from "../spot/market-spot.ts";

/** Prices as of `time`, in milliseconds since the epoch, with the longest history that a request may ask for. */
export function spotPricesOf(market: PricedMarket, seed: number, time: number): SpotPrices {
  const prices = marketSpotProcess(market, seed, time - MAX_HISTORY_HOURS * HOUR_MS);
  prices.advanceTo(time);
  return prices;
}
