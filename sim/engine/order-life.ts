// What happens to orders once a command is found good: they are accepted, held, released, traded, and closed.
//
// An order that arrives while its market is open is matched, and what is left rests in the book; otherwise it is held.
// Events come in causal order: new.order (or release.order) with the order as it stood then; for each trade new.trade,
// new.fill of the resting order, new.fill of the aggressor, change.order of the resting order; then one change.order of
// the aggressor as the trades have left it. A held order has hold.order after its new.order. A closed order has one
// cancel.order or expire.order, and no change.order. An order that would pass its bound when it is released has cancel.order
// after its release.order.

import type { CloseReason } from "../../protocol/modules/registry.ts";
import { invariant } from "../market/invariant.ts";
import { BUY, SELL, slotsOf } from "../market/order-book.ts";
import { recordOrder } from "./audit-trail.ts";
import {
  type ContractState,
  type EntityState,
  isMatching,
  type MarketState,
  type Order,
  required,
} from "./engine-state.ts";
import { changeTerms, noteClosed, noteOpened } from "./exposure.ts";
import { passesBound } from "./order-bounds.ts";
import { orderModule } from "./projections.ts";
import { matchCrossedOrders, matchOrder, restInBook } from "./trading.ts";
import type { Turn } from "./transaction.ts";

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
export function acceptOrder(turn: Turn, submission: Submission): Order {
  const { state } = turn;
  const key = ++state.counters.order;
  const order: Order = {
    ...submission,
    key,
    id: `ORD-${key}`,
    createdAt: turn.now,
    filledQuantity: 0,
    filledValue: 0n,
    filledNotional: 0n,
    fillIds: [],
    priority: 0,
    status: isMatching(submission.contract) ? "working" : "held",
    closeReason: null,
    updatedAt: turn.now,
  };
  state.orders.set(order.id, order);
  noteOpened(state, order);
  turn.orderChanged(order);
  turn.publish("new.order", orderModule(order));
  recordOrder(turn, "orderQueued", order, { clientOrderId: order.clientOrderId, timeInForce: order.timeInForce });
  if (order.status === "held") hold(turn, order);
  else enterBook(turn, order);
  return order;
}

/** Gives an order new terms that cost it its place: it counts as arriving now. */
export function requeueOrder(
  turn: Turn,
  order: Order,
  { price, quantity, maxNotional }: Pick<Order, "price" | "quantity" | "maxNotional">,
  previous: Previous,
): void {
  leave(turn, order);
  changeTerms(turn.state, order, price, quantity);
  order.maxNotional = maxNotional;
  const wasHeld = order.status === "held";
  const matches = isMatching(order.contract);
  order.status = matches ? workingStatusOf(order) : "held";
  turn.orderChanged(order);
  turn.publish("change.order", orderModule(order));
  recordOrder(turn, "orderModified", order, { ...previous });
  if (matches) enterBook(turn, order);
  else if (wasHeld) joinQueue(turn, order);
  else hold(turn, order);
}

/** Lowers an order's quantity, which keeps its place. */
export function shrinkOrder(turn: Turn, order: Order, quantity: number, previous: Previous): void {
  const { contract } = order;
  if (order.status !== "held") {
    contract.book.reduce(order.key, order.quantity - quantity);
    turn.bookChanged(contract);
  }
  changeTerms(turn.state, order, order.price, quantity);
  turn.orderChanged(order);
  turn.publish("change.order", orderModule(order));
  recordOrder(turn, "orderModified", order, { ...previous });
}

/** Closes an open order, wherever it waits. */
export function closeOrder(turn: Turn, order: Order, closeReason: Exclude<CloseReason, "filled">): void {
  leave(turn, order);
  close(turn, order, closeReason);
}

/** Closes an open order that waits nowhere. */
function close(turn: Turn, order: Order, closeReason: Exclude<CloseReason, "filled">): void {
  order.status = "cancelled";
  order.closeReason = closeReason;
  noteClosed(turn.state, order);
  turn.orderChanged(order);
  const expired = closeReason === "expired";
  turn.publish(expired ? "expire.order" : "cancel.order", orderModule(order));
  recordOrder(turn, expired ? "orderExpired" : "orderCancelled", order, { closeReason });
}

/** The open orders of a contract, in the order of their acceptance. */
export function openOrdersOf(turn: Turn, contract: ContractState): Order[] {
  const { openOrders } = turn.state;
  const { book } = contract;
  const resting = [...slotsOf(book, BUY), ...slotsOf(book, SELL)]
    .map((slot) => required(openOrders.get(book.idOf(slot)), "resting order"));
  return [...resting, ...contract.heldOrders.values()].sort((a, b) => a.key - b.key);
}

/**
 * Begins matching in a market that has just become open: first what rests and may trade by now, contract after contract,
 * then the held orders, in the order in which they came.
 */
export function beginMatching(turn: Turn, market: MarketState): void {
  matchResting(turn, market.contracts, null);
  const heldOrders = market.contracts.flatMap((contract) => [...contract.heldOrders.values()]);
  for (const order of heldOrders.sort((a, b) => a.priority - b.priority)) release(turn, order);
}

/** Matches what rests crossed and may trade by now. `concerned`: between whom anything has changed; null: anyone. */
export function matchResting(
  turn: Turn,
  contracts: Iterable<ContractState>,
  concerned: ReadonlySet<EntityState> | null,
): void {
  const parties = concerned === null ? null : new Set([...concerned].map(({ party }) => party));
  for (const contract of contracts) {
    if (isMatching(contract)) {
      matchCrossedOrders(turn, contract, parties, (order, older) => {
        const isClosed = passesBound(turn.state, order, older);
        if (isClosed) closeOrder(turn, order, "limit_exceeded");
        return isClosed;
      });
    }
  }
}

function workingStatusOf(order: Order): "working" | "partial" {
  return order.filledQuantity > 0 ? "partial" : "working";
}

function hold(turn: Turn, order: Order): void {
  joinQueue(turn, order);
  turn.publish("hold.order", orderModule(order));
  recordOrder(turn, "orderHeld", order, {});
}

function joinQueue(turn: Turn, order: Order): void {
  order.priority = ++turn.state.counters.priority;
  order.contract.heldOrders.set(order.key, order);
  turn.queueChanged(order.contract);
}

function release(turn: Turn, order: Order): void {
  leave(turn, order);
  order.status = workingStatusOf(order);
  turn.orderChanged(order);
  turn.publish("release.order", orderModule(order));
  recordOrder(turn, "orderReleased", order, {});
  if (passesBound(turn.state, order, order.contract.book)) close(turn, order, "limit_exceeded");
  else enterBook(turn, order);
}

/** Takes an open order out of the one place in which it waits. */
function leave(turn: Turn, order: Order): void {
  const { contract, key } = order;
  const wasHeld = contract.heldOrders.delete(key);
  const rested = contract.book.remove(key);
  invariant(wasHeld !== rested, "an open order waits in its queue or in its book");
  if (wasHeld) turn.queueChanged(contract);
  else turn.bookChanged(contract);
}

function enterBook(turn: Turn, order: Order): void {
  order.priority = ++turn.state.counters.priority;
  const remaining = matchOrder(turn, order);
  if (remaining > 0) restInBook(order);
  turn.bookChanged(order.contract);
}
