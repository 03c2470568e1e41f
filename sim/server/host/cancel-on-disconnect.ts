// The open orders of connections with `cancelOnDisconnect`. A filled or cancelled order is removed at once.

import type { Execution } from "../../engine/api/market-engine.ts";

export class CancelOnDisconnectOrders<Owner> {
  readonly #ownerOf = new Map<string, Owner>();
  readonly #ordersOf = new Map<Owner, Set<string>>();

  add(orderId: string, owner: Owner): void {
    this.#ownerOf.set(orderId, owner);
    this.#ordersOf.getOrInsertComputed(owner, () => new Set()).add(orderId);
  }

  /** Adds the order that a request created, if it created one. The answer to a repeat names an order, but leaves no trace. */
  addCreated({ trace }: Execution, owner: Owner): void {
    if (trace?.kind === "accepted" && trace.createdOrder !== null) this.add(trace.createdOrder, owner);
  }

  /** Oldest first. */
  all(): string[] {
    return [...this.#ownerOf.keys()];
  }

  remove(orderIds: readonly string[]): void {
    for (const orderId of orderIds) {
      const owner = this.#ownerOf.get(orderId);
      if (owner === undefined) continue;
      this.#ownerOf.delete(orderId);
      this.#ordersOf.get(owner)?.delete(orderId);
    }
  }

  /** Removes and returns the open orders of an owner, oldest first. */
  takeOrdersOf(owner: Owner): string[] {
    const orders = [...this.#ordersOf.get(owner) ?? []];
    this.#ordersOf.delete(owner);
    for (const orderId of orders) this.#ownerOf.delete(orderId);
    return orders;
  }
}
