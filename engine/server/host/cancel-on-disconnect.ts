// The open orders of connections with `cancelOnDisconnect`. A filled or cancelled order is removed at once.

import type { Execution } from "../../api/market-engine.ts";
import { orderIdOf } from "../../state/ids.ts";

export class CancelOnDisconnectOrders<Owner> {
  /** By the order's number. */
  readonly #ownerOf = new Map<number, Owner>();
  readonly #ordersOf = new Map<Owner, Set<number>>();

  add(order: number, owner: Owner): void {
    this.#ownerOf.set(order, owner);
    this.#ordersOf.getOrInsertComputed(owner, () => new Set()).add(order);
  }

  /** Adds the order that a request created, if it created one. The answer to a repeat names an order, but leaves no trace. */
  addCreated({ trace }: Execution, owner: Owner): void {
    if (trace?.kind === "accepted" && trace.createdOrder !== null) this.add(trace.createdOrder, owner);
  }

  /** Their ids, oldest first. */
  all(): string[] {
    return [...this.#ownerOf.keys()].map(orderIdOf);
  }

  remove(orders: readonly number[]): void {
    if (this.#ownerOf.size === 0) return;
    for (const order of orders) {
      const owner = this.#ownerOf.get(order);
      if (owner === undefined) continue;
      this.#ownerOf.delete(order);
      this.#ordersOf.get(owner)?.delete(order);
    }
  }

  /** Removes the open orders of an owner, and returns their ids, oldest first. */
  takeOrdersOf(owner: Owner): string[] {
    const orders = [...this.#ordersOf.get(owner) ?? []];
    this.#ordersOf.delete(owner);
    for (const order of orders) this.#ownerOf.delete(order);
    return orders.map(orderIdOf);
  }
}
