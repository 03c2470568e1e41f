// The TRADE and FILL modules as JSON texts: the texts of JSON.stringify, written directly.

import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { type Order, textsOf } from "../state/market-state.ts";
import type { TextWriter } from "../text/text-writer.ts";

export function writeTrade(writer: TextWriter, trade: ModuleData<"TRADE">, buy: Order, sell: Order): void {
  writer.text('{"id":"');
  writer.text(trade.id);
  writer.text('",');
  writer.text(textsOf(buy.contract).place);
  writer.text(',"buyOrderId":"');
  writer.text(trade.buyOrderId);
  writer.text('","sellOrderId":"');
  writer.text(trade.sellOrderId);
  writer.text('","buyEntityId":');
  writer.text(buy.entity.idText);
  writer.text(',"sellEntityId":');
  writer.text(sell.entity.idText);
  writer.text(',"aggressorSide":');
  writer.number(trade.aggressorSide);
  writer.text(',"price":');
  writer.number(trade.price);
  writer.text(',"quantity":');
  writer.number(trade.quantity);
  writer.text(',"energy":');
  writer.number(trade.energy);
  writer.text(',"notional":');
  writer.number(trade.notional);
  writer.text(',"time":"');
  writer.text(trade.time);
  writer.text('"}');
}

export function writeFill(writer: TextWriter, fill: ModuleData<"FILL">, order: Order, counterparty: Order): void {
  writer.text('{"id":"');
  writer.text(fill.id);
  writer.text('","orderId":"');
  writer.text(fill.orderId);
  writer.text('","tradeId":"');
  writer.text(fill.tradeId);
  writer.text('",');
  writer.text(textsOf(order.contract).place);
  writer.text(',"entityId":');
  writer.text(order.entity.idText);
  writer.text(',"userId":');
  writer.quoted(fill.userId);
  writer.text(',"counterpartyId":');
  writer.text(counterparty.entity.idText);
  writer.text(',"side":');
  writer.number(fill.side);
  writer.text(',"price":');
  writer.number(fill.price);
  writer.text(',"quantity":');
  writer.number(fill.quantity);
  writer.text(',"notional":');
  writer.number(fill.notional);
  writer.text(fill.liquidity === "resting" ? ',"liquidity":"resting","time":"' : ',"liquidity":"aggressor","time":"');
  writer.text(fill.time);
  writer.text('"}');
}
