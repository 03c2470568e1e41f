// Books a trade: on both orders, on the contract, and as position and used credit of both entities, exactly, in kW and
// cents.

import { productOf, sumOf } from "../market/exact-integer.ts";
import { invariant } from "../market/invariant.ts";
import { BUY, crosses } from "../market/order-book.ts";
import { energyOf, notionalOf } from "../market/units.ts";
import { addToEntityPosition } from "../state/entity-positions.ts";
import { type Order, remainingOf, type Trade } from "../state/market-state.ts";
import type { Transaction } from "../transaction/transaction.ts";

/** Books a trade of `quantity` kW at the price of the resting order, and publishes everything but the aggressor's change. */
export function bookTrade(
  transaction: Transaction,
  restingOrder: Order,
  aggressorOrder: Order,
  quantity: number,
): void {
  const { ledger, counters, trades } = transaction.state;
  const { contract, price } = restingOrder;
  invariant(restingOrder.side !== aggressorOrder.side, "a trade has a buyer and a seller");
  invariant(restingOrder.entity !== aggressorOrder.entity, "an entity does not trade with itself");
  invariant(crosses(aggressorOrder.side, aggressorOrder.price, price), "a trade keeps the limit of its aggressor");
  fillOrder(transaction, restingOrder, price, quantity);
  fillOrder(transaction, aggressorOrder, price, quantity);
  contract.lastPrice = price;
  contract.tradedQuantity += quantity;
  ledger.addTrade(restingOrder.entity.party, aggressorOrder.entity.party, contract, price, quantity);
  transaction.bookChanged(contract);
  transaction.pairCreditChanged(restingOrder.entity, aggressorOrder.entity);

  const isBuy = aggressorOrder.side === BUY;
  const buy = isBuy ? aggressorOrder : restingOrder;
  const sell = isBuy ? restingOrder : aggressorOrder;
  const trade: Trade = {
    key: ++counters.trade,
    contract,
    price,
    quantity,
    time: transaction.now,
    aggressorSide: aggressorOrder.side,
    buyOrder: buy.key,
    sellOrder: sell.key,
    buyer: buy.entity,
    seller: sell.entity,
    restingFill: counters.fill + 1,
  };
  counters.fill += 2;
  trades.push(trade);
  restingOrder.addTrade(trade);
  aggressorOrder.addTrade(trade);
  transaction.publishTrade(trade, buy, sell);
  transaction.publishFill(trade, restingOrder);
  transaction.publishFill(trade, aggressorOrder);
  transaction.publishOrder("change.order", restingOrder);
  transaction.recordFill(trade, restingOrder);
  transaction.recordFill(trade, aggressorOrder);
}

function fillOrder(transaction: Transaction, order: Order, price: number, quantity: number): void {
  const { openOrders, closedOrders } = transaction.state;
  invariant(quantity > 0 && quantity <= remainingOf(order), "a fill takes part or all of what an order has left");
  openOrders.fill(order, quantity);
  addToEntityPosition(order.contract, order.entity, order.side, price, quantity);
  order.filledQuantity += quantity;
  order.filledValue = sumOf(order.filledValue, productOf(price, quantity));
  order.filledNotional = sumOf(order.filledNotional, notionalOf(price, energyOf(quantity, order.contract.minutes)));
  invariant(
    order.maxNotional === null || order.filledNotional <= order.maxNotional,
    "an order trades within its bound",
  );
  order.status = "partial";
  if (remainingOf(order) === 0) {
    order.status = "filled";
    order.closeReason = "filled";
    openOrders.remove(order);
    closedOrders.add(order);
    transaction.orderClosed(order);
  }
  transaction.orderChanged(order);
}
