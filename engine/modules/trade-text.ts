// The TRADE and FILL modules as JSON texts: the texts of JSON.stringify, written directly.

import { BUY } from "../market/order-book.ts";
import {
  DOLLAR_DECIMALS,
  ENERGY_DECIMALS,
  ENERGY_PER_MEGAWATT_HOUR,
  energyOf,
  NOTIONAL_PER_DOLLAR,
  notionalOf,
} from "../market/units.ts";
import { fillKeyOf } from "../state/fills.ts";
import { type Order, textsOf, type Trade } from "../state/market-state.ts";
import { isoTime } from "../../common/iso-time.ts";
import type { TextWriter } from "../text/text-writer.ts";

export function writeTrade(writer: TextWriter, trade: Trade): void {
  const { contract, price, quantity } = trade;
  const energy = energyOf(quantity, contract.minutes);
  writer.text('{"id":"TRD-');
  writer.number(trade.key);
  writer.text(textsOf(contract).ofTrade);
  writer.number(trade.buyOrder);
  writer.text('","sellOrderId":"ORD-');
  writer.number(trade.sellOrder);
  writer.text('","buyEntityId":');
  writer.text(trade.buyer.idText);
  writer.text(',"sellEntityId":');
  writer.text(trade.seller.idText);
  writer.text(trade.aggressorSide === BUY ? ',"aggressorSide":0,"price":' : ',"aggressorSide":1,"price":');
  writer.number(price);
  writer.text(',"quantity":');
  writer.decimal(quantity, 3);
  writer.text(',"energy":');
  writer.rounded(energy, ENERGY_PER_MEGAWATT_HOUR, ENERGY_DECIMALS);
  writer.text(',"notional":');
  writer.rounded(notionalOf(price, energy), NOTIONAL_PER_DOLLAR, DOLLAR_DECIMALS);
  writer.text(',"time":"');
  writer.text(isoTime(trade.time));
  writer.text('"}');
}

/** The fill that a trade is to one of its orders. */
export function writeFill(writer: TextWriter, trade: Trade, order: Order): void {
  const { contract, price, quantity } = trade;
  writer.text('{"id":"FIL-');
  writer.number(fillKeyOf(trade, order));
  writer.text('","orderId":"ORD-');
  writer.number(order.key);
  writer.text('","tradeId":"TRD-');
  writer.number(trade.key);
  writer.text(textsOf(contract).ofFill);
  writer.text(order.user.ownerText);
  writer.text(',"counterpartyId":');
  writer.text((order.side === BUY ? trade.seller : trade.buyer).idText);
  writer.text(order.side === BUY ? ',"side":0,"price":' : ',"side":1,"price":');
  writer.number(price);
  writer.text(',"quantity":');
  writer.decimal(quantity, 3);
  writer.text(',"notional":');
  writer.rounded(notionalOf(price, energyOf(quantity, contract.minutes)), NOTIONAL_PER_DOLLAR, DOLLAR_DECIMALS);
  writer.text(
    order.side === trade.aggressorSide ? ',"liquidity":"aggressor","time":"' : ',"liquidity":"resting","time":"',
  );
  writer.text(isoTime(trade.time));
  writer.text('"}');
}
