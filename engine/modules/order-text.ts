// The ORDER module as JSON text: the text of JSON.stringify(orderModule(order)), written directly.
//
// What never changes is written once, when it is first needed, and kept with the order as long as it is open.

import { CLOSE_REASONS, type CloseReason, ORDER_STATUSES, type OrderStatus } from "../../protocol/modules/registry.ts";
import { BUY, SELL, type Side } from "../market/order-book.ts";
import { type Order, remainingOf, textsOf } from "../state/market-state.ts";
import { isoTime } from "../../common/iso-time.ts";
import { AVERAGE_PRICE_DECIMALS } from "./order-modules.ts";
import { TextWriter } from "../text/text-writer.ts";

/** From the status to the time, by status and reason. */
const ENDS = Object.fromEntries(
  ORDER_STATUSES.map((status) => [
    status,
    Object.fromEntries(
      [null, ...CLOSE_REASONS].map((reason) => [
        String(reason),
        `,"status":"${status}","closeReason":${JSON.stringify(reason)},"updatedAt":"`,
      ]),
    ),
  ]),
) as Readonly<Record<OrderStatus, Readonly<Record<CloseReason | "null", string>>>>;

/** From the side to the time of creation. */
const TERMS = { gtc: termsTexts("gtc"), day: termsTexts("day") };

function termsTexts(timeInForce: string): readonly [buy: string, sell: string] {
  const text = (side: Side) => `,"side":${side},"timeInForce":"${timeInForce}","createdAt":"`;
  return [text(BUY), text(SELL)];
}

const single = new TextWriter();

export function orderText(order: Order): string {
  writeOrder(single, order);
  return single.take();
}

export function writeOrder(writer: TextWriter, order: Order): void {
  if (order.fixedText === "") writeFixedText(writer, order);
  else writer.text(order.fixedText);
  writer.number(order.price);
  writer.text(',"quantity":');
  writer.decimal(order.quantity, 3);
  writeProgress(writer, order);
  writer.text(ENDS[order.status][order.closeReason ?? "null"]);
  writer.text(isoTime(order.updatedAt));
  writer.text('"}');
}

/** Up to the price. */
function writeFixedText(writer: TextWriter, order: Order): void {
  const start = writer.length;
  const { contract, user, side, timeInForce } = order;
  writer.text('{"id":"ORD-');
  writer.number(order.key);
  writer.text('","clientOrderId":');
  writer.quoted(order.clientOrderId);
  writer.text(textsOf(contract).ofOrder);
  writer.text(user.ownerText);
  writer.text(TERMS[timeInForce][side]);
  writer.text(isoTime(order.createdAt));
  writer.text('","price":');
  order.fixedText = writer.from(start);
}

/** From the filled quantity to the average price. */
function writeProgress(writer: TextWriter, order: Order): void {
  const { filledQuantity, closeReason } = order;
  const remaining = closeReason === null ? remainingOf(order) : 0;
  if (filledQuantity === 0) {
    writer.text(',"filledQuantity":0,"remainingQuantity":');
    writer.decimal(remaining, 3);
    writer.text(',"averagePrice":null');
    return;
  }
  writer.text(',"filledQuantity":');
  writer.decimal(filledQuantity, 3);
  writer.text(',"remainingQuantity":');
  writer.decimal(remaining, 3);
  writer.text(',"averagePrice":');
  writer.rounded(order.filledValue, filledQuantity, AVERAGE_PRICE_DECIMALS);
}
