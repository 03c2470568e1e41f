// What changes of spot prices and market events mean for what a page shows of them.

import type { SpotEvent, SpotNode, SpotResult } from "../contract/tool-results.ts";

export const HOUR = 3_600;

/** The prices as `change.spot` events have made them: the price now, not the history. */
export function withSpotEvent(spot: SpotResult, data: Readonly<Record<string, unknown>>): SpotResult {
  const { node, price, regime, time } = data;
  if (typeof price !== "number" || typeof regime !== "string" || typeof time !== "string") return spot;
  const isNews = (now: SpotNode) => now.node === node && Date.parse(time) >= Date.parse(now.time);
  if (!spot.nodes.some(isNews)) return spot;
  return { ...spot, nodes: spot.nodes.map((now) => isNews(now) ? { ...now, price, regime, time } : now) };
}

/**
 * Whether the whole is worth reading again after a `change.spot` event: an hour of the history is over, or the price of a time
 * that is already known is another one, as it is when a market event has been triggered.
 */
export function isWorthReading({ nodes }: SpotResult, data: Readonly<Record<string, unknown>>): boolean {
  const known = nodes.find(({ node }) => node === data["node"]);
  const at = Date.parse(String(data["time"]));
  if (known === undefined || Number.isNaN(at)) return false;
  const last = known.history.at(-1);
  const isNextHour = last !== undefined && at >= Date.parse(last.time) + HOUR * 1_000;
  return isNextHour || (at === Date.parse(known.time) && data["price"] !== known.price);
}

/** Mean spot price of the last whole hour before the event began, cents/MWh; null if the history does not have it. */
export function priceBefore({ history }: Pick<SpotNode, "history">, { startedAt }: Pick<SpotEvent, "startedAt">) {
  const began = seconds(startedAt);
  const last = history.findLast(({ time }) => seconds(time) + HOUR <= began);
  return last === undefined || seconds(last.time) + 2 * HOUR <= began ? null : last.price;
}

/** `heat_wave`: `heat wave`. */
export function eventName(type: string): string {
  return type.replaceAll("_", " ");
}

/** Of an ISO time, since 1970. */
export function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}
