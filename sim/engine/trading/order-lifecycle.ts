// What happens to orders once a command is found good: they are accepted, held, released, traded, and closed.
//
// An order that arrives while its market is open is matched, and what is left rests in the book; otherwise it is held.
// Events come in causal order: new.order (or release.order) with the order as it stood then; for each trade new.trade,
// new.fill of the resting order, new.fill of the aggressor, change.order of the resting order; then one change.order of
// the aggressor as the trades have left it. A held order has hold.order after its new.order. A closed order has one
// cancel.order or expire.order, and no change.order. An order that would pass its bound when it is released has cancel.order
// after its release.order.

import type { CloseReason } from "../../../protocol/modules/registry.ts";
import { invariant } from "../../market/invariant.ts";
import { BUY, SELL, slotsOf } from "../../market/order-book.ts";
import { recordOrder } from "../transaction/order-audit.ts";
import {
  type ContractState,
  type EntityState,
  isMatching,
  type MarketState,
  type Order,
  required,
} from "../state/engine-state.ts";
import { changeTerms, noteClosed, noteOpened } from "../state/open-orders.ts";
import { passesBound } from "./order-bounds.ts";
import { orderModule } from "../modules/snapshot.ts";
import { matchCrossedOrders, matchOrder, restInBook } from "./matching.ts";
import type { Transaction } from "../transaction/transaction.ts";

export type Submission = Pick<
  Order,
  "clientOrderId" | "contract" | "entity" | "userId" | "side" | "price" | "quantity" | "timeInForce" | "maxNotional"
>;

/** Terms before a change, for the audit trail: cents/MWh and MW. */
interface Previous {
  readonly previousPrice: number;
  readonly previousQuantity: number;
}

/** Takes in a new order, and matches or holds it. */
export function acceptOrder(transaction: Transaction, submission: Submission): Order {
  const { state } = transaction;
  const key = ++state.counters.order;
  const order: Order = {
    ...submission,
    key,
    id: `ORD-${key}`,
    createdAt: transaction.now,
    filledQuantity: 0,
    filledValue: 0n,
    filledNotional: 0n,
    fillIds: [],
    priority: 0,
    status: isMatching(submission.contract) ? "working" : "held",
    closeReason: null,
    updatedAt: transaction.now,
  };
  state.orders.set(order.id, order);
  noteOpened(state, order);
  transaction.orderChanged(order);
  transaction.publish("new.order", orderModule(order));
  recordOrder(transaction, "orderQueued", order, {
    clientOrderId: order.clientOrderId,
    timeInForce: order.timeInForce,
  });
  if (order.status === "held") hold(transaction, order);
  else enterBook(transaction, order);
  return order;
}

/** Gives an order new terms that cost it its place: it counts as arriving now. */
export function requeueOrder(
  transaction: Transaction,
  order: Order,
  { price, quantity, maxNotional }: Pick<Order, "price" | "quantity" | "maxNotional">,
  previous: Previous,
): void {
  leave(transaction, order);
  changeTerms(transaction.state, order, price, quantity);
  order.maxNotional = maxNotional;
  const wasHeld = order.status === "held";
  const matches = isMatching(order.contract);
  order.status = matches ? workingStatusOf(order) : "held";
  transaction.orderChanged(order);
  transaction.publish("change.order", orderModule(order));
  recordOrder(transaction, "orderModified", order, { ...previous });
  if (matches) enterBook(transaction, order);
  else if (wasHeld) joinQueue(transaction, order);
  else hold(transaction, order);
}

/** Lowers an order's quantity, which keeps its place. */
export function shrinkOrder(transaction: Transaction, order: Order, quantity: number, previous: Previous): void {
  const { contract } = order;
  if (order.status !== "held") {
    contract.book.reduce(order.key, order.quantity - quantity);
    transaction.bookChanged(contract);
  }
  changeTerms(transaction.state, order, order.price, quantity);
  transaction.orderChanged(order);
  transaction.publish("change.order", orderModule(order));
  recordOrder(transaction, "orderModified", order, { ...previous });
}

