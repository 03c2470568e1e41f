// Checks that the engine and the peer have done what the flow says: the same trades in the same order, and as many orders
// left. Throws if not. The engine's trades are read from its events, in a run of their own.

import { deepStrictEqual, ok } from "node:assert";
import { moduleSchema } from "../../protocol/modules/registry.ts";
import { EVENTS } from "../../protocol/index.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import { eventsOf } from "../../tests/support/executions.ts";
import type { Flow } from "./flow.ts";
import { type Operation, PlainMarket, TradeRecord } from "./plain-market.ts";
import { EnginePlayer, flowIdOf, PeerPlayer } from "./players.ts";

/** Without credit more orders trade, so fewer rest. */
const LEAST_SHARE = 0.5;

export function checkEngine({ market, operations }: Flow, entities: number): void {
  const player = new EnginePlayer(entities, operations);
  const record = new TradeRecord();
  let restingOrders = 0;
  operations.forEach((operation, at) => {
    const execution = player.execute(at);
    checkStatus(operation, execution);
    restingOrders = readEvents(execution, record) ?? restingOrders;
  });
  deepStrictEqual([record, restingOrders], [market.record, market.book.orderCount]);
}

/** A late cancel is rejected; everything else is carried out. */
function checkStatus(operation: Operation, { response }: Execution): void {
  if (response?.status === "ok") return;
  deepStrictEqual([operation.kind, response?.code], ["cancel", "not_cancellable"]);
}

/** Adds the trades to the record. Returns the orders that rest in the book, if it has changed. */
function readEvents(execution: Execution, record: TradeRecord): number | null {
  let restingOrders: number | null = null;
  for (const { type, data } of eventsOf(execution)) {
    if (type === "change.book") restingOrders = EVENTS["change.book"].parse(data).totalWorkingOrders;
    if (type !== "new.trade") continue;
    const { buyOrderId, sellOrderId, aggressorSide, price, quantity } = moduleSchema("TRADE").parse(data);
    const [resting, aggressor] = aggressorSide === 0 ? [sellOrderId, buyOrderId] : [buyOrderId, sellOrderId];
    record.add(flowIdOf(resting), flowIdOf(aggressor), price, quantity);
  }
  return restingOrders;
}

/** The peer knows no credit, so it trades more. */
export function checkPeer({ market, operations }: Flow): void {
  const expected = new PlainMarket(null);
  for (const operation of operations) expected.play(operation);
  const record = new TradeRecord();
  const player = new PeerPlayer(operations, record);
  player.play(0, operations.length);
  const { bids, asks } = player.book.snapshot();
  const restingOrders = [...bids, ...asks].reduce((sum, { orders }) => sum + orders.length, 0);
  deepStrictEqual([record, restingOrders], [expected.record, expected.book.orderCount]);
  ok(restingOrders > LEAST_SHARE * market.book.orderCount, `only ${restingOrders} orders rest in the peer`);
  ok(record.trades >= market.record.trades, "credit has prevented no trade");
}
