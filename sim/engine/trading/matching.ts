// Trades: an order is matched against the older ones of the other side, and each trade is booked on both orders, on the
// contract and as used credit of both entities, all in kW and cents, exactly.

import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { matchCrossed } from "../../market/crossed-matching.ts";
import { type AvailableCredit, matchAggressor } from "../../market/matching.ts";
import { invariant } from "../../market/invariant.ts";
import { BUY, crosses } from "../../market/order-book.ts";
import type { PartyIndexedBook } from "../../market/party-indexed-book.ts";
import { dollarsOf, energyOf, megawattHoursOf, megawattsOf, notionalOf } from "../../market/units.ts";
import { recordOrder } from "../transaction/order-audit.ts";
import { type ContractState, type EngineState, type Order, remainingOf, required } from "../state/engine-state.ts";
import { noteClosed, noteFilled } from "../state/open-orders.ts";
import { orderModule } from "../modules/snapshot.ts";
import type { Transaction } from "../transaction/transaction.ts";

/** Puts what remains of an order into its book, behind its level's others. */
export function restInBook(order: Order): void {
  const { contract, key, side, price, entity, priority } = order;
  contract.book.add(key, side, price, remainingOf(order), entity.party, priority);
}

/** What an order would trade if it arrived now in `book`, and what would remain of it. Nothing is changed. */
export function planArrival(
  { ledger }: EngineState,
  { contract, entity, side, price }: Pick<Order, "contract" | "entity" | "side" | "price">,
  quantity: number,
  book: PartyIndexedBook,
): { readonly traded: bigint; readonly remaining: number } {
  const uses: [restingParty: number, price: number, quantity: number][] = [];
  let traded = 0n;
  const remaining = matchAggressor(
    book,
    side,
    price,
    quantity,
    entity.party,
    contract.lot,
    (restingParty, aggressorParty, tradePrice) =>
      ledger.availableCredit(restingParty, aggressorParty, contract, tradePrice),
    (_restingId, restingParty, tradePrice, tradedQuantity) => {
      ledger.addTrade(restingParty, entity.party, contract, tradePrice, tradedQuantity);
      uses.push([restingParty, tradePrice, tradedQuantity]);
      traded += notionalOf(tradePrice, energyOf(tradedQuantity, contract.minutes));
    },
    new Set(),
  );
  for (const [restingParty, tradePrice, tradedQuantity] of uses) {
    ledger.removeTrade(restingParty, entity.party, contract, tradePrice, tradedQuantity);
  }
  return { traded, remaining };
}

/** Lets an order that arrives trade with those that rest; returns what remains of it. */
export function matchOrder(transaction: Transaction, order: Order): number {
  const { openOrders } = transaction.state;
  return matchIn(order.contract.book, transaction, order, (restingId, quantity) => {
    trade(transaction, required(openOrders.get(restingId), "resting order"), order, quantity);
  });
}

/**
 * Lets orders that rest crossed trade. `parties`: between which anything has changed; null: any. `closes` is asked of each
 * order before it trades: true if it has closed the order instead.
 */
export function matchCrossedOrders(
  transaction: Transaction,
  contract: ContractState,
  parties: ReadonlySet<number> | null,
  closes: (order: Order, older: PartyIndexedBook) => boolean,
): void {
  const { openOrders } = transaction.state;
  const { book } = contract;
  matchCrossed(book, parties, contract.lot, availableCreditIn(transaction, contract), (id, older) => {
    const order = required(openOrders.get(id), "crossed order");
    if (closes(order, older)) return 0;
    const before = remainingOf(order);
    const remaining = matchIn(older, transaction, order, (restingId, quantity) => {
      book.reduce(restingId, quantity);
      trade(transaction, required(openOrders.get(restingId), "resting order"), order, quantity);
    });
    if (remaining < before) book.reduce(id, before - remaining);
    return remaining;
  });
}

function matchIn(
  book: PartyIndexedBook,
  transaction: Transaction,
  order: Order,
  onTrade: (restingId: number, quantity: number) => void,
): number {
  const { contract, side, price, entity } = order;
  const before = remainingOf(order);
  const remaining = matchAggressor(
    book,
    side,
    price,
    before,
    entity.party,
    contract.lot,
    availableCreditIn(transaction, contract),
    (restingId, _party, _price, quantity) => onTrade(restingId, quantity),
  );
  if (remaining < before) transaction.publish("change.order", orderModule(order));
  return remaining;
}

function availableCreditIn({ state: { ledger } }: Transaction, contract: ContractState): AvailableCredit {
  return (restingParty, aggressorParty, price) => ledger.availableCredit(restingParty, aggressorParty, contract, price);
}

