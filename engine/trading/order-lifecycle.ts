// The life of an order: accepted, held, released, changed, matched, closed.
//
// An order that arrives while its market is open is matched, and its remaining quantity rests in the book. Otherwise it is
// held. Events come in causal order:
//   - new.order, or release.order of a held order, with the order as it was then; then hold.order, if it is held;
//   - for each trade: new.trade, new.fill of the resting order, new.fill of the aggressor, change.order of the resting order;
//   - one change.order of the aggressor, as all trades have left it;
//   - one cancel.order or expire.order for a closed order, and no change.order.
// An order whose release would exceed its bound has cancel.order after its release.order.

import type { CloseReason } from "../../protocol/modules/registry.ts";
import type { ExactInteger } from "../market/exact-integer.ts";
import { invariant } from "../market/invariant.ts";
import { megawattsOf } from "../market/units.ts";
import { isMatching, Order, type OrderTerms, restInBook } from "../state/market-state.ts";
import type { OrderDetails } from "../transaction/recorder.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { exceedsBound } from "./order-bounds.ts";
import { matchOrder } from "./order-matching.ts";

type NotFilled = Exclude<CloseReason, "filled">;

/** Accepts a new order, then matches or holds it. */
export function acceptOrder(transaction: Transaction, terms: OrderTerms): Order {
  const { state } = transaction;
  const order = new Order(
    ++state.counters.order,
    terms,
    isMatching(terms.contract) ? "working" : "held",
    transaction.now,
  );
  state.orders.add(order);
  state.openOrders.add(order);
  transaction.orderChanged(order);
  transaction.publishOrder("new.order", order);
  transaction.recordOrder("orderQueued", order, {
    clientOrderId: order.clientOrderId,
    timeInForce: order.timeInForce,
  });
  if (order.status === "held") hold(transaction, order);
  else enterBook(transaction, order);
  return order;
}

/** Gives an order new terms and a new time priority: it counts as arriving now. */
export function replaceOrder(
  transaction: Transaction,
  order: Order,
  price: number,
  quantity: number,
  maxNotional: ExactInteger | null,
): void {
  const previous = previousTermsOf(order);
  leave(transaction, order);
  transaction.state.openOrders.changeTerms(order, price, quantity);
  order.maxNotional = maxNotional;
  const wasHeld = order.status === "held";
  const matches = isMatching(order.contract);
  order.status = matches ? workingStatusOf(order) : "held";
  transaction.orderChanged(order);
  transaction.publishOrder("change.order", order);
  transaction.recordOrder("orderModified", order, previous);
  if (matches) enterBook(transaction, order);
  else if (wasHeld) enqueue(transaction, order);
  else hold(transaction, order);
}

/** Lowers the quantity of an order. The order keeps its time priority. */
export function reduceOrder(transaction: Transaction, order: Order, quantity: number): void {
  const previous = previousTermsOf(order);
  const { contract } = order;
  if (order.status !== "held") {
    contract.book.reduce(order.key, order.quantity - quantity);
    transaction.bookChanged(contract);
  }
  transaction.state.openOrders.changeTerms(order, order.price, quantity);
  transaction.orderChanged(order);
  transaction.publishOrder("change.order", order);
  transaction.recordOrder("orderModified", order, previous);
}

/** Closes an open order. */
export function closeOrder(transaction: Transaction, order: Order, closeReason: NotFilled): void {
  leave(transaction, order);
  close(transaction, order, closeReason);
}

/** Closes an open order that is neither in the book nor held. */
function close(transaction: Transaction, order: Order, closeReason: NotFilled): void {
  order.status = "cancelled";
  order.closeReason = closeReason;
  transaction.state.openOrders.remove(order);
  transaction.state.closedOrders.add(order);
  transaction.orderClosed(order);
  transaction.orderChanged(order);
  const expired = closeReason === "expired";
  transaction.publishOrder(expired ? "expire.order" : "cancel.order", order);
  transaction.recordOrder(expired ? "orderExpired" : "orderCancelled", order, { closeReason });
}

/** Matches a held order, and puts its remaining quantity into the book. */
export function releaseOrder(transaction: Transaction, order: Order): void {
  leave(transaction, order);
  order.status = workingStatusOf(order);
  transaction.orderChanged(order);
  transaction.publishOrder("release.order", order);
  transaction.recordOrder("orderReleased", order, {});
  if (exceedsBound(order, order.contract.book)) close(transaction, order, "limit_exceeded");
  else enterBook(transaction, order);
}

/** The terms before a change, for the audit trail: cents/MWh and MW. */
function previousTermsOf({ price, quantity }: Order): OrderDetails {
  return { previousPrice: price, previousQuantity: megawattsOf(quantity) };
}

function workingStatusOf(order: Order): "working" | "partial" {
  return order.filledQuantity > 0 ? "partial" : "working";
}

function hold(transaction: Transaction, order: Order): void {
  enqueue(transaction, order);
  transaction.publishOrder("hold.order", order);
  transaction.recordOrder("orderHeld", order, {});
}

function enqueue(transaction: Transaction, order: Order): void {
  order.priority = ++transaction.state.counters.priority;
  order.contract.heldOrders.set(order.key, order);
  transaction.queueChanged(order.contract);
}

/** Removes an open order from the held orders or the book, whichever has it. */
function leave(transaction: Transaction, order: Order): void {
  const { contract, key } = order;
  const wasHeld = contract.heldOrders.delete(key);
  const rested = contract.book.remove(key);
  invariant(wasHeld !== rested, "an open order is held or in its book");
  if (wasHeld) transaction.queueChanged(contract);
  else transaction.bookChanged(contract);
}

function enterBook(transaction: Transaction, order: Order): void {
  order.priority = ++transaction.state.counters.priority;
  const remaining = matchOrder(transaction, order);
  if (remaining > 0) restInBook(order);
  transaction.bookChanged(order.contract);
}
