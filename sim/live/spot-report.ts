// The spot prices of a market, with their history, and as the control API reports them. The same market, seed, time and
// earlier prices give the same prices.

import { isoTime } from "../../common/iso-time.ts";
import { MAX_HISTORY_HOURS, type SimulationState, type SpotResponse } from "../../protocol/index.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import { marketSpotPrices, type PricedMarket } from "../spot/market-spot.ts";
import { ContinuedSpotPrices } from "../spot/continued-spot-prices.ts";
import type { ActiveSpotEvent, SpotPrices } from "../spot/spot-prices.ts";

/**
 * Prices as of `time`, in milliseconds since the epoch, with the longest history that a request may ask for. `earlier`: the
 * prices that this market had until now, whose past stays; null if nobody was told any.
 */
export function spotPricesOf(
  market: PricedMarket,
  seed: number,
  time: number,
  earlier: SpotPrices | null = null,
): SpotPrices {
  const prices = marketSpotPrices(market, seed, time - MAX_HISTORY_HOURS * HOUR_MS);
  prices.advanceTo(time);
  return earlier === null ? prices : new ContinuedSpotPrices(prices, earlier, MAX_HISTORY_HOURS);
}

/** Prices of `shownNodes`, each with `hours` of hourly history, without the hours that were over at `toldFrom`. */
export function spotReport(
  status: SimulationState,
  prices: SpotPrices,
  shownNodes: readonly string[],
  hours: number,
  toldFrom = -Infinity,
): SpotResponse {
  const history = prices.history(hours).filter(({ time }) => time + HOUR_MS > toldFrom);
  const nodes = shownNodes.map((node) => {
    const { priceCents, regime, time } = prices.current(node);
    const hourly = history.filter((point) => point.node === node);
    return {
      node,
      price: priceCents,
      regime,
      time: isoTime(time),
      history: hourly.map((point) => ({ time: isoTime(point.time), price: point.priceCents, regime: point.regime })),
    };
  });
  const { congested } = prices.current(prices.nodes[0]);
  return { status, nodes, congested, events: prices.activeEvents.map(eventReport) };
}

function eventReport(
  { id, type, node, size, startTime, endTime, remaining }: ActiveSpotEvent,
): SpotResponse["events"][number] {
  return { id, type, node, size, startedAt: isoTime(startTime), endsAt: isoTime(endTime), remaining };
}
