// market.halt, market.resume, engine.flush, market.flush, spot.publish.
//
// Halting a halted market and resuming one that is not halted succeed and change nothing. A resumed market gets the status
// of its schedule: open begins matching, preopen leaves held orders held, closed expires the day orders.
// spot.publish changes no module and is not audited. It publishes the prices as events, and they count for the marks of
// contracts in delivery.

import type { ActionPayload, EventData } from "../../protocol/index.ts";
import { done, notFound, type Outcome, type Rejection } from "../api/outcome.ts";
import type { EngineState } from "../state/engine-state.ts";
import { fillsOf } from "../state/fills.ts";
import { type ContractState, type MarketState, marketStatusOf, openOrderCountOf } from "../state/market-state.ts";
import { addSpotPrice } from "../state/position-marks.ts";
import { closeOrder } from "../trading/order-lifecycle.ts";
import { enterScheduledStatus } from "../trading/schedule-changes.ts";
import type { Transaction } from "../transaction/transaction.ts";
import type { CommandContext } from "./command-context.ts";
import { unknownName } from "./refusals.ts";

export function haltMarket(
  transaction: Transaction,
  payload: ActionPayload<"market.halt">,
  { user }: CommandContext,
): Outcome {
  const market = marketNamed(transaction.state, payload.marketId);
  if ("code" in market) return market;

  const { id } = market.definition;
  if (!market.halted) {
    const reason = payload.reason ?? null;
    const change: EventData<"halt.market"> = {
      marketId: id,
      status: "halted",
      previousStatus: marketStatusOf(market),
      reason,
      userId: user.id,
    };
    market.halted = true;
    market.haltReason = reason;
    transaction.marketChanged(market);
    transaction.publish("halt.market", change);
    transaction.record("marketHalted", "MARKET", id, change);
  }
  return done({ marketId: id, marketStatus: marketStatusOf(market) });
}

export function resumeMarket(
  transaction: Transaction,
  payload: ActionPayload<"market.resume">,
  { user }: CommandContext,
): Outcome {
  const market = marketNamed(transaction.state, payload.marketId);
  if ("code" in market) return market;

  const { id } = market.definition;
  if (market.halted) {
    market.halted = false;
    market.haltReason = null;
    const change: EventData<"resume.market"> = {
      marketId: id,
      status: marketStatusOf(market),
      previousStatus: "halted",
      reason: payload.reason ?? null,
      userId: user.id,
    };
    transaction.marketChanged(market);
    transaction.publish("resume.market", change);
    transaction.record("marketResumed", "MARKET", id, change);
    enterScheduledStatus(transaction, market);
  }
  return done({ marketId: id, marketStatus: marketStatusOf(market) });
}

export function flushEngine(
  transaction: Transaction,
  payload: ActionPayload<"engine.flush">,
): Outcome {
  const contract = transaction.state.contractsByBook.get(payload.engineId);
  if (contract === undefined) return notFound("engine", payload.engineId);

  const { id: contractId, bookId } = contract;
  const ordersAffected = openOrderCountOf(contract);
  if (!payload.preview) {
    closeAll(transaction, [contract]);
    transaction.record("engineFlushed", "ENGINE", bookId, { contractId, ordersAffected });
  }
  return done({ engineId: bookId, contractId, ordersAffected });
}

/** Cancels every open order of every market and removes all fills. Closed orders, trades, used credit and audit trail stay. */
export function flushMarkets(
  transaction: Transaction,
  payload: ActionPayload<"market.flush">,
): Outcome {
  const { state } = transaction;
  const ordersAffected = state.openOrders.size;
  if (payload.preview) return done({ ordersAffected });
  for (const market of state.markets.values()) {
    const ordersCancelled = closeAll(transaction, market.contracts);
    const { id } = market.definition;
    transaction.record("marketFlushed", "MARKET", id, { ordersCancelled });
  }
  for (const { key, order } of fillsOf(state.orders)) {
    order.forgetTrades();
    transaction.fillRemoved(key);
  }
  return done({ ordersAffected });
}

export function publishSpot(
  transaction: Transaction,
  { prices }: ActionPayload<"spot.publish">,
): Outcome {
  const { contracts, markets } = transaction.state;
  const nodes = new Set([...markets.values()].flatMap(({ definition }) => definition.nodes));
  const stray = prices.find(({ node }) => !nodes.has(node));
  if (stray !== undefined) return unknownName("price node", stray.node, nodes);

  for (const price of prices) {
    addSpotPrice(contracts.values(), price.node, price.price);
    transaction.publish("change.spot", price);
  }
  return done({ published: prices.length });
}

/** The default market is the first. */
function marketNamed({ markets }: EngineState, id: string | undefined): MarketState | Rejection {
  const market = id === undefined ? markets.values().next().value : markets.get(id);
  return market ?? unknownName("market", id ?? "", markets.keys());
}

function closeAll(transaction: Transaction, contracts: readonly ContractState[]): number {
  const orders = contracts.flatMap((contract) => transaction.state.openOrders.of(contract));
  for (const order of orders) closeOrder(transaction, order, "flushed");
  return orders.length;
}
