// The ORDER module as JSON text: the text of JSON.stringify(orderModule(order)), written directly.
//
// What never changes is written once, when it is first needed, and kept with the order. The whole text is kept until the order
// changes or its transaction ends, because event, state and response have the same.

import { roundedNumber } from "../../market/exact-integer.ts";
import { megawattsOf } from "../../market/units.ts";
import { type Order, remainingOf, textsOf } from "../state/market-state.ts";
import { isoTime } from "./iso-time.ts";
import { flat } from "./json-text.ts";
import { AVERAGE_PRICE_DECIMALS } from "./order-modules.ts";

export function orderText(order: Order): string {
  if (order.text === "") order.text = flat(`${order.fixedText || fixedTextOf(order)}${termsOf(order)}`);
  return order.text;
}

/** Up to the price. */
function fixedTextOf(order: Order): string {
  const { id, clientOrderId, contract, entity, userId, side, timeInForce } = order;
  const owner = `"entityId":${entity.idText},"userId":${JSON.stringify(userId)}`;
  order.fixedText = flat(
    `{"id":"${id}","clientOrderId":${JSON.stringify(clientOrderId)},${
      textsOf(contract).place
    },${owner},"side":${side},` +
      `"timeInForce":"${timeInForce}","createdAt":"${isoTime(order.createdAt)}","price":`,
  );
  return order.fixedText;
}

/** From the price on. */
function termsOf(order: Order): string {
  const { price, filledQuantity, status, closeReason } = order;
  const quantity = megawattsOf(order.quantity);
  const remaining = closeReason === null ? megawattsOf(remainingOf(order)) : 0;
  const reason = closeReason === null ? "null" : `"${closeReason}"`;
  const rest = `"status":"${status}","closeReason":${reason},"updatedAt":"${isoTime(order.updatedAt)}"}`;
  if (filledQuantity === 0) {
    return `${price},"quantity":${quantity},"filledQuantity":0,"remainingQuantity":${remaining},"averagePrice":null,${rest}`;
  }
  const average = roundedNumber(order.filledValue, filledQuantity, AVERAGE_PRICE_DECIMALS);
  return `${price},"quantity":${quantity},"filledQuantity":${megawattsOf(filledQuantity)},` +
    `"remainingQuantity":${remaining},"averagePrice":${average},${rest}`;
}
