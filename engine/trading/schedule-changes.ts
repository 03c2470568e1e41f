// The scheduled changes: sessions begin and end; contracts are listed, delivered and removed.
//
// Due changes are carried out in the order of their times, even if the call comes late. Of changes at the same time,
// begins of deliveries come first, so no order trades in a contract whose delivery has begun; then ends of deliveries and
// removals; then listings; then sessions. Day orders expire at the close even if the market is halted.
//
// If market time is real time, events carry the time of the call. Otherwise each change is carried out at its own time, as if
// a call had come then: market time may pass hours between two calls.
//
// If market time is real time, a late call lists only the contracts that the rules list at the time of the call, not those that
// would have been removed by then. So the cost after a long stop depends only on the contracts from before the stop and those
// of now.

import { sessionAt } from "../market/session-schedule.ts";
import { creditId } from "../modules/credit-modules.ts";
import { contractModule } from "../modules/market-modules.ts";
import { type DroppedLimit, listDue, removeContract } from "../state/contract-list.ts";
import { nextDeadline, nextMarketToChange } from "../state/engine-state.ts";
import { type ContractState, type MarketState, marketStatusOf, scheduledStatusOf } from "../state/market-state.ts";
import { required } from "../state/required.ts";
import { forgetContracts } from "../transaction/retention.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { beginMatching, matchRestingOrders } from "./crossed-orders.ts";
import { closeOrder } from "./order-lifecycle.ts";

/** Carries out everything that is due until a market time, and moves the transaction on to that time. */
export function carryOutDue(transaction: Transaction, until: number): void {
  const { state } = transaction;
  const isReal = state.clock.mode === "real";
  if (isReal) transaction.moveTo(until);
  const removed = new Set<string>();
  for (let due = nextDeadline(state); due !== null && due <= until; due = nextDeadline(state)) {
    if (!isReal) transaction.moveTo(Math.max(due, state.now));
    if (state.deadlines.first?.time === due) {
      const { contract } = required(state.deadlines.take(), "deadline");
      if (contract.delivered) {
        delistContract(transaction, contract);
        removed.add(contract.id);
      } else {
        if (contract.expired) endDelivery(transaction, contract);
        else beginDelivery(transaction, contract);
        state.deadlines.add(contract);
      }
    } else if (state.nextListing === due) listContracts(transaction);
    else changeSession(transaction, required(nextMarketToChange(state), "market"), due);
  }
  if (removed.size > 0) forgetContracts(transaction, removed);
  transaction.moveTo(until);
}

/** Acts on the status that the schedule now gives a market: open begins matching, closed expires the day orders. */
export function enterScheduledStatus(transaction: Transaction, market: MarketState): void {
  const status = scheduledStatusOf(market);
  if (status === "closed") expireDayOrders(transaction, market);
  if (status === "open") beginMatching(transaction, market);
}

function changeSession(transaction: Transaction, market: MarketState, at: number): void {
  const { id, schedule, timezone } = market.definition;
  if (schedule === null) throw new Error(`market ${id} has a session but no schedule`);
  const previousStatus = marketStatusOf(market);
  const hasEnded = market.session !== null && market.session.close <= at;
  market.session = sessionAt(schedule, timezone, at);
  transaction.marketChanged(market);
  if (market.halted) {
    if (hasEnded) expireDayOrders(transaction, market);
    return;
  }
  const status = marketStatusOf(market);
  const change = { marketId: id, status, previousStatus, reason: null, userId: null };
  transaction.publish("change.market", change);
  transaction.record("marketStatusChanged", "MARKET", id, change);
  // At a clock change the next session may begin at the close.
  if (hasEnded) expireDayOrders(transaction, market);
  enterScheduledStatus(transaction, market);
}

function expireDayOrders(transaction: Transaction, market: MarketState): void {
  for (const contract of market.contracts) {
    for (const order of transaction.state.openOrders.of(contract)) {
      if (order.timeInForce === "day") closeOrder(transaction, order, "expired");
    }
  }
}

function beginDelivery(transaction: Transaction, contract: ContractState): void {
  const { id } = contract;
  contract.expired = true;
  transaction.state.ledger.unlistContract(contract.key);
  transaction.listedContractsChanged();
  transaction.publish("change.contract", contractModule(contract));
  transaction.record("contractExpired", "CONTRACT", id, {});
  for (const order of transaction.state.openOrders.of(contract)) closeOrder(transaction, order, "expired");
}

function endDelivery(transaction: Transaction, contract: ContractState): void {
  const { ledger, parties, contracts } = transaction.state;
  contract.delivered = true;
  const freed = ledger.releaseContract(contract.key).map((pair) =>
    pair.map((party) => required(parties[party], "entity"))
  );
  transaction.record("deliveryEnded", "CONTRACT", contract.id, { pairsFreed: freed.length });
  for (const [entity, counterparty] of freed) {
    transaction.pairCreditChanged(required(entity, "entity"), required(counterparty, "entity"));
  }
  if (freed.length > 0) matchRestingOrders(transaction, contracts.values(), new Set(freed.flat()));
}

function listContracts(transaction: Transaction): void {
  for (const contract of listDue(transaction.state)) {
    const { deliveryStart, deliveryEnd, hours } = contract.definition;
    transaction.contractListed(contract);
    transaction.publish("new.contract", contractModule(contract));
    transaction.record("contractListed", "CONTRACT", contract.id, { deliveryStart, deliveryEnd, hours });
  }
  transaction.listedContractsChanged();
}

function delistContract(transaction: Transaction, contract: ContractState): void {
  const { id: contractId, bookId, product } = contract;
  const dropped = removeContract(transaction.state, contract);
  transaction.contractRemoved(contract);
  transaction.publish("remove.contract", { contractId, productCode: product.code, engineId: bookId });
  transaction.record("contractRemoved", "CONTRACT", contractId, {});
  for (const limit of dropped) dropLimit(transaction, contractId, limit);
}

function dropLimit(transaction: Transaction, contractId: string, { entity, counterparty, terms }: DroppedLimit): void {
  const { limitType, limit, marginPercent } = terms;
  const change = {
    entityId: entity.definition.id,
    counterpartyId: counterparty.definition.id,
    limitType,
    scope: "per_contract" as const,
    contractId,
    limit,
    marginPercent,
  };
  transaction.ownCreditChanged(entity, counterparty);
  transaction.publish("remove.credit", change);
  transaction.record("creditLimitRemoved", "CREDIT", creditId(entity, counterparty), change, {
    entityId: change.entityId,
  });
}
