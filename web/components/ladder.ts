// An order book as the rows of a ladder: asks above the spread, bids below it, the best prices next to it. A ladder always has
// the same rows, so nothing moves when levels come and go.

import type { Level } from "../contract/market.ts";

export interface LadderLevel extends Level {
  /** Volume of this level and of all better ones, MW. */
  readonly cumulative: number;
  /** Part of the largest volume of the ladder, 0 to 1. */
  readonly share: number;
}

export interface Ladder {
  /** The worst first, the best last; null: no such level. Always `depth` rows. */
  readonly asks: readonly (LadderLevel | null)[];
  /** The best first. Always `depth` rows. */
  readonly bids: readonly (LadderLevel | null)[];
  /** Cents/MWh; null if a side is empty. Negative or 0: the book is crossed. */
  readonly spread: number | null;
  /** Cents/MWh. */
  readonly mid: number | null;
}

export interface BookSides {
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export function ladderOf({ bids, asks }: BookSides, depth: number): Ladder {
  const shown = { bids: bids.slice(0, depth), asks: asks.slice(0, depth) };
  const most = Math.max(0, ...[...shown.bids, ...shown.asks].map(({ volume }) => volume));
  const [bestBid, bestAsk] = [bids[0]?.price, asks[0]?.price];
  const hasBoth = bestBid !== undefined && bestAsk !== undefined;
  return {
    asks: rowsOf(shown.asks, depth, most).toReversed(),
    bids: rowsOf(shown.bids, depth, most),
    spread: hasBoth ? bestAsk - bestBid : null,
    mid: hasBoth ? (bestAsk + bestBid) / 2 : null,
  };
}

function rowsOf(levels: readonly Level[], depth: number, most: number): (LadderLevel | null)[] {
  const sums = cumulative(levels);
  return Array.from({ length: depth }, (_, index) => {
    const level = levels[index];
    return level === undefined
      ? null
      : { ...level, cumulative: sums[index]!, share: most === 0 ? 0 : level.volume / most };
  });
}

/** Volume of each level and of those before it, in MW without the rounding errors of sums. */
export function cumulative(levels: readonly Level[]): number[] {
  let sum = 0;
  return levels.map(({ volume }) => sum = Math.round((sum + volume) * 1e6) / 1e6);
}

/** The price at which bids and asks meet, or cross: `locked` at the same price. */
export function crossing(bestBid: number | null, bestAsk: number | null): "crossed" | "locked" | null {
  if (bestBid === null || bestAsk === null || bestBid < bestAsk) return null;
  return bestBid === bestAsk ? "locked" : "crossed";
}
