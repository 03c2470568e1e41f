// The book of one contract: its resting orders by price, then by time. It knows quantities and parties, but no entities,
// credit or status, so another implementation can replace it. Arguments and results are numbers, so adding and removing
// millions of orders allocates nothing. An order is identified by its id or, while it rests, by its slot in the book.
//
// Invariants: no level is empty; a level's volume and count are those of its orders; the orders of a level are in the order
// in which they were added. A book may be crossed: the book does not decide who may trade with whom.

import { BUY, SELL, type Side } from "../../protocol/sides.ts";

export { BUY, SELL, type Side };

/** The slot of no order. */
export const NO_SLOT = 0;

export interface BookDepthLevel {
  readonly price: number;
  /** kW. */
  readonly volume: number;
  readonly orderCount: number;
}

export interface OrderBook {
  readonly orderCount: number;
  /**
   * Adds an order behind all others of its side and price. `id`: any safe integer that is not in the book. `price`:
   * cents/MWh, an integer from -2^50 to 2^50. `quantity`: kW, a safe integer above 0. `party`: the owner, a 32-bit
   * integer. `priority`: greater than that of every order that got its place earlier. Throws if the id or the price is
   * invalid, or if the quantity is not above 0.
   */
  add(id: number, side: Side, price: number, quantity: number, party: number, priority: number): void;
  /** False if the order is not in the book. */
  remove(id: number): boolean;
  /** Reduces an order, which keeps its place; at 0 kW it is removed. Throws if it has less, or is not in the book. */
  reduce(id: number, quantity: number): void;
  /** `reduce` by slot. */
  reduceAt(slot: number, quantity: number): void;

  /** NO_SLOT if the order is not in the book. */
  slotOf(id: number): number;
  /** The first order of a side in priority; NO_SLOT if the side is empty. */
  first(side: Side): number;
  /** The next order of the same side in priority; NO_SLOT after the last. */
  next(slot: number): number;
  idOf(slot: number): number;
  sideOf(slot: number): Side;
  priceOf(slot: number): number;
  /** Remaining kW. */
  quantityOf(slot: number): number;
  partyOf(slot: number): number;
  priorityOf(slot: number): number;

  /** Null if the side is empty. */
  bestPrice(side: Side): number | null;
  /** The best levels of a side, best first. */
  depth(side: Side, levels: number): BookDepthLevel[];
}

export function opposite(side: Side): Side {
  return side === BUY ? SELL : BUY;
}

/** Whether an order on `side` limited to `limitPrice` may trade at `price`. */
export function crosses(side: Side, limitPrice: number, price: number): boolean {
  return side === BUY ? price <= limitPrice : price >= limitPrice;
}

/** The slots of a side by priority. While it iterates, the caller may change the other side and the order just yielded. */
export function* slotsOf(book: OrderBook, side: Side): Generator<number, void, undefined> {
  for (let slot = book.first(side); slot !== NO_SLOT;) {
    const next = book.next(slot);
    yield slot;
    slot = next;
  }
}