/** Closes an open order, wherever it waits. */
export function closeOrder(transaction: Transaction, order: Order, closeReason: Exclude<CloseReason, "filled">): void {
  leave(transaction, order);
  close(transaction, order, closeReason);
}

/** Closes an open order that waits nowhere. */
function close(transaction: Transaction, order: Order, closeReason: Exclude<CloseReason, "filled">): void {
  order.status = "cancelled";
  order.closeReason = closeReason;
  noteClosed(transaction.state, order);
  transaction.orderChanged(order);
  const expired = closeReason === "expired";
  transaction.publish(expired ? "expire.order" : "cancel.order", orderModule(order));
  recordOrder(transaction, expired ? "orderExpired" : "orderCancelled", order, { closeReason });
}

/** The open orders of a contract, in the order of their acceptance. */
export function openOrdersOf(transaction: Transaction, contract: ContractState): Order[] {
  const { openOrders } = transaction.state;
  const { book } = contract;
  const resting = [...slotsOf(book, BUY), ...slotsOf(book, SELL)]
    .map((slot) => required(openOrders.get(book.idOf(slot)), "resting order"));
  return [...resting, ...contract.heldOrders.values()].sort((a, b) => a.key - b.key);
}

/**
 * Begins matching in a market that has just become open: first what rests and may trade by now, contract after contract,
 * then the held orders, in the order in which they came.
 */
export function beginMatching(transaction: Transaction, market: MarketState): void {
  matchResting(transaction, market.contracts, null);
  const heldOrders = market.contracts.flatMap((contract) => [...contract.heldOrders.values()]);
  for (const order of heldOrders.sort((a, b) => a.priority - b.priority)) release(transaction, order);
}

/** Matches what rests crossed and may trade by now. `concerned`: between whom anything has changed; null: anyone. */
export function matchResting(
  transaction: Transaction,
  contracts: Iterable<ContractState>,
  concerned: ReadonlySet<EntityState> | null,
): void {
  const parties = concerned === null ? null : new Set([...concerned].map(({ party }) => party));
  for (const contract of contracts) {
    if (isMatching(contract)) {
      matchCrossedOrders(transaction, contract, parties, (order, older) => {
        const isClosed = passesBound(transaction.state, order, older);
        if (isClosed) closeOrder(transaction, order, "limit_exceeded");
        return isClosed;
      });
    }
  }
}

function workingStatusOf(order: Order): "working" | "partial" {
  return order.filledQuantity > 0 ? "partial" : "working";
}

function hold(transaction: Transaction, order: Order): void {
  joinQueue(transaction, order);
  transaction.publish("hold.order", orderModule(order));
  recordOrder(transaction, "orderHeld", order, {});
}

function joinQueue(transaction: Transaction, order: Order): void {
  order.priority = ++transaction.state.counters.priority;
  order.contract.heldOrders.set(order.key, order);
  transaction.queueChanged(order.contract);
}

function release(transaction: Transaction, order: Order): void {
  leave(transaction, order);
  order.status = workingStatusOf(order);
  transaction.orderChanged(order);
  transaction.publish("release.order", orderModule(order));
  recordOrder(transaction, "orderReleased", order, {});
  if (passesBound(transaction.state, order, order.contract.book)) close(transaction, order, "limit_exceeded");
  else enterBook(transaction, order);
}

/** Takes an open order out of the one place in which it waits. */
function leave(transaction: Transaction, order: Order): void {
  const { contract, key } = order;
  const wasHeld = contract.heldOrders.delete(key);
  const rested = contract.book.remove(key);
  invariant(wasHeld !== rested, "an open order waits in its queue or in its book");
  if (wasHeld) transaction.queueChanged(contract);
  else transaction.bookChanged(contract);
}

function enterBook(transaction: Transaction, order: Order): void {
  order.priority = ++transaction.state.counters.priority;
  const remaining = matchOrder(transaction, order);
  if (remaining > 0) restInBook(order);
  transaction.bookChanged(order.contract);
}
