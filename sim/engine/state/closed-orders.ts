// The closed orders that an engine keeps, by user, each user's in the order in which they were closed.
//
// Cost: O(1) to add, O(users) to take one out.

import type { Order } from "./engine-state.ts";

export class ClosedOrders {
  /** By user; each oldest first. */
  readonly #byUser = new Map<string, Set<Order>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(order: Order): void {
    let orders = this.#byUser.get(order.userId);
    if (orders === undefined) this.#byUser.set(order.userId, orders = new Set());
    orders.add(order);
    this.#size += 1;
  }

  /** Does nothing for an order that is not kept. */
  delete(order: Order): void {
    const orders = this.#byUser.get(order.userId);
    if (orders === undefined || !orders.delete(order)) return;
    if (orders.size === 0) this.#byUser.delete(order.userId);
    this.#size -= 1;
  }

  /** Among users with equally many the one whose order was closed first. */
  takeOldestOfBusiest(): Order {
    let busiest: Set<Order> = new Set();
    for (const orders of this.#byUser.values()) if (orders.size > busiest.size) busiest = orders;
    const [oldest] = busiest;
    if (oldest === undefined) throw new Error("no order is closed");
    busiest.delete(oldest);
    if (busiest.size === 0) this.#byUser.delete(oldest.userId);
    this.#size -= 1;
    return oldest;
  }

  clear(): void {
    this.#byUser.clear();
    this.#size = 0;
  }

  /** User by user, each oldest first. */
  *[Symbol.iterator](): Generator<Order, void, undefined> {
    for (const orders of this.#byUser.values()) yield* orders;
  }
}
