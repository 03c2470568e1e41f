// The open orders of connections that asked for `cancelOnDisconnect`. An order is forgotten as soon as it is filled or
// cancelled, so what is held here is what is open.

import type { StateMessage } from "../../../protocol/index.ts";
import type { EngineRequest, Execution } from "../../engine/api/market-engine.ts";

const ORDER_PATH = "/ORDER/";
const CLOSED: ReadonlySet<unknown> = new Set(["filled", "cancelled"]);

export class CancelOnDisconnectOrders<Owner> {
  readonly #ownerOf = new Map<string, Owner>();
  readonly #ordersOf = new Map<Owner, Set<string>>();

  watch(orderId: string, owner: Owner): void {
    this.#ownerOf.set(orderId, owner);
    const orders = this.#ordersOf.get(owner);
    if (orders === undefined) this.#ordersOf.set(owner, new Set([orderId]));
    else orders.add(orderId);
  }

  /** Forgets the orders that are no longer open. */
  apply(states: readonly StateMessage[]): void {
    if (this.#ownerOf.size === 0) return;
    for (const { statePath, state } of states) {
      if (!statePath.startsWith(ORDER_PATH) || (state !== null && !CLOSED.has(state.status))) continue;
      this.forget([statePath.slice(ORDER_PATH.length)]);
    }
  }

  /** Every order that is watched, the oldest first. */
  all(): string[] {
    return [...this.#ownerOf.keys()];
  }

  forget(orderIds: readonly string[]): void {
    for (const orderId of orderIds) {
      const owner = this.#ownerOf.get(orderId);
      if (owner === undefined) continue;
      this.#ownerOf.delete(orderId);
      this.#ordersOf.get(owner)?.delete(orderId);
    }
  }

  /** The open orders of an owner that has gone, oldest first; they are watched no longer. */
  release(owner: Owner): string[] {
    const orders = [...this.#ordersOf.get(owner) ?? []];
    this.#ordersOf.delete(owner);
    for (const orderId of orders) this.#ownerOf.delete(orderId);
    return orders;
  }
}

/** The order that a request has made; null where it made none. The answer to a repeat carries no state of one. */
export function orderMadeBy(request: EngineRequest, execution: Execution): string | null {
  if (request.action !== "order.submit" || execution.response?.status !== "ok") return null;
  const order = execution.response.result?.order;
  const orderId = typeof order === "object" && order !== null && "id" in order ? order.id : undefined;
  if (typeof orderId !== "string") return null;
  return execution.states.some(({ statePath }) => statePath === `${ORDER_PATH}${orderId}`) ? orderId : null;
}
