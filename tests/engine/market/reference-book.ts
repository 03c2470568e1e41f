// A slow, obviously right book: each side is one array in priority, and every search starts at its beginning. A slot is the
// running number of an added order, from 1.

import {
  type BookDepthLevel,
  BUY,
  NO_SLOT,
  type OrderBook,
  SELL,
  type Side,
} from "../../../engine/market/order-book.ts";

export interface RestingOrder {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly party: number;
  readonly priority: number;
}

interface Entry extends RestingOrder {
  readonly slot: number;
  quantity: number;
}

export class ReferenceBook implements OrderBook {
  readonly #sides: readonly [Entry[], Entry[]] = [[], []];
  #arrivals = 0;

  get orderCount(): number {
    return this.#sides[BUY].length + this.#sides[SELL].length;
  }

  /** The orders of a side, by priority. */
  orders(side: Side): readonly Entry[] {
    return this.#sides[side];
  }

  add(id: number, side: Side, price: number, quantity: number, party: number, priority: number): void {
    if (this.slotOf(id) !== NO_SLOT || quantity <= 0) throw new Error("cannot add");
    const worse = this.#sides[side].findIndex((entry) => side === BUY ? entry.price < price : entry.price > price);
    const at = worse < 0 ? this.#sides[side].length : worse;
    this.#sides[side].splice(at, 0, { slot: ++this.#arrivals, id, side, price, quantity, party, priority });
  }

  remove(id: number): boolean {
    for (const entries of this.#sides) {
      const at = entries.findIndex((entry) => entry.id === id);
      if (at >= 0) return entries.splice(at, 1).length === 1;
    }
    return false;
  }

  reduce(id: number, quantity: number): void {
    this.reduceAt(this.slotOf(id), quantity);
  }

  reduceAt(slot: number, quantity: number): void {
    const entry = this.#at(slot);
    if (quantity <= 0 || quantity > entry.quantity) throw new Error("cannot reduce");
    entry.quantity -= quantity;
    if (entry.quantity === 0) this.remove(entry.id);
  }

  slotOf(id: number): number {
    return this.#sides.flat().find((entry) => entry.id === id)?.slot ?? NO_SLOT;
  }

  first(side: Side): number {
    return this.#sides[side][0]?.slot ?? NO_SLOT;
  }

  next(slot: number): number {
    const entries = this.#sides[this.sideOf(slot)];
    return entries[entries.findIndex((entry) => entry.slot === slot) + 1]?.slot ?? NO_SLOT;
  }

  idOf(slot: number): number {
    return this.#at(slot).id;
  }

  sideOf(slot: number): Side {
    return this.#at(slot).side;
  }

  priceOf(slot: number): number {
    return this.#at(slot).price;
  }

  quantityOf(slot: number): number {
    return this.#at(slot).quantity;
  }

  partyOf(slot: number): number {
    return this.#at(slot).party;
  }

  priorityOf(slot: number): number {
    return this.#at(slot).priority;
  }

  bestPrice(side: Side): number | null {
    return this.#sides[side][0]?.price ?? null;
  }

  depth(side: Side, levels: number): BookDepthLevel[] {
    const depth = [...Map.groupBy(this.#sides[side], ({ price }) => price)].map(([price, entries]) => ({
      price,
      volume: entries.reduce((sum, { quantity }) => sum + quantity, 0),
      orderCount: entries.length,
    }));
    return depth.slice(0, levels);
  }

  #at(slot: number): Entry {
    const entry = this.#sides.flat().find((entry) => entry.slot === slot);
    if (entry === undefined) throw new Error("no such order");
    return entry;
  }
}

/** The orders on one side of any book, by priority. */
export function ordersOf(book: OrderBook, side: Side): RestingOrder[] {
  const orders: RestingOrder[] = [];
  for (let slot = book.first(side); slot !== NO_SLOT; slot = book.next(slot)) {
    orders.push({
      id: book.idOf(slot),
      side: book.sideOf(slot),
      price: book.priceOf(slot),
      quantity: book.quantityOf(slot),
      party: book.partyOf(slot),
      priority: book.priorityOf(slot),
    });
  }
  return orders;
}

/** The first difference between a book and the reference; null if there is none. */
export function difference(book: OrderBook, reference: ReferenceBook): string | null {
  if (book.orderCount !== reference.orderCount) return `${book.orderCount} orders for ${reference.orderCount}`;
  for (const side of [BUY, SELL] as const) {
    if (book.bestPrice(side) !== reference.bestPrice(side)) return `best price of side ${side}`;
    let slot = book.first(side);
    for (const { id, price, quantity, party, priority } of reference.orders(side)) {
      const same = slot !== NO_SLOT && book.idOf(slot) === id && book.sideOf(slot) === side &&
        book.priceOf(slot) === price && book.quantityOf(slot) === quantity && book.partyOf(slot) === party &&
        book.priorityOf(slot) === priority && book.slotOf(id) === slot;
      if (!same) return `order ${id} of side ${side}`;
      slot = book.next(slot);
    }
    if (slot !== NO_SLOT) return `one order too many on side ${side}`;
    const expected = reference.depth(side, Infinity);
    const depth = book.depth(side, Infinity);
    if (depth.length !== expected.length) return `${depth.length} levels for ${expected.length} on side ${side}`;
    const level = expected.findIndex(({ price, volume, orderCount }, at) =>
      depth[at]?.price !== price || depth[at].volume !== volume || depth[at].orderCount !== orderCount
    );
    if (level >= 0) return `level ${level} of side ${side}`;
  }
  return null;
}
