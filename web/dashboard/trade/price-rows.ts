// The rows of the ladder: the best levels of both sides, some ticks around the best prices, and the prices of own orders, from
// the highest price to the lowest.

import type { Book } from "../../contract/market.ts";
import type { OpenOrder } from "./deed.ts";
import type { Steps } from "./terms.ts";

type Sides = Pick<Book, "bids" | "asks">;

/** Levels of each side that are shown. */
const LEVELS = 8;
/** Ticks to each side of a best price, or of the last price if the book is empty. */
const TICKS = 2;

export interface PriceRow {
  /** cents/MWh. */
  readonly price: number;
  /** MW; null: no order at this price. */
  readonly bid: number | null;
  readonly ask: number | null;
  /** Whether it is the best price of a side. */
  readonly best: "bid" | "ask" | null;
  /** Whether prices between this row and the one above it are left out. */
  readonly hasGap: boolean;
  readonly ownBids: readonly OpenOrder[];
  readonly ownAsks: readonly OpenOrder[];
}

interface Prices extends Sides {
  readonly lastPrice: number | null;
  readonly steps: Steps;
  /** Prices that are always shown: those of own orders, and of what is prepared. */
  readonly also: readonly number[];
}

/** The highest first. Empty if nothing is known from which a price could be taken. */
export function pricesOf({ bids, asks, lastPrice, steps, also }: Prices): number[] {
  const levels = [...bids.slice(0, LEVELS), ...asks.slice(0, LEVELS)].map(({ price }) => price);
  const best = [bids[0]?.price, asks[0]?.price].filter((price) => price !== undefined);
  const middles = best.length > 0 ? best : lastPrice === null ? [] : [lastPrice];
  const around = middles.flatMap((price) =>
    Array.from({ length: 2 * TICKS + 1 }, (_, at) => price + (at - TICKS) * steps.tick)
  );
  const { minimumPrice, maximumPrice } = steps;
  return [...new Set([...levels, ...around, ...also])]
    .filter((price) => price >= minimumPrice && price <= maximumPrice)
    .sort((a, b) => b - a);
}

/** A row for each of these prices, with what the book has there now. */
export function rowsOf(
  prices: readonly number[],
  { bids, asks }: Sides,
  orders: readonly OpenOrder[],
  tick: number,
): PriceRow[] {
  const volumes = { bid: volumesOf(bids), ask: volumesOf(asks) };
  const [bestBid, bestAsk] = [bids[0]?.price, asks[0]?.price];
  return prices.map((price, index) => ({
    price,
    bid: volumes.bid.get(price) ?? null,
    ask: volumes.ask.get(price) ?? null,
    best: price === bestBid ? "bid" : price === bestAsk ? "ask" : null,
    hasGap: index > 0 && prices[index - 1]! - price > tick,
    ownBids: orders.filter((order) => order.price === price && order.side === "BUY"),
    ownAsks: orders.filter((order) => order.price === price && order.side === "SELL"),
  }));
}

function volumesOf(levels: Sides["bids"]): ReadonlyMap<number, number> {
  return new Map(levels.map(({ price, volume }) => [price, volume]));
}
