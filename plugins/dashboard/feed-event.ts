// An event as the page gets it (web/contract/events.ts): what its reader needs, without null.
//
// Cost: an event's JSON text is made once, whoever is sent it, and is kept as long as the buffer keeps the event.

import type { BufferedEvent } from "../../core/market/event-reader.ts";
import { safeJson } from "../../common/safe-text.ts";
import type { FeedEvent } from "../../web/contract/update.ts";

type Data = Readonly<Record<string, unknown>>;

/** Characters of the data of an event whose type is not declared here. */
const MAX_DATA = 4_000;

const ORDER = [
  "id",
  "contractId",
  "entityId",
  "side",
  "price",
  "quantity",
  "filledQuantity",
  "status",
  "closeReason",
];

/** By event type, else by its noun. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "reject.order": ["clientOrderId", "contractId", "entityId", "side", "price", "quantity", "code", "message"],
  order: ORDER,
  fill: ["orderId", "tradeId", "contractId", "entityId", "side", "price", "quantity"],
  trade: ["id", "contractId", "buyEntityId", "sellEntityId", "aggressorSide", "price", "quantity"],
  book: ["contractId", "bestBid", "bestAsk", "lastPrice"],
  spot: ["node", "price", "regime", "time"],
  market: ["marketId", "status", "previousStatus", "reason", "userId"],
  contract: ["id", "contractId", "name", "deliveryStart", "deliveryEnd", "status"],
};

const texts = new WeakMap<BufferedEvent, string>();

/** The JSON text of the event's FeedEvent. */
export function feedEventText(event: BufferedEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = safeJson(feedEvent(event));
  texts.set(event, text);
  return text;
}

export function feedEvent({ sequence, category, type, time, data }: BufferedEvent): FeedEvent {
  const fields = FIELDS[type] ?? FIELDS[type.slice(type.lastIndexOf(".") + 1)];
  return { sequence, category, type, time, data: fields === undefined ? bounded(data) : selected(data, fields) };
}

function selected(data: Data, fields: readonly string[]): Data {
  const copy: Record<string, unknown> = {};
  for (const field of fields) {
    const value = data[field];
    if (value !== undefined && value !== null) copy[field] = value;
  }
  return copy;
}

function bounded(data: Data): Data {
  return JSON.stringify(data).length > MAX_DATA ? {} : data;
}
