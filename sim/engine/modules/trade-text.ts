// The TRADE and FILL modules as JSON texts: the texts of JSON.stringify, written directly.

import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { type Order, textsOf } from "../state/market-state.ts";
import { flat } from "./json-text.ts";

export function tradeText(trade: ModuleData<"TRADE">, buy: Order, sell: Order): string {
  const { id, buyOrderId, sellOrderId, aggressorSide, price, quantity, energy, notional, time } = trade;
  return flat(
    `{"id":"${id}",${textsOf(buy.contract).place},"buyOrderId":"${buyOrderId}","sellOrderId":"${sellOrderId}",` +
      `"buyEntityId":${buy.entity.idText},"sellEntityId":${sell.entity.idText},"aggressorSide":${aggressorSide},` +
      `"price":${price},"quantity":${quantity},"energy":${energy},"notional":${notional},"time":"${time}"}`,
  );
}

export function fillText(fill: ModuleData<"FILL">, order: Order, counterparty: Order): string {
  const { id, orderId, tradeId, userId, side, price, quantity, notional, liquidity, time } = fill;
  return flat(
    `{"id":"${id}","orderId":"${orderId}","tradeId":"${tradeId}",${textsOf(order.contract).place},` +
      `"entityId":${order.entity.idText},"userId":${JSON.stringify(userId)},` +
      `"counterpartyId":${counterparty.entity.idText},"side":${side},"price":${price},"quantity":${quantity},` +
      `"notional":${notional},"liquidity":"${liquidity}","time":"${time}"}`,
  );
}
