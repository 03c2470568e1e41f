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
const MARGIN = 0.1;
/** Levels that are this many times as far from the mid as the median one are not shown: they would squeeze all others. */
const FAR = 5;

export function depthOf({ bids, asks }: BookSides): Depth {
  const prices = rangeOf(bids, asks);
  if (prices === null) return { bids: [], asks: [], prices, most: 0 };
  const steps = { bids: stairs(bids, prices.low), asks: stairs(asks, prices.high) };
  const most = Math.max(steps.bids.at(-1)?.volume ?? 0, steps.asks.at(-1)?.volume ?? 0);
  return { ...steps, prices, most };
}

function rangeOf(bids: readonly Level[], asks: readonly Level[]): Depth["prices"] {
  const [bestBid, bestAsk] = [bids[0]?.price, asks[0]?.price];
  if (bestBid === undefined && bestAsk === undefined) return null;
  const mid = bestBid === undefined || bestAsk === undefined ? null : (bestBid + bestAsk) / 2;
  const from = mid ?? bestBid ?? bestAsk!;
  const distances = [...bids, ...asks].map(({ price }) => Math.abs(price - from)).sort((a, b) => a - b);
  const reach = Math.min(distances.at(-1)!, Math.max(1, FAR * distances[Math.floor(distances.length / 2)]!));
  const margin = Math.max(1, reach * MARGIN);
  return {
    low: from - margin - (bestBid === undefined ? 0 : reach),
    high: from + margin + (bestAsk === undefined ? 0 : reach),
    mid,
  };
}

function stairs(levels: readonly Level[], edge: number): DepthPoint[] {
  const best = levels[0]?.price;
  if (best === undefined) return [];
  const isShown = ({ price }: Level) => edge < best ? price >= edge : price <= edge;
  const shown = levels.filter(isShown);
  const sums = cumulative(shown);
  const corners = shown.flatMap(({ price }, index) => [
    { price, volume: index === 0 ? 0 : sums[index - 1]! },
    { price, volume: sums[index]! },
  ]);
  return [...corners, { price: edge, volume: sums.at(-1)! }];
}
