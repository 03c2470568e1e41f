// Matches orders that have been in the market before: resting orders that cross and may now trade, and held orders.

import { matchCrossed } from "../market/crossed-matching.ts";
import { type ContractState, isMatching, type MarketState, remainingOf } from "../state/market-state.ts";
import type { EntityState } from "../state/party-state.ts";
import { required } from "../state/required.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { exceedsBound } from "./order-bounds.ts";
import { closeOrder, releaseOrder } from "./order-lifecycle.ts";
import { matchIn } from "./order-matching.ts";

/**
 * Begins matching in a market that has just opened: first its resting orders, contract by contract, then its held orders,
 * by time priority.
 */
export function beginMatching(transaction: Transaction, market: MarketState): void {
  matchRestingOrders(transaction, market.contracts, null);
  const heldOrders = market.contracts.flatMap((contract) => [...contract.heldOrders.values()]);
  for (const order of heldOrders.sort((a, b) => a.priority - b.priority)) releaseOrder(transaction, order);
}

/**
 * Matches the resting orders of open markets that cross and may now trade. `entities`: those between which credit or
 * documents have changed; null: all.
 */
export function matchRestingOrders(
  transaction: Transaction,
  contracts: Iterable<ContractState>,
  entities: ReadonlySet<EntityState> | null,
): void {
  const parties = entities === null ? null : new Set([...entities].map(({ party }) => party));
  for (const contract of contracts) if (isMatching(contract)) matchCrossedOrders(transaction, contract, parties);
}

function matchCrossedOrders(
  transaction: Transaction,
  contract: ContractState,
  parties: ReadonlySet<number> | null,
): void {
  const { state } = transaction;
  const { book, lot } = contract;
  matchCrossed(book, parties, lot, state.ledger.availableCreditIn(contract), (id, older) => {
    const order = required(state.openOrders.get(id), "crossed order");
    if (exceedsBound(order, older)) {
      closeOrder(transaction, order, "limit_exceeded");
      return 0;
    }
    const before = remainingOf(order);
    const remaining = matchIn(older, transaction, order, (restingId, quantity) => book.reduce(restingId, quantity));
    if (remaining < before) book.reduce(id, before - remaining);
    return remaining;
  });
}
