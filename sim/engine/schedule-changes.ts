// What the clock brings about: sessions begin and end, contracts go to delivery and leave it.
//
// Everything that is due is carried out in the order of its time, also where a call comes late; of what falls on the same
// instant deliveries come first, so that nothing trades once its delivery has begun. At a close, day orders expire even
// while the market is halted. Events carry the time of the call.

import { sessionAt } from "../market/session-schedule.ts";
import {
  type DeliveryDeadline,
  type EngineState,
  type MarketState,
  marketStatusOf,
  required,
  scheduledStatusOf,
} from "./engine-state.ts";
import { beginMatching, closeOrder, matchResting, openOrdersOf } from "./order-life.ts";
import type { Turn } from "./turn.ts";

/** When the clock next brings something about; null where nothing is scheduled. */
export function nextDeadline(state: EngineState): number | null {
  const delivery = state.deliveries[state.nextDelivery];
  const market = nextMarketToChange(state);
  const time = Math.min(delivery?.time ?? Infinity, market?.session?.nextChange ?? Infinity);
  return time === Infinity ? null : time;
}

/** Carries out everything that is due by the turn's time. */
export function carryOutDue(turn: Turn): void {
  const { state } = turn;
  for (;;) {
    const due = nextDeadline(state);
    if (due === null || due > turn.now) return;
    const delivery = state.deliveries[state.nextDelivery];
    if (delivery !== undefined && delivery.time === due) {
      state.nextDelivery += 1;
      deliver(turn, delivery);
    } else changeSession(turn, required(nextMarketToChange(state), "market"), due);
  }
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
  market.session = sessionAt(schedule, timezone, at);
  turn.marketChanged(market);
  if (market.halted) {
    if (scheduledStatusOf(market) === "closed") expireDayOrders(turn, market);
    return;
  }
  const status = marketStatusOf(market);
  const change = { marketId: id, status, previousStatus, reason: null, userId: null };
  turn.publish("change.market", change);
  turn.record({ event: "marketStatusChanged", moduleType: "MARKET", moduleId: id, details: change });
  enterScheduledStatus(turn, market);
}

function expireDayOrders(turn: Turn, market: MarketState): void {
  for (const contract of market.contracts) {
    for (const order of openOrdersOf(turn, contract)) {
      if (order.timeInForce === "day") closeOrder(turn, order, "expired");
    }
  }
}

function deliver(turn: Turn, { contract, kind }: DeliveryDeadline): void {
  const { id } = contract;
  if (kind === "start") {
    contract.expired = true;
    turn.contractChanged(contract);
    turn.record({ event: "contractExpired", moduleType: "CONTRACT", moduleId: id, details: {} });
    for (const order of openOrdersOf(turn, contract)) closeOrder(turn, order, "expired");
    return;
  }
  const { ledger, parties, contracts } = turn.state;
  const freed = ledger.release(contract.key).map((pair) => pair.map((party) => required(parties[party], "entity")));
  turn.record({ event: "deliveryEnded", moduleType: "CONTRACT", moduleId: id, details: { pairsFreed: freed.length } });
  for (const [entity, counterparty] of freed) {
    turn.pairCreditChanged(required(entity, "entity"), required(counterparty, "entity"));
  }
  if (freed.length > 0) matchResting(turn, contracts.values(), new Set(freed.flat()));
}
