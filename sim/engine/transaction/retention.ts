// What an engine forgets, so that its memory does not grow with its history: closed orders with their fills, and trades.
// Those of a contract go with the contract.
//
// Beyond `closedOrders` the oldest closed order of the user who has the most goes, so that a busy user pushes out nobody
// else's. Beyond `trades` the oldest trade goes. Clients are told by `state: null`. What follows from history stays:
// used credit is a sum of its own, and the audit trail has its own limit.
//
// Invariant: it depends on the calls alone, so that a journal gives the same modules again.
//
// Cost: for each order forgotten O(users), and O(its fills).

import type { Order } from "../state/engine-state.ts";
import type { Transaction } from "./transaction.ts";

/** How many closed orders and how many trades are kept. */
export interface Retention {
  readonly closedOrders: number;
  readonly trades: number;
}

export const DEFAULT_RETENTION: Retention = { closedOrders: 10_000, trades: 10_000 };

/** Forgets what is too much by now; the last thing that a transaction does. */
export function forgetOldest(transaction: Transaction): void {
  const { closedOrders, trades, retention } = transaction.state;
  while (closedOrders.size > retention.closedOrders) forget(transaction, closedOrders.takeOldestOfBusiest());
  for (const id of trades.keys()) {
    if (trades.size <= retention.trades) return;
    trades.delete(id);
    transaction.removed("TRADE", id);
  }
}

/** Forgets the closed orders, fills and trades of contracts that have left the market: O(orders + trades). */
export function forgetContracts(transaction: Transaction, contractIds: ReadonlySet<string>): void {
  const { closedOrders, trades } = transaction.state;
  for (const order of [...closedOrders]) {
    if (!contractIds.has(order.contract.id)) continue;
    closedOrders.delete(order);
    forget(transaction, order);
  }
  for (const { id, contractId } of trades.values()) {
    if (!contractIds.has(contractId)) continue;
    trades.delete(id);
    transaction.removed("TRADE", id);
  }
}

function forget(transaction: Transaction, order: Order): void {
  transaction.state.orders.delete(order.id);
  transaction.removed("ORDER", order.id);
  for (const id of order.fillIds) {
    transaction.state.fills.delete(id);
    transaction.removed("FILL", id);
  }
}
