// A book that is right beyond doubt and slow: one array, sorted whenever it is read.

import { type BookDepthLevel, type BookOrder, BUY, type OrderBook, type Side } from "../../../sim/market/order-book.ts";

type Entry = { -readonly [Name in keyof BookOrder]: BookOrder[Name] } & { added: number };

export class ReferenceBook implements OrderBook {
  #entries: Entry[] = [];
  #added = 0;

  get orderCount(): number {
    return this.#entries.length;
  }

  add(order: BookOrder): void {
    if (this.get(order.id) !== undefined) throw new Error("twice");
    this.#entries.push({ ...order, added: this.#added++ });
  }

  remove(id: number): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.id !== id);
    return this.#entries.length < before;
  }

  reduce(id: number, quantity: number): void {
    const entry = this.#entries.find((entry) => entry.id === id);
    if (entry === undefined || quantity <= 0 || quantity > entry.quantity) throw new Error("cannot reduce");
    entry.quantity -= quantity;
    if (entry.quantity === 0) this.remove(id);
  }

  get(id: number): BookOrder | undefined {
    return this.orders().find((order) => order.id === id);
  }

  bestPrice(side: Side): number | null {
    return this.orders(side)[0]?.price ?? null;
  }

  depth(side: Side, levels: number): BookDepthLevel[] {
    const prices = [...new Set(this.orders(side).map(({ price }) => price))].slice(0, levels);
    return prices.map((price) => {
      const orders = this.orders(side).filter((order) => order.price === price);
      const volume = orders.reduce((sum, { quantity }) => sum + quantity, 0);
      return { price, volume, orderCount: orders.length };
    });
  }

  orders(side?: Side): BookOrder[] {
    return this.#entries.filter((entry) => side === undefined || entry.side === side)
      .toSorted((a, b) => (a.side === BUY ? b.price - a.price : a.price - b.price) || a.added - b.added)
      .map(({ added: _, ...order }) => order);
  }
}
