// The ORDER module as JSON text: the text of JSON.stringify(orderModule(order)), written directly.
//
// What never changes is written once, when it is first needed, and kept with the order. The whole text is kept until the order
// changes or its transaction ends, because event, state and response have the same.

import { roundedNumber } from "../../market/exact-integer.ts";
import { BUY } from "../../market/order-book.ts";
import { megawattsOf } from "../../market/units.ts";
import { type Order, remainingOf, textsOf } from "../state/market-state.ts";
import { isoTime } from "./iso-time.ts";
import { AVERAGE_PRICE_DECIMALS } from "./order-modules.ts";

export function orderText(order: Order): string {
  if (order.text === "") order.text = writtenText(order);
  return order.text;
}

/** Up to the price. */
function fixedTextOf(order: Order): string {
  const { id, clientOrderId, contract, entity, userId, side, timeInForce } = order;
  order.fixedText = [
    `{"id":"${id}","clientOrderId":`,
    JSON.stringify(clientOrderId),
    ",",
    textsOf(contract).place,
    ',"entityId":',
    entity.idText,
    ',"userId":',
    JSON.stringify(userId),
    side === BUY ? ',"side":0' : ',"side":1',
    timeInForce === "gtc" ? ',"timeInForce":"gtc","createdAt":"' : ',"timeInForce":"day","createdAt":"',
    isoTime(order.createdAt),
    '","price":',
  ].join("");
  return order.fixedText;
}

function writtenText(order: Order): string {
  const { filledQuantity, status, closeReason } = order;
  const isFilled = filledQuantity > 0;
  return [
    order.fixedText || fixedTextOf(order),
    order.price,
    ',"quantity":',
    megawattsOf(order.quantity),
    ',"filledQuantity":',
    megawattsOf(filledQuantity),
    ',"remainingQuantity":',
    closeReason === null ? megawattsOf(remainingOf(order)) : 0,
    ',"averagePrice":',
    isFilled ? roundedNumber(order.filledValue, filledQuantity, AVERAGE_PRICE_DECIMALS) : "null",
    ',"status":"',
    status,
    closeReason === null ? '","closeReason":null,"updatedAt":"' : `","closeReason":"${closeReason}","updatedAt":"`,
    isoTime(order.updatedAt),
    '"}',
  ].join("");
}
