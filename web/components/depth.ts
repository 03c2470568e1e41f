// The depth of a book: how much could be traded up to a price, as the corners of two stairs.

import { type BookSides, cumulative } from "./ladder.ts";
import type { Level } from "../contract/market.ts";

export interface DepthPoint {
  /** Cents/MWh. */
  readonly price: number;
  /** MW. */
  readonly volume: number;
}

export interface Depth {
  /** From the best price outwards; each step has two corners. Empty if the side is. */
  readonly bids: readonly DepthPoint[];
  readonly asks: readonly DepthPoint[];
  /** Prices from edge to edge, the mid in the middle if both sides have levels; null if the book is empty. */
  readonly prices: { readonly low: number; readonly high: number; readonly mid: number | null } | null;
  /** MW: the larger side. */
  readonly most: number;
}

/** The price range at the edges beyond the last levels, as a part of the whole range. */
const MARGIN = 0.05;

export function depthOf({ bids, asks }: BookSides): Depth {
  const all = [...bids, ...asks].map(({ price }) => price);
  if (all.length === 0) return { bids: [], asks: [], prices: null, most: 0 };
  const prices = rangeOf(bids, asks, Math.min(...all), Math.max(...all));
  const steps = { bids: stairs(bids, prices.low), asks: stairs(asks, prices.high) };
  const most = Math.max(steps.bids.at(-1)?.volume ?? 0, steps.asks.at(-1)?.volume ?? 0);
  return { ...steps, prices, most };
}

function rangeOf(bids: readonly Level[], asks: readonly Level[], lowest: number, highest: number) {
  const mid = bids.length > 0 && asks.length > 0 ? (bids[0]!.price + asks[0]!.price) / 2 : null;
  const reach = mid === null ? highest - lowest : Math.max(mid - lowest, highest - mid);
  const margin = Math.max(1, reach * MARGIN);
  return mid === null
    ? { low: lowest - margin, high: highest + margin, mid }
    : { low: mid - reach - margin, high: mid + reach + margin, mid };
}

function stairs(levels: readonly Level[], edge: number): DepthPoint[] {
  const sums = cumulative(levels);
  const corners = levels.flatMap(({ price }, index) => [
    { price, volume: index === 0 ? 0 : sums[index - 1]! },
    { price, volume: sums[index]! },
  ]);
  return levels.length === 0 ? [] : [...corners, { price: edge, volume: sums.at(-1)! }];
}
