// The orders of one persona at the engine: which of the persona's references is which order, and what became of each, as
// the engine's states tell it.
//
// An order is submitted under a clientOrderId that is the persona's mark and its reference, so that it is found again
// whatever became of its confirmation. Fills are reported with the prices of the FILL modules that came with the order;
// of those missed while the connection was down only their mean is known.
//
// Invariant: every kW that the engine says was filled is reported once.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { StateMessage } from "../../protocol/index.ts";
import { kilowatts, moduleChange } from "./module-state.ts";

interface TrackedOrder {
  readonly reference: number;
  orderId: string | null;
  /** kW reported as filled, and their price x kW. */
  filledQuantity: number;
  filledValue: number;
  /** Whether its submission was answered. */
  answered: boolean;
  /** Whether it is filled or cancelled. */
  ended: boolean;
}

/** Whoever is told what becomes of the orders. */
export interface OrderOwner {
  /** cents/MWh and kW. `fill` null: of fills that were missed, all in one, at their mean price. */
  filled(reference: number, price: number, quantity: number, fill: ModuleData<"FILL"> | null): void;
  /** It has ended in another way than by being filled. */
  closed(reference: number): void;
}

export class PersonaOrders {
  readonly #byReference = new Map<number, TrackedOrder>();
  /** By id, each as it was last told, of the frame or snapshot that is being read: it may hold several changes of one. */
  readonly #changed = new Map<string, ModuleData<"ORDER">>();
  readonly #fills: ModuleData<"FILL">[] = [];

  /** `mark`: what the clientOrderIds of the persona's orders begin with. */
  constructor(private readonly owner: OrderOwner, private readonly mark: string) {}

  clientOrderId(reference: number): string {
    return `${this.mark}${reference}`;
  }

  /** Null where the engine has not told it, or the order has ended. */
  orderIdOf(reference: number): string | null {
    const order = this.#byReference.get(reference);
    return order === undefined || order.ended ? null : order.orderId;
  }

  /** Orders that the engine has told of and that are open, as far as it has told. */
  openOrderIds(): string[] {
    return [...this.#byReference.values()].flatMap(({ orderId, ended }) => orderId === null || ended ? [] : [orderId]);
  }

  submitted(reference: number): void {
    this.#byReference.set(reference, {
      reference,
      orderId: null,
      filledQuantity: 0,
      filledValue: 0,
      answered: false,
      ended: false,
    });
  }

  /** The engine took the order, or refused it. */
  answered(reference: number, accepted: boolean): void {
    const order = this.#byReference.get(reference);
    if (order === undefined) return;
    order.answered = true;
    if (!accepted || order.ended) this.#byReference.delete(reference);
  }

  /** Takes note of a state of the frame or snapshot that is being read; `settle` acts on it. */
  note(message: StateMessage): void {
    const change = moduleChange(message);
    if (change === null || change.data === null) return;
    if (change.type === "ORDER" && change.data.clientOrderId.startsWith(this.mark)) {
      this.#changed.set(change.data.id, change.data);
    } else if (change.type === "FILL") this.#fills.push(change.data);
  }

  /** Tells the persona what the states since the last call have brought; gives the ids of the orders that are open. */
  settle(): string[] {
    const fills = this.#fills.splice(0);
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    for (const state of changed) this.#apply(state, fills.filter(({ orderId }) => orderId === state.id));
    return changed.filter(({ closeReason }) => closeReason === null).map(({ id }) => id);
  }

  /** Whether an order was sent that the engine has neither answered nor told of. */
  get hasUnsettled(): boolean {
    return this.#byReference.values().some(({ answered, orderId }) => !answered && orderId === null);
  }

  forgetAll(): void {
    this.#byReference.clear();
  }

  #apply(state: ModuleData<"ORDER">, fills: readonly ModuleData<"FILL">[]): void {
    const order = this.#byReference.get(Number(state.clientOrderId.slice(this.mark.length)));
    if (order === undefined) return;
    order.orderId = state.id;
    this.#reportFills(order, state, fills);
    if (state.closeReason === null || order.ended) return;
    order.ended = true;
    if (state.closeReason !== "filled") this.owner.closed(order.reference);
    if (order.answered) this.#byReference.delete(order.reference);
  }

  #reportFills(order: TrackedOrder, state: ModuleData<"ORDER">, fills: readonly ModuleData<"FILL">[]): void {
    const filled = kilowatts(state.filledQuantity);
    const value = (state.averagePrice ?? 0) * filled;
    const quantity = filled - order.filledQuantity;
    if (quantity <= 0) return;
    const known = fills.map((fill) => ({ price: fill.price, quantity: kilowatts(fill.quantity), fill }));
    const isWhole = known.reduce((sum, part) => sum + part.quantity, 0) === quantity;
    const mean = Math.round((value - order.filledValue) / quantity);
    for (const part of isWhole ? known : [{ price: mean, quantity, fill: null }]) {
      this.owner.filled(order.reference, part.price, part.quantity, part.fill);
    }
    order.filledQuantity = filled;
    order.filledValue = value;
  }
}
