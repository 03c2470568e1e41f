// The ORDER, TRADE and FILL modules as clients see them: MW, cents/MWh, dollars, ISO times. Trades and fills never change,
// so the engine keeps them as module data.

import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { BUY } from "../../market/order-book.ts";
import { roundedNumber } from "../../market/exact-integer.ts";
import { dollarsOf, energyOf, megawattHoursOf, megawattsOf, notionalOf } from "../../market/units.ts";
import { type ContractState, type EntityState, type Order, remainingOf } from "../state/market-state.ts";
import { isoTime } from "../text/iso-time.ts";

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
  readonly contract: Pick<ContractState, "id" | "engineId"> & {
    readonly product: Pick<ContractState["product"], "code" | "marketId">;
  };
  readonly entity: { readonly definition: Pick<EntityState["definition"], "id"> };
}

export function orderModule(order: ShownOrder): ModuleData<"ORDER"> {
  const { contract } = order;
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    engineId: contract.engineId,
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

/** A trade at the price of the resting order. `quantity`: kW; `time`: ISO. */
export function tradeModule(
  id: string,
  restingOrder: Order,
  aggressorOrder: Order,
  quantity: number,
  time: string,
): ModuleData<"TRADE"> {
  const { contract, price } = restingOrder;
  const [buy, sell] = aggressorOrder.side === BUY ? [aggressorOrder, restingOrder] : [restingOrder, aggressorOrder];
  const energy = energyOf(quantity, contract.minutes);
  return {
    id,
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
    time,
  };
}

/** One side of a trade. */
export function fillModule(
  id: string,
  trade: ModuleData<"TRADE">,
  order: Order,
  counterpartyOrder: Order,
  liquidity: "resting" | "aggressor",
): ModuleData<"FILL"> {
  const { engineId, contractId, productCode, marketId, price, quantity, notional, time } = trade;
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
    counterpartyId: counterpartyOrder.entity.definition.id,
    side: order.side,
    price,
    quantity,
    notional,
    liquidity,
    time,
  };
}