function trade(transaction: Transaction, restingOrder: Order, aggressorOrder: Order, quantity: number): void {
  const { state } = transaction;
  const { contract, price } = restingOrder;
  invariant(restingOrder.side !== aggressorOrder.side, "a trade has a buyer and a seller");
  invariant(restingOrder.entity !== aggressorOrder.entity, "an entity does not trade with itself");
  invariant(crosses(aggressorOrder.side, aggressorOrder.price, price), "a trade keeps the limit of its aggressor");
  fill(transaction, restingOrder, price, quantity);
  fill(transaction, aggressorOrder, price, quantity);
  contract.lastPrice = price;
  contract.tradedQuantity += quantity;
  state.ledger.addTrade(restingOrder.entity.party, aggressorOrder.entity.party, contract, price, quantity);
  transaction.bookChanged(contract);
  transaction.pairCreditChanged(restingOrder.entity, aggressorOrder.entity);

  const record = tradeModule(transaction, restingOrder, aggressorOrder, quantity);
  const restingFill = fillModule(transaction, record, restingOrder, aggressorOrder, "resting");
  const aggressorFill = fillModule(transaction, record, aggressorOrder, restingOrder, "aggressor");
  transaction.tradeAdded(record);
  transaction.fillAdded(restingFill);
  transaction.fillAdded(aggressorFill);
  transaction.publish("new.trade", record);
  transaction.publish("new.fill", restingFill);
  transaction.publish("new.fill", aggressorFill);
  transaction.publish("change.order", orderModule(restingOrder));
  recordFill(transaction, restingOrder, restingFill);
  recordFill(transaction, aggressorOrder, aggressorFill);
}

function fill(transaction: Transaction, order: Order, price: number, quantity: number): void {
  invariant(quantity > 0 && quantity <= remainingOf(order), "a fill takes part or all of what an order has left");
  noteFilled(transaction.state, order, quantity);
  order.filledQuantity += quantity;
  order.filledValue += BigInt(price) * BigInt(quantity);
  order.filledNotional += notionalOf(price, energyOf(quantity, order.contract.minutes));
  invariant(
    order.maxNotional === null || order.filledNotional <= order.maxNotional,
    "an order trades within its bound",
  );
  order.status = "partial";
  if (remainingOf(order) === 0) {
    order.status = "filled";
    order.closeReason = "filled";
    noteClosed(transaction.state, order);
  }
  transaction.orderChanged(order);
}

function recordFill(transaction: Transaction, order: Order, fill: ModuleData<"FILL">): void {
  const { id, tradeId, price, quantity, counterpartyId } = fill;
  recordOrder(transaction, "orderFilled", order, {
    fillId: id,
    tradeId,
    fillPrice: price,
    fillQuantity: quantity,
    counterpartyId,
  });
}

function tradeModule(
  transaction: Transaction,
  restingOrder: Order,
  aggressorOrder: Order,
  quantity: number,
): ModuleData<"TRADE"> {
  const { contract, price } = restingOrder;
  const [buy, sell] = aggressorOrder.side === BUY ? [aggressorOrder, restingOrder] : [restingOrder, aggressorOrder];
  const energy = energyOf(quantity, contract.minutes);
  transaction.state.counters.trade += 1;
  return {
    id: `TRD-${transaction.state.counters.trade}`,
    engineId: contract.engineId,
    contractId: contract.id,
    productCode: contract.product.code,
    marketId: contract.product.marketId,
    buyOrderId: buy.id,
    sellOrderId: sell.id,
    buyEntityId: buy.entity.definition.id,
    sellEntityId: sell.entity.definition.id,
    aggressorSide: aggressorOrder.side,
    price,
    quantity: megawattsOf(quantity),
    energy: megawattHoursOf(energy),
    notional: dollarsOf(notionalOf(price, energy)),
    time: transaction.time,
  };
}

function fillModule(
  transaction: Transaction,
  trade: ModuleData<"TRADE">,
  order: Order,
  counterpart: Order,
  liquidity: "resting" | "aggressor",
): ModuleData<"FILL"> {
  const { engineId, contractId, productCode, marketId, price, quantity, notional, time } = trade;
  transaction.state.counters.fill += 1;
  const id = `FIL-${transaction.state.counters.fill}`;
  order.fillIds.push(id);
  return {
    id,
    orderId: order.id,
    tradeId: trade.id,
    engineId,
    contractId,
    productCode,
    marketId,
    entityId: order.entity.definition.id,
    userId: order.userId,
    counterpartyId: counterpart.entity.definition.id,
    side: order.side,
    price,
    quantity,
    notional,
    liquidity,
    time,
  };
}
