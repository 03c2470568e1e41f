// A trader who sends orders, cancels and changes over restarts of an engine, and keeps what the engine confirmed.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { type LoadResponse, orderIdOf } from "../../support/load-client.ts";

interface Operation {
  readonly operationId: string;
  readonly action: string;
  readonly payload: { readonly orderId?: string; readonly price?: number; readonly quantity?: number };
}

export class ConfirmedTrader {
  /** Order id in the confirmation, by operation id. */
  readonly confirmed = new Map<string, string>();
  /** The last confirmed change of each order, if nothing was sent for the order after it. */
  readonly changes = new Map<string, Operation>();
  readonly cancelled = new Set<string>();
  readonly #unknown: Operation[] = [];
  readonly #sent = new Map<string, Operation>();
  /** Confirmed orders without a pending change. */
  readonly #free: string[] = [];
  #count = 0;

  constructor(readonly userId: string, readonly contracts: readonly string[], readonly random: SeededRandom) {}

  /** An operation without a response is sent again unchanged, before a new one. */
  next(): Operation {
    const operation = this.#unknown.shift() ?? this.#newOperation();
    this.#sent.set(operation.operationId, operation);
    if (operation.payload.orderId !== undefined) this.changes.delete(operation.payload.orderId);
    return operation;
  }

  settled(operationId: string, response: LoadResponse | null): void {
    const operation = this.#sent.get(operationId);
    if (operation === undefined) throw new Error(`${operationId} was answered twice`);
    this.#sent.delete(operationId);
    if (response === null) this.#unknown.push(operation);
    else if (response.status === "ok") this.#note(operation, response);
  }

  /** The engine has only these orders. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [operationId, id] of this.confirmed) if (!ids.has(id)) this.confirmed.delete(operationId);
    for (const id of this.cancelled) if (!ids.has(id)) this.cancelled.delete(id);
  }

  #newOperation(): Operation {
    const { random } = this;
    const operationId = `${this.userId}-${++this.#count}`;
    const price = 5000 + random.integer(-20, 20) * 5;
    const quantity = random.integer(1, 10) * 5;
    const orderId = random.next() < 0.4 ? this.#free.shift() : undefined;
    if (orderId === undefined) {
      const contractId = this.contracts[random.integer(0, this.contracts.length - 1)];
      const terms = { contractId, side: random.integer(0, 1), price, quantity, timeInForce: "gtc" };
      return { operationId, action: "order.submit", payload: terms };
    }
    if (random.next() < 0.5) return { operationId, action: "order.cancel", payload: { orderId } };
    return { operationId, action: "order.modify", payload: { orderId, price, quantity } };
  }

  #note(operation: Operation, response: LoadResponse): void {
    const { operationId, action, payload: { orderId } } = operation;
    if (action === "order.submit") {
      const id = orderIdOf(response);
      const known = this.confirmed.get(operationId);
      if (known !== undefined && known !== id) throw new Error(`${operationId} made ${known} and ${id}`);
      this.confirmed.set(operationId, id);
      this.#free.push(id);
    } else if (orderId !== undefined && action === "order.cancel") this.cancelled.add(orderId);
    else if (orderId !== undefined) {
      this.changes.set(orderId, operation);
      this.#free.push(orderId);
    }
  }
}
