// What the clock brings about: sessions begin and end; contracts are listed, go to delivery, leave it, and leave the market.
//
// Everything that is due is carried out in the order of its time, also if a call comes late. Of what falls on the same
// instant contracts come first, so nothing trades once its delivery has begun, then listings, then sessions. At a close,
// day orders expire even while the market is halted. Events carry the time of the call.
//
// A call that comes late lists what is listed by its own time. What would have come and gone before is left out, so a
// market that was stopped for months costs no more than the contracts that it had and those that it has now.

import { sessionAt } from "../market/session-schedule.ts";
import { type DroppedLimit, listDue, removeContract } from "./contract-list.ts";
import {
  type ContractState,
  type EngineState,
  type MarketState,
  marketStatusOf,
  required,
  scheduledStatusOf,
} from "./engine-state.ts";
import { beginMatching, closeOrder, matchResting, openOrdersOf } from "./order-life.ts";
import { contractModule, creditId } from "./projections.ts";
import { forgetContracts } from "./retention.ts";
import type { Turn } from "./transaction.ts";

/** When the clock next brings something about; null where nothing is scheduled. */
export function nextDeadline(state: EngineState): number | null {
  const contractTime = state.deadlines.first?.time ?? Infinity;
  const market = nextMarketToChange(state);
  const time = Math.min(contractTime, state.nextListing, market?.session?.nextChange ?? Infinity);
  return time === Infinity ? null : time;
}

/** Carries out everything that is due by the turn's time. */
export function carryOutDue(turn: Turn): void {
  const { state } = turn;
  const removed = new Set<string>();
  for (;;) {
    const due = nextDeadline(state);
    if (due === null || due > turn.now) break;
    if (state.deadlines.first?.time === due) {
      const { contract } = required(state.deadlines.take(), "deadline");
      if (contract.delivered) {
        leaveMarket(turn, contract);
        removed.add(contract.id);
      } else {
        if (contract.expired) endDelivery(turn, contract);
        else beginDelivery(turn, contract);
        state.deadlines.add(contract);
      }
    } else if (state.nextListing === due) listContracts(turn);
    else changeSession(turn, required(nextMarketToChange(state), "market"), due);
  }
  if (removed.size > 0) forgetContracts(turn, removed);
}

/** Does what a market's status asks for that its schedule now gives: match, wait, or let day orders expire. */
export function enterScheduledStatus(turn: Turn, market: MarketState): void {
  const status = scheduledStatusOf(market);
  if (status === "closed") expireDayOrders(turn, market);
  if (status === "open") beginMatching(turn, market);
}

function nextMarketToChange(state: EngineState): MarketState | undefined {
  let next: MarketState | undefined;
  for (const market of state.markets.values()) {
    if (market.session === null) continue;
    if (next?.session == null || market.session.nextChange < next.session.nextChange) next = market;
  }
  return next;
}

function changeSession(turn: Turn, market: MarketState, at: number): void {
  const { id, schedule, timezone } = market.definition;
  if (schedule === null) throw new Error(`market ${id} has a session but no schedule`);
  const previousStatus = marketStatusOf(market);
  const hasEnded = market.session !== null && market.session.close <= at;
  market.session = sessionAt(schedule, timezone, at);
  turn.marketChanged(market);
  if (market.halted) {
    if (hasEnded) expireDayOrders(turn, market);
    return;
  }
  const status = marketStatusOf(market);
  const change = { marketId: id, status, previousStatus, reason: null, userId: null };
  turn.publish("change.market", change);
  turn.record({ event: "marketStatusChanged", moduleType: "MARKET", moduleId: id, details: change });
  // A change of the clocks may let the next session begin at the close.
  if (hasEnded) expireDayOrders(turn, market);
  enterScheduledStatus(turn, market);
}

function expireDayOrders(turn: Turn, market: MarketState): void {
  for (const contract of market.contracts) {
    for (const order of openOrdersOf(turn, contract)) {
      if (order.timeInForce === "day") closeOrder(turn, order, "expired");
    }
  }
}

function beginDelivery(turn: Turn, contract: ContractState): void {
  const { id } = contract;
  contract.expired = true;
  turn.contractChanged(contract);
  turn.publish("change.contract", contractModule(contract));
  turn.record({ event: "contractExpired", moduleType: "CONTRACT", moduleId: id, details: {} });
  for (const order of openOrdersOf(turn, contract)) closeOrder(turn, order, "expired");
}

function endDelivery(turn: Turn, contract: ContractState): void {
  const { ledger, parties, contracts } = turn.state;
  contract.delivered = true;
  const freed = ledger.release(contract.key).map((pair) => pair.map((party) => required(parties[party], "entity")));
  turn.record({
    event: "deliveryEnded",
    moduleType: "CONTRACT",
    moduleId: contract.id,
    details: { pairsFreed: freed.length },
  });
  for (const [entity, counterparty] of freed) {
    turn.pairCreditChanged(required(entity, "entity"), required(counterparty, "entity"));
  }
  if (freed.length > 0) matchResting(turn, contracts.values(), new Set(freed.flat()));
}

function listContracts(turn: Turn): void {
  for (const contract of listDue(turn.state)) {
    const { deliveryStart, deliveryEnd, hours } = contract.definition;
    turn.contractListed(contract);
    turn.publish("new.contract", contractModule(contract));
    turn.record({
      event: "contractListed",
      moduleType: "CONTRACT",
      moduleId: contract.id,
      details: { deliveryStart, deliveryEnd, hours },
    });
  }
}

function leaveMarket(turn: Turn, contract: ContractState): void {
  const { id: contractId, engineId, product } = contract;
  const dropped = removeContract(turn.state, contract);
  turn.contractRemoved(contract);
  turn.publish("remove.contract", { contractId, productCode: product.code, engineId });
  turn.record({ event: "contractRemoved", moduleType: "CONTRACT", moduleId: contractId, details: {} });
  for (const limit of dropped) dropLimit(turn, contractId, limit);
}

function dropLimit(turn: Turn, contractId: string, { entity, counterparty, terms }: DroppedLimit): void {
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
  turn.ownCreditChanged(entity, counterparty);
  turn.publish("remove.credit", change);
  turn.record({
    event: "creditLimitRemoved",
    moduleType: "CREDIT",
    moduleId: creditId(entity, counterparty),
    entityId: change.entityId,
    details: change,
  });
}
