// Spot prices as the control API reports them.

import { isoTime } from "../../common/iso-time.ts";
import type { SimulationState, SpotResponse } from "../../protocol/index.ts";
import type { ActiveSpotEvent, SpotPrices } from "../spot/spot-prices.ts";

/** Prices of `shownNodes`, each with `hours` of hourly history. */
export function spotReport(
  status: SimulationState,
  prices: SpotPrices,
  shownNodes: readonly string[],
  hours: number,
): SpotResponse {
  const history = prices.history(hours);
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
