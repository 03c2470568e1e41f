// An event as tools show it: what its reader needs, or with `detail` "full" every field that was received.
//
// Left out is what another field determines (the product, engine and market of a contract; the remaining quantity of an
// order), a close reason that repeats the status, a filled quantity of 0, and null. An event of an undeclared type keeps
// all its fields.

import type { BufferedEvent, EventReader } from "../../core/market/event-reader.ts";
import { withSideNames } from "../toolkit/sides.ts";
import { bookChange } from "./book-change.ts";

type Data = Record<string, unknown>;
type ShownEvent = { sequence: number; category: string; type: string; time: string; data: Data };

const ORDER = ["contractId", "entityId", "side", "price", "quantity"];
const MARKET = ["marketId", "status", "previousStatus", "reason", "userId"];
const CREDIT = ["entityId", "counterpartyId", "limitType", "scope", "contractId", "limit", "marginPercent"];

/** By event type, else by its noun. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "reject.order": ["clientOrderId", ...ORDER, "code", "message"],
  order: ["id", ...ORDER, "filledQuantity", "status", "closeReason"],
  fill: ["orderId", "contractId", "entityId", "counterpartyId", "side", "price", "quantity"],
  trade: ["contractId", "buyOrderId", "sellOrderId", "buyEntityId", "sellEntityId", "price", "quantity"],
  spot: ["node", "price", "regime", "time"],
  market: MARKET,
  session: MARKET,
  contract: ["id", "contractId", "deliveryStart", "deliveryEnd", "status"],
  credit: CREDIT,
  documentation: ["entityId", "counterpartyId", "status", "notes"],
  user: ["userId", "entityId", "connected"],
};

/** Reads the buffer for the book before a change.book event. */
export function shownEvent(event: BufferedEvent, events: EventReader, detail?: "full"): ShownEvent {
  const { sequence, category, type, time, data } = event;
  const shown = detail === "full" ? null : type === "change.book" ? shownBook(event, events) : shownFields(type, data);
  return { sequence, category, type, time, data: shown ?? withSideNames(data) };
}

/** Null for an undeclared type. */
function shownFields(type: string, data: BufferedEvent["data"]): Data | null {
  const noun = type.slice(type.lastIndexOf(".") + 1);
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : Object.hasOwn(FIELDS, noun) ? FIELDS[noun] : undefined;
  if (fields === undefined) return null;
  const shown: Data = {};
  for (const field of fields) if (isShown(field, data)) shown[field] = data[field];
  return withSideNames(shown);
}

function isShown(field: string, data: BufferedEvent["data"]): boolean {
  const value = data[field] ?? null;
  if (field === "filledQuantity") return value !== 0;
  return value !== null && (field !== "closeReason" || value !== data["status"]);
}

function shownBook({ sequence, type, data }: BufferedEvent, events: EventReader): Data | null {
  const contractId = data["contractId"];
  const earlier = typeof contractId === "string"
    ? events.newestBefore(sequence, { category: "pricing", types: [type], contractId })
    : undefined;
  return bookChange(data, earlier?.data);
}
