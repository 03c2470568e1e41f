// The ORDER, TRADE and FILL modules as clients see them: MW, cents/MWh, dollars, ISO times.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import { BUY } from "../market/order-book.ts";
import { roundedNumber } from "../market/exact-integer.ts";
import { dollarsOf, energyOf, megawattHoursOf, megawattsOf, notionalOf } from "../market/units.ts";
import { type ContractState, type Order, remainingOf, type Trade } from "../state/market-state.ts";
import { fillKeyOf } from "../state/fills.ts";
import { fillIdOf, orderIdOf, tradeIdOf } from "../state/ids.ts";
import type { EntityState } from "../state/party-state.ts";
import { isoTime } from "../../common/iso-time.ts";

export const AVERAGE_PRICE_DECIMALS = 6;

/** What the module of an order shows. */
export interface ShownOrder extends
  Pick<
    Order,
    | "id"
    | "clientOrderId"
    | "userId"
    | "side"
    | "timeInForce"
    | "createdAt"
    | "price"
    | "quantity"
    | "filledQuantity"
    | "filledValue"
    | "status"
    | "closeReason"
    | "updatedAt"
  > {
  readonly contract: Pick<ContractState, "id" | "bookId"> & {
    readonly product: Pick<ContractState["product"], "code" | "marketId">;
  };
  readonly entity: { readonly definition: Pick<EntityState["definition"], "id"> };
}

export function orderModule(order: ShownOrder): ModuleData<"ORDER"> {
  const { contract } = order;
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    engineId: contract.bookId,
    contractId: contract.id,
    productCode: contract.product.code,
    marketId: contract.product.marketId,
    entityId: order.entity.definition.id,
    userId: order.userId,
    side: order.side,
    timeInForce: order.timeInForce,
    createdAt: isoTime(order.createdAt),
    price: order.price,
    quantity: megawattsOf(order.quantity),
    filledQuantity: megawattsOf(order.filledQuantity),
    remainingQuantity: order.closeReason === null ? megawattsOf(remainingOf(order)) : 0,
    averagePrice: order.filledQuantity === 0
      ? null
      : roundedNumber(order.filledValue, order.filledQuantity, AVERAGE_PRICE_DECIMALS),
    status: order.status,
    closeReason: order.closeReason,
    updatedAt: isoTime(order.updatedAt),
  };
}

export function tradeModule(trade: Trade): ModuleData<"TRADE"> {
  const { contract, price, quantity } = trade;
  const energy = energyOf(quantity, contract.minutes);
  return {
    id: tradeIdOf(trade.key),
    engineId: contract.bookId,
    contractId: contract.id,
    productCode: contract.product.code,
    marketId: contract.product.marketId,
    buyOrderId: orderIdOf(trade.buyOrder),
    sellOrderId: orderIdOf(trade.sellOrder),
    buyEntityId: trade.buyer.definition.id,
    sellEntityId: trade.seller.definition.id,
    aggressorSide: trade.aggressorSide,
    price,
    quantity: megawattsOf(quantity),
    energy: megawattHoursOf(energy),
    notional: dollarsOf(notionalOf(price, energy)),
    time: isoTime(trade.time),
  };
}

/** The fill that a trade is to one of its orders. */
export function fillModule(trade: Trade, order: Order): ModuleData<"FILL"> {
  const { engineId, contractId, productCode, marketId, price, quantity, notional, time } = tradeModule(trade);
  const { side } = order;
  return {
    id: fillIdOf(fillKeyOf(trade, order)),
    orderId: order.id,
    tradeId: tradeIdOf(trade.key),
    engineId,
    contractId,
    productCode,
    marketId,
    entityId: order.entity.definition.id,
    userId: order.userId,
    counterpartyId: (side === BUY ? trade.seller : trade.buyer).definition.id,
    side,
    price,
    quantity,
    notional,
    liquidity: side === trade.aggressorSide ? "aggressor" : "resting",
    time,
  };
}
