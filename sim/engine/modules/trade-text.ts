// The TRADE and FILL modules as JSON texts: the texts of JSON.stringify, written directly.

import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { type Order, textsOf } from "../state/market-state.ts";
import type { TextPart } from "./json-text.ts";

export function addTrade(parts: TextPart[], trade: ModuleData<"TRADE">, buy: Order, sell: Order): void {
  parts.push(
    '{"id":"',
    trade.id,
    '",',
    textsOf(buy.contract).place,
    ',"buyOrderId":"',
    trade.buyOrderId,
    '","sellOrderId":"',
    trade.sellOrderId,
    '","buyEntityId":',
    buy.entity.idText,
    ',"sellEntityId":',
    sell.entity.idText,
    ',"aggressorSide":',
    trade.aggressorSide,
    ',"price":',
    trade.price,
    ',"quantity":',
    trade.quantity,
    ',"energy":',
    trade.energy,
    ',"notional":',
    trade.notional,
    ',"time":"',
    trade.time,
    '"}',
  );
}

export function addFill(parts: TextPart[], fill: ModuleData<"FILL">, order: Order, counterparty: Order): void {
  parts.push(
    '{"id":"',
    fill.id,
    '","orderId":"',
    fill.orderId,
    '","tradeId":"',
    fill.tradeId,
    '",',
    textsOf(order.contract).place,
    ',"entityId":',
    order.entity.idText,
    ',"userId":',
    JSON.stringify(fill.userId),
    ',"counterpartyId":',
    counterparty.entity.idText,
    ',"side":',
    fill.side,
    ',"price":',
    fill.price,
    ',"quantity":',
    fill.quantity,
    ',"notional":',
    fill.notional,
    fill.liquidity === "resting" ? ',"liquidity":"resting","time":"' : ',"liquidity":"aggressor","time":"',
    fill.time,
    '"}',
  );
}
