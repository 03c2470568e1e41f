// What the book tells of an order: how far the best price of the other side is, what its own price reaches, and what goes
// before it on its own side. The book has the ten best levels of each side, and of a level only its MW and its number of
// orders. So what lies beyond ten levels, and who came first at a price, is unknown, and is said to be.

import { type Book, BOOK_DEPTH, type Level } from "../../../contract/market.ts";
import type { OrderResult } from "../../../contract/tool-results.ts";

type BookOrder = Pick<OrderResult, "side" | "price" | "remainingQuantity" | "status">;
type Sides = Pick<Book, "bids" | "asks">;

/** The other side, as seen from the order. Prices are cents/MWh. */
export interface Reach {
  /** Null: the other side has no orders. */
  readonly best: Level | null;
  /** From the order's price to the best one; 0 or less: reached. Null without a best one. */
  readonly distance: number | null;
  /** MW of the levels shown that the order's price reaches. */
  readonly reached: number;
  /** Every level that the book shows is reached, and it may have more. */
  readonly mayReachMore: boolean;
  /** The best level beyond the order's price; null: none is shown. */
  readonly next: Level | null;
  /** The price at which the levels shown have what the order still wants; null: all of them have less. */
  readonly enoughAt: number | null;
}

/** What goes before the order on its own side. */
export interface Place {
  /** MW at better prices, in the levels shown. */
  readonly better: number;
  readonly betterOrders: number;
  /** The order's price lies beyond the ten levels shown: more may be at better prices, and its own level is unknown. */
  readonly isBeyond: boolean;
  /** MW of other orders at its price; null: unknown. */
  readonly same: number | null;
  readonly sameOrders: number;
  /** MW at its price that are certain to go before it; the rest of `same` may go before or after. */
  readonly sameCertain: number;
}

export function reachOf({ side, price, remainingQuantity }: BookOrder, { bids, asks }: Sides): Reach {
  const levels = side === "BUY" ? asks : bids;
  const away = (level: Level) => side === "BUY" ? level.price - price : price - level.price;
  const reached = levels.filter((level) => away(level) <= 0);
  const best = levels[0] ?? null;
  let sum = 0;
  const enough = levels.find(({ volume }) => (sum = exact(sum + volume)) >= remainingQuantity);
  return {
    best,
    distance: best === null ? null : away(best),
    reached: sumOf(reached),
    mayReachMore: reached.length >= BOOK_DEPTH,
    next: levels[reached.length] ?? null,
    enoughAt: enough?.price ?? null,
  };
}

export function placeOf({ side, price, remainingQuantity, status }: BookOrder, { bids, asks }: Sides): Place {
  const levels = side === "BUY" ? bids : asks;
  const isBetter = (level: Level) => side === "BUY" ? level.price > price : level.price < price;
  const better = levels.filter(isBetter);
  const isBeyond = better.length >= BOOK_DEPTH;
  const before = {
    better: sumOf(better),
    betterOrders: better.reduce((sum, { orderCount }) => sum + orderCount, 0),
    isBeyond,
  };
  const unknown = { ...before, same: null, sameOrders: 0, sameCertain: 0 };
  if (isBeyond) return unknown;
  const own = levels.find((level) => level.price === price);
  if (status === "held") {
    // A held order is not in the book, and is younger than every order that is.
    const [same, sameOrders] = [own?.volume ?? 0, own?.orderCount ?? 0];
    return { ...before, same, sameOrders, sameCertain: same };
  }
  const same = exact((own?.volume ?? 0) - remainingQuantity);
  // Otherwise the book is of another moment than the order.
  return own === undefined || same < 0 ? unknown : { ...before, same, sameOrders: own.orderCount - 1, sameCertain: 0 };
}

function sumOf(levels: readonly Level[]): number {
  return exact(levels.reduce((sum, { volume }) => sum + volume, 0));
}

/** MW without the rounding errors of sums. */
function exact(megawatts: number): number {
  return Math.round(megawatts * 1e6) / 1e6;
}
