// What the clock brings about: sessions begin and end; contracts are listed, go to delivery, leave it, and leave the market.
//
// Everything that is due is carried out in the order of its time, also if a call comes late. Of what falls on the same
// instant contracts come first, so nothing trades once its delivery has begun, then listings, then sessions. At a close,
// day orders expire even while the market is halted. Events carry the time of the call.
//
// A call that comes late lists what is listed by its own time. What would have come and gone before is left out, so a
// market that was stopped for months costs no more than the contracts that it had and those that it has now.

import { sessionAt } from "../../market/session-schedule.ts";
import { type DroppedLimit, listDue, removeContract } from "../state/contract-list.ts";
import {
  type ContractState,
  type EngineState,
  type MarketState,
  marketStatusOf,
  required,
  scheduledStatusOf,
} from "../state/engine-state.ts";
import { beginMatching, closeOrder, matchResting, openOrdersOf } from "./order-lifecycle.ts";
import { contractModule, creditId } from "../modules/snapshot.ts";
import { forgetContracts } from "../transaction/retention.ts";
import type { Transaction } from "../transaction/transaction.ts";

/** When the clock next brings something about; null where nothing is scheduled. */
export function nextDeadline(state: EngineState): number | null {
  const contractTime = state.deadlines.first?.time ?? Infinity;
  const market = nextMarketToChange(state);
  const time = Math.min(contractTime, state.nextListing, market?.session?.nextChange ?? Infinity);
  return time === Infinity ? null : time;
}

/** Carries out everything that is due by the transaction's time. */
export function carryOutDue(transaction: Transaction): void {
  const { state } = transaction;
  const removed = new Set<string>();
  for (;;) {
    const due = nextDeadline(state);
    if (due === null || due > transaction.now) break;
    if (state.deadlines.first?.time === due) {
      const { contract } = required(state.deadlines.take(), "deadline");
      if (contract.delivered) {
        leaveMarket(transaction, contract);
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
}

/** Does what a market's status asks for that its schedule now gives: match, wait, or let day orders expire. */
export function enterScheduledStatus(transaction: Transaction, market: MarketState): void {
  const status = scheduledStatusOf(market);
  if (status === "closed") expireDayOrders(transaction, market);
  if (status === "open") beginMatching(transaction, market);
}

function nextMarketToChange(state: EngineState): MarketState | undefined {
  let next: MarketState | undefined;
  for (const market of state.markets.values()) {
    if (market.session === null) continue;
    if (next?.session == null || market.session.nextChange < next.session.nextChange) next = market;
  }
  return next;
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
  transaction.record({ event: "marketStatusChanged", moduleType: "MARKET", moduleId: id, details: change });
  // A change of the clocks may let the next session begin at the close.
  if (hasEnded) expireDayOrders(transaction, market);
  enterScheduledStatus(transaction, market);
}

function expireDayOrders(transaction: Transaction, market: MarketState): void {
  for (const contract of market.contracts) {
    for (const order of openOrdersOf(transaction, contract)) {
      if (order.timeInForce === "day") closeOrder(transaction, order, "expired");
    }
  }
}

function beginDelivery(transaction: Transaction, contract: ContractState): void {
  const { id } = contract;
  contract.expired = true;
  transaction.contractChanged(contract);
  transaction.publish("change.contract", contractModule(contract));
  transaction.record({ event: "contractExpired", moduleType: "CONTRACT", moduleId: id, details: {} });
  for (const order of openOrdersOf(transaction, contract)) closeOrder(transaction, order, "expired");
}

function endDelivery(transaction: Transaction, contract: ContractState): void {
  const { ledger, parties, contracts } = transaction.state;
  contract.delivered = true;
  const freed = ledger.releaseContract(contract.key).map((pair) =>
    pair.map((party) => required(parties[party], "entity"))
  );
  transaction.record({
    event: "deliveryEnded",
    moduleType: "CONTRACT",
    moduleId: contract.id,
    details: { pairsFreed: freed.length },
  });
  for (const [entity, counterparty] of freed) {
    transaction.pairCreditChanged(required(entity, "entity"), required(counterparty, "entity"));
  }
  if (freed.length > 0) matchResting(transaction, contracts.values(), new Set(freed.flat()));
}

function listContracts(transaction: Transaction): void {
  for (const contract of listDue(transaction.state)) {
    const { deliveryStart, deliveryEnd, hours } = contract.definition;
    transaction.contractListed(contract);
    transaction.publish("new.contract", contractModule(contract));
    transaction.record({
      event: "contractListed",
      moduleType: "CONTRACT",
      moduleId: contract.id,
      details: { deliveryStart, deliveryEnd, hours },
    });
  }
}

function leaveMarket(transaction: Transaction, contract: ContractState): void {
  const { id: contractId, engineId, product } = contract;
  const dropped = removeContract(transaction.state, contract);
  transaction.contractRemoved(contract);
  transaction.publish("remove.contract", { contractId, productCode: product.code, engineId });
  transaction.record({ event: "contractRemoved", moduleType: "CONTRACT", moduleId: contractId, details: {} });
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
  transaction.record({
    event: "creditLimitRemoved",
    moduleType: "CREDIT",
    moduleId: creditId(entity, counterparty),
    entityId: change.entityId,
    details: change,
  });
}
