// The book of one contract: the orders that rest, by price and then by time. It knows quantities and parties, nothing
// of entities, credit or status, so that another implementation can take its place. It speaks in numbers alone, so that
// nothing need be allocated where orders come and go by the million: an order is named by its id, or, as long as it
// rests, by the slot that the book keeps it in.
//
// Invariants: no level without orders; a level's volume and count are those of its orders; within a level the orders
// stand in the order in which they were added. A book may be crossed: who may trade with whom is not its business.

/** 0 buy, 1 sell. */
export type Side = 0 | 1;
export const BUY: Side = 0;
export const SELL: Side = 1;

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
   * Puts an order behind all others of its side and price. `id`: any safe integer that is not in the book. `price`:
   * cents/MWh, any integer of up to 2^50 either way. `quantity`: kW, a safe integer above 0. `party`: whose it is, an
   * integer of 32 bits. `priority`: grows with the time from which the order counts. Throws where the id or the price is
   * not so, or the quantity not above 0.
   */
  add(id: number, side: Side, price: number, quantity: number, party: number, priority: number): void;
  /** False where no such order rests. */
  remove(id: number): boolean;
  /** Takes from an order's quantity, which keeps its place; at 0 it leaves. Throws where there is less, or no order. */
  reduce(id: number, quantity: number): void;
  /** `reduce` for an order whose slot is known. */
  reduceAt(slot: number, quantity: number): void;

  /** NO_SLOT where no such order rests. */
  slotOf(id: number): number;
  /** The order of a side that is first in priority; NO_SLOT where the side is empty. */
  first(side: Side): number;
  /** The order that follows in priority on the same side, of the same price or the next worse; NO_SLOT after the last. */
  next(slot: number): number;
  idOf(slot: number): number;
  sideOf(slot: number): Side;
  priceOf(slot: number): number;
  /** What is left of it, in kW. */
  quantityOf(slot: number): number;
  partyOf(slot: number): number;
  priorityOf(slot: number): number;

  /** Null where the side is empty. */
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

/** The slots of a side by priority. Between two of them the caller may change the other side, or the order it was given. */
export function* slotsOf(book: OrderBook, side: Side): Generator<number, void, undefined> {
  for (let slot = book.first(side); slot !== NO_SLOT;) {
    const next = book.next(slot);
    yield slot;
    slot = next;
  }
}
