// Orders by key or by id, in pages of neighbouring keys.
//
// A collection of garbage reads again every object that was written to since the one before. A Map of all orders would be one
// object, so with a million orders each collection would stop the engine for 13 ms; a page takes some microseconds.
//
// Iteration is in the order of the keys if they were added in that order. Keys of orders that were deleted must not be added
// again, except after `clear`. Cost: O(1). Memory: 8 bytes for an order if its neighbours are kept too, at most 1 KB.

import { orderKeyOf } from "./ids.ts";
import type { Order } from "./market-state.ts";

const PAGE_SIZE = 128;

interface Page {
  count: number;
  /** Undefined: no order has this key. */
  readonly orders: (Order | undefined)[];
}

export class OrderTable {
  /** A page is removed with its last order. */
  readonly #pages = new Map<number, Page>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: number): Order | undefined {
    return this.#pages.get(Math.floor(key / PAGE_SIZE))?.orders[key % PAGE_SIZE];
  }

  /** Undefined if `id` is any other text. */
  withId(id: string): Order | undefined {
    return this.get(orderKeyOf(id));
  }

  add(order: Order): void {
    const number = Math.floor(order.key / PAGE_SIZE);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = { count: 0, orders: new Array(PAGE_SIZE).fill(undefined) };
      this.#pages.set(number, page);
    }
    page.orders[order.key % PAGE_SIZE] = order;
    page.count += 1;
    this.#size += 1;
  }

  /** False if no order has this key. */
  delete(key: number): boolean {
    const number = Math.floor(key / PAGE_SIZE);
    const page = this.#pages.get(number);
    if (page?.orders[key % PAGE_SIZE] === undefined) return false;
    page.orders[key % PAGE_SIZE] = undefined;
    page.count -= 1;
    this.#size -= 1;
    if (page.count === 0) this.#pages.delete(number);
    return true;
  }

  clear(): void {
    this.#pages.clear();
    this.#size = 0;
  }

  /** Also gives the orders that are added meanwhile, and none that was deleted before its turn. */
  *[Symbol.iterator](): Generator<Order, void, undefined> {
    for (const { orders } of this.#pages.values()) {
      for (const order of orders) if (order !== undefined) yield order;
    }
  }
}
