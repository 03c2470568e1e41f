// The orders of one persona at the engine: maps the persona's references to orders, and reports its fills and its end,
// derived from the engine's state messages.
//
// The clientOrderId of an order is the persona's id prefix and the reference, so the order is recognised even if its
// submission was never confirmed. Fills are reported with the prices of the FILL modules that came with the order. Of fills
// that were missed while the connection was down only the mean price is known.
//
// Invariant: every kW that the engine reports as filled is reported once.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { StateMessage } from "../../protocol/index.ts";
import { kilowatts, moduleChange } from "./module-state.ts";

interface TrackedOrder {
  readonly reference: number;
  orderId: string | null;
  /** kW reported as filled, and their price x kW. */
  filledQuantity: number;
  filledValue: number;
  /** Whether the engine has responded to its submission. */
  answered: boolean;
  /** Whether it is filled or cancelled. */
  ended: boolean;
}

/** Receives the fills and the ends of the orders. */
interface OrderOwner {
  /** Price in cents/MWh, quantity in kW. `fill` null: the sum of missed fills, at their mean price. */
  filled(reference: number, price: number, quantity: number, fill: ModuleData<"FILL"> | null): void;
  /** The order has ended without being filled. */
  closed(reference: number): void;
}

export class PersonaOrders {
  readonly #byReference = new Map<number, TrackedOrder>();
  /** By id: the last state of each order in the current frame or snapshot, which may change one order several times. */
  readonly #changed = new Map<string, ModuleData<"ORDER">>();
  /** By id: the fills of the current frame or snapshot. */
  readonly #fills = new Map<string, ModuleData<"FILL">>();

  /** `idPrefix`: what the clientOrderIds of the persona's orders begin with. */
  constructor(private readonly owner: OrderOwner, private readonly idPrefix: string) {}

  clientOrderId(reference: number): string {
    return `${this.idPrefix}${reference}`;
  }

  /** Null if the order id is not known yet, or the order has ended. */
  orderIdOf(reference: number): string | null {
    const order = this.#byReference.get(reference);
    return order === undefined || order.ended ? null : order.orderId;
  }

  /** Orders with a known id that are open according to the last state. */
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

  /** The engine has accepted or refused the order. */
  answered(reference: number, accepted: boolean): void {
    const order = this.#byReference.get(reference);
    if (order === undefined) return;
    order.answered = true;
    if (!accepted || order.ended) this.#byReference.delete(reference);
  }

  /** Remembers a state of the current frame or snapshot; `settle` acts on it. */
  note(message: StateMessage): void {
    const change = moduleChange(message);
    if (change === null || change.data === null) return;
    if (change.type === "ORDER" && change.data.clientOrderId.startsWith(this.idPrefix)) {
      this.#changed.set(change.data.id, change.data);
    } else if (change.type === "FILL") this.#fills.set(change.data.id, change.data);
  }

  /** Reports the changes since the last call to the persona. Returns the ids of the changed orders that are open. */
  settle(): string[] {
    const fills = [...this.#fills.values()];
    this.#fills.clear();
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    for (const state of changed) this.#apply(state, fills.filter(({ orderId }) => orderId === state.id));
    return changed.filter(({ closeReason }) => closeReason === null).map(({ id }) => id);
  }

  /** Whether the engine has neither responded to an order nor sent its state. */
  get hasUnsettled(): boolean {
    return this.#byReference.values().some(({ answered, orderId }) => !answered && orderId === null);
  }

  forgetAll(): void {
    this.#byReference.clear();
  }

  #apply(state: ModuleData<"ORDER">, fills: readonly ModuleData<"FILL">[]): void {
    const order = this.#byReference.get(Number(state.clientOrderId.slice(this.idPrefix.length)));
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
