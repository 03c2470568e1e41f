// The closed orders that an engine keeps: by user, oldest first.
//
// Cost: O(1) to add and to delete, O(users) to take the oldest.

import { invariant } from "../../market/invariant.ts";
import type { Order } from "./market-state.ts";

export class ClosedOrders {
  /** By user; each oldest first, and none empty. */
  readonly #byUser = new Map<string, Set<Order>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(order: Order): void {
    this.#byUser.getOrInsertComputed(order.userId, () => new Set()).add(order);
    this.#size += 1;
  }

  /** Does nothing if the order is not kept. */
  delete(order: Order): void {
    const orders = this.#byUser.get(order.userId);
    if (orders === undefined || !orders.delete(order)) return;
    if (orders.size === 0) this.#byUser.delete(order.userId);
    this.#size -= 1;
  }

  /** Removes and returns the oldest order of the user who has the most; if users have equally many, of the first of them. */
  takeOldestOfBusiest(): Order {
    let busiest = new Set<Order>();
    for (const orders of this.#byUser.values()) if (orders.size > busiest.size) busiest = orders;
    const [oldest] = busiest;
    invariant(oldest !== undefined, "an order is taken only while any is closed");
    this.delete(oldest);
    return oldest;
  }

  /** User by user, each oldest first. */
  *[Symbol.iterator](): Generator<Order, void, undefined> {
    for (const orders of this.#byUser.values()) yield* orders;
  }
}
