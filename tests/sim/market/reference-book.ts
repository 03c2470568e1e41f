// A book that is right beyond doubt and slow: one array in the order of arrival, searched and sorted whenever it is read.
// A slot is the number of an arrival, from 1.

import { type BookDepthLevel, BUY, NO_SLOT, type OrderBook, SELL, type Side } from "../../../sim/market/order-book.ts";

interface Entry {
  readonly slot: number;
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  readonly party: number;
  readonly priority: number;
  quantity: number;
}

export class ReferenceBook implements OrderBook {
  #entries: Entry[] = [];
  #arrivals = 0;

  get orderCount(): number {
    return this.#entries.length;
  }

  add(id: number, side: Side, price: number, quantity: number, party: number, priority: number): void {
    if (this.slotOf(id) !== NO_SLOT || quantity <= 0) throw new Error("cannot add");
    this.#entries.push({ slot: ++this.#arrivals, id, side, price, quantity, party, priority });
  }

  remove(id: number): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.id !== id);
    return this.#entries.length < before;
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
    return this.#entries.find((entry) => entry.id === id)?.slot ?? NO_SLOT;
  }

  first(side: Side): number {
    return this.#sorted(side)[0]?.slot ?? NO_SLOT;
  }

  next(slot: number): number {
    const entries = this.#sorted(this.sideOf(slot));
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
    return this.#sorted(side)[0]?.price ?? null;
  }

  depth(side: Side, levels: number): BookDepthLevel[] {
    const prices = [...new Set(this.#sorted(side).map(({ price }) => price))].slice(0, levels);
    return prices.map((price) => {
      const orders = this.#entries.filter((entry) => entry.side === side && entry.price === price);
      const volume = orders.reduce((sum, { quantity }) => sum + quantity, 0);
      return { price, volume, orderCount: orders.length };
    });
  }

  /** By price, best first, then by arrival. */
  #sorted(side: Side): Entry[] {
    const direction = side === SELL ? 1 : -1;
    return this.#entries.filter((entry) => entry.side === side)
      .sort((a, b) => direction * (a.price - b.price) || a.slot - b.slot);
  }

  #at(slot: number): Entry {
    const entry = this.#entries.find((entry) => entry.slot === slot);
    if (entry === undefined) throw new Error("no such order");
    return entry;
  }
}

export interface RestingOrder {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly party: number;
  readonly priority: number;
}

/** A side of any book as it stands, by priority. */
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

/** All that a book holds. */
export function stateOf(book: OrderBook) {
  return [BUY, SELL].map((side) => ({
    orders: ordersOf(book, side),
    depth: book.depth(side, Infinity),
    bestPrice: book.bestPrice(side),
  }));
}
