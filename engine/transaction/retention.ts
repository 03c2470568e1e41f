// What an engine forgets, so that its memory does not grow with its history: closed orders with their fills, and
// trades.
//
// Above the retention's `closedOrders` it forgets the oldest closed order of the user who has the most, so a busy user
// displaces only the user's own orders. Above its `trades` it forgets the oldest trade. The orders and trades of a
// contract are forgotten with the contract. Clients are sent `state: null`. Used credit is kept as a sum, and the audit
// trail has another limit, so neither is affected.
//
// Invariant: what is forgotten depends on the calls alone, so replaying a journal gives the same modules again.
//
// Cost: O(log users + its fills) for each order forgotten, O(1) for each trade.

import type { Order } from "../state/market-state.ts";
import type { Transaction } from "./transaction.ts";

/** Forgets orders and trades above the retention. This is the last change of a transaction. */
export function forgetOldest(transaction: Transaction): void {
  const { closedOrders, trades, retention } = transaction.state;
  while (closedOrders.size > retention.closedOrders) forgetOrder(transaction, closedOrders.takeOldestOfBusiest());
  while (trades.size > retention.trades) {
    const oldest = trades.shift();
    if (oldest !== undefined) transaction.tradeForgotten(oldest);
  }
}

/** Forgets the closed orders, fills and trades of contracts that have been removed. Cost: O(orders + trades). */
export function forgetContracts(transaction: Transaction, contractIds: ReadonlySet<string>): void {
  const { closedOrders, trades } = transaction.state;
  for (const order of closedOrders.removeOf(contractIds)) forgetOrder(transaction, order);
  for (const trade of trades.removeAll(({ contract }) => contractIds.has(contract.id))) {
    transaction.tradeForgotten(trade);
  }
}

function forgetOrder(transaction: Transaction, order: Order): void {
  transaction.state.orders.delete(order.key);
  transaction.orderForgotten(order);
}
