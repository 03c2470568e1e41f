// A persona's working orders: turns wanted quotes into actions, and the market's answers into order states.
//
// Invariants: an order is tracked from its submission until it is filled, closed or refused, and its open quantity
// counts in the exposure all that time. While a change is unanswered, the larger of both quantities counts. There are
// never more orders than the limit.
//
// As at most venues, another price or a larger quantity costs an order its priority, so traders cancel it and send a new one;
// they change an order only to reduce it. Both actions go at once. If limits have no room for both orders, the new one
// waits for the next wake-up.

import { BUY, SELL, type Side } from "../../engine/market/order-book.ts";
import type { Quotes, Writable } from "../strategies/strategy.ts";
import type { ContractTrader, WorkingOrder } from "./contract-trader.ts";
import type { Exposure } from "./exposure.ts";
import type { PersonaAction, PersonaCounts } from "./persona.ts";

export class WorkingOrders {
  readonly #byReference = new Map<number, WorkingOrder>();
  readonly #counts: Writable<PersonaCounts> = { orders: 0, changes: 0, cancels: 0, rejected: 0 };
  #lastReference = 0;

  constructor(readonly limit: number, readonly exposure: Exposure) {}

  get counts(): PersonaCounts {
    return this.#counts;
  }

  get size(): number {
    return this.#byReference.size;
  }

  get(reference: number): WorkingOrder | undefined {
    return this.#byReference.get(reference);
  }

  /**
   * Adds the actions, if any, that bring an order to `price` with at most `quantity` open; 0 means no order. An order
   * already at the price, or as close to it as the terms tolerate, keeps its time priority and is only reduced; with a
   * tolerance, it is replaced if less than half of `quantity` is left. No action of the contract may be unanswered.
   */
  bringInLine(trader: ContractTrader, side: Side, price: number, quantity: number, actions: PersonaAction[]): void {
    const replaced = trader.replacedOn(side);
    const order = trader.orderOn(side);
    // Its cancel was refused, so it is still open.
    if (replaced !== null) actions.push(this.#cancel(replaced));
    else if (order === null) {
      if (quantity > 0 && this.size < this.limit) actions.push(this.#submit(trader, side, price, quantity));
    } else if (quantity === 0) actions.push(this.#cancel(order));
    else if (isOutOfLine(order, price, quantity, trader.terms.tolerance)) {
      actions.push(this.#cancel(order));
      const open = trader.openOn(side) + quantity;
      if (this.size < this.limit && open <= this.exposure.headroom(trader.exposure, side)) {
        actions.push(this.#submit(trader, side, price, quantity));
      }
    } else if (order.quantity - order.filled > quantity) actions.push(this.#reduce(order, order.filled + quantity));
    else order.assignment = trader.terms.assignment;
  }

  /**
   * Adds the actions that bring both orders to the quotes. The order that makes room for the other one goes first, so the
   * persona's own bid and ask never lock or cross.
   */
  bringBothInLine(trader: ContractTrader, quotes: Quotes, actions: PersonaAction[]): void {
    const { bidPrice, bidQuantity, askPrice, askQuantity } = quotes;
    const ask = trader.orderOn(SELL);
    const askFirst = ask !== null && bidQuantity > 0 && bidPrice >= ask.price;
    if (askFirst) this.bringInLine(trader, SELL, askPrice, askQuantity, actions);
    this.bringInLine(trader, BUY, bidPrice, bidQuantity, actions);
    if (!askFirst) this.bringInLine(trader, SELL, askPrice, askQuantity, actions);
  }

  /** Cancels a trader's open orders. */
  withdraw(trader: ContractTrader): PersonaAction[] {
    return trader.orders.map((order) => this.#cancel(order));
  }

  /** Null if the order has ended meanwhile. */
  onAccepted(reference: number): WorkingOrder | null {
    const order = this.#byReference.get(reference);
    if (order === undefined) return null;
    const { pending } = order;
    if (pending === "cancel") return order;
    if (pending === "submit") this.#counts.orders += 1;
    if (pending === "modify") {
      this.#counts.changes += 1;
      order.quantity = order.nextQuantity;
    }
    this.#answered(order);
    return order;
  }

  onRefused(reference: number, kind: PersonaAction["kind"], code: string): WorkingOrder | null {
    this.#counts.rejected += 1;
    const order = this.#byReference.get(reference);
    if (order === undefined) return null;
    if (kind === "submit" || code === "not_found") this.#remove(order);
    else this.#answered(order);
    return order;
  }

  /** Throws if the order is unknown. */
  onFill(reference: number, quantity: number): WorkingOrder {
    const order = this.#byReference.get(reference);
    if (order === undefined) throw new Error(`fill of unknown order ${reference}`);
    const { trader, side, assignment } = order;
    order.filled += quantity;
    if (assignment !== null) assignment.remaining -= quantity;
    this.exposure.fill(trader.exposure, side, quantity, trader.openOn(side));
    this.#removeFilled(order);
    return order;
  }

  onClosed(reference: number): void {
    const order = this.#byReference.get(reference);
    if (order === undefined) return;
    if (order.pending === "cancel") this.#counts.cancels += 1;
    this.#remove(order);
  }

  /** All orders are gone. */
  onDisconnected(): void {
    for (const order of [...this.#byReference.values()]) this.#remove(order);
  }

  #submit(trader: ContractTrader, side: Side, price: number, quantity: number): PersonaAction {
    const reference = ++this.#lastReference;
    const order: WorkingOrder = {
      reference,
      trader,
      side,
      price,
      quantity,
      filled: 0,
      assignment: trader.terms.assignment,
      pending: "submit",
      nextPrice: price,
      nextQuantity: quantity,
    };
    this.#byReference.set(reference, order);
    trader.entityBook.changed(order);
    trader.addOrder(order);
    this.exposure.setOpen(trader.exposure, side, trader.openOn(side));
    return { kind: "submit", reference, contract: trader.contract, side, price, quantity };
  }

  #reduce(order: WorkingOrder, quantity: number): PersonaAction {
    const { reference, trader, price } = order;
    order.pending = "modify";
    order.nextQuantity = quantity;
    order.assignment = trader.terms.assignment;
    return { kind: "modify", reference, price, quantity };
  }

  #cancel(order: WorkingOrder): PersonaAction {
    order.pending = "cancel";
    return { kind: "cancel", reference: order.reference };
  }

  #answered(order: WorkingOrder): void {
    const { trader, side } = order;
    order.pending = null;
    this.exposure.setOpen(trader.exposure, side, trader.openOn(side));
    this.#removeFilled(order);
  }

  /** A filled order is kept until its outstanding answer has come. */
  #removeFilled(order: WorkingOrder): void {
    if (order.pending === null && order.filled >= order.quantity) this.#remove(order);
  }

  #remove(order: WorkingOrder): void {
    const { trader, side, reference } = order;
    this.#byReference.delete(reference);
    trader.entityBook.remove(order);
    trader.removeOrder(order);
    this.exposure.setOpen(trader.exposure, side, trader.openOn(side));
  }
}

function isOutOfLine(
  { price, quantity, filled }: WorkingOrder,
  wanted: number,
  most: number,
  tolerance: number,
): boolean {
  if (tolerance === 0) return price !== wanted;
  return Math.abs(price - wanted) > tolerance || 2 * (quantity - filled) < most;
}
