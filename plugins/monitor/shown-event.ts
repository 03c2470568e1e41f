// An event as tools show it: what its reader needs, or with `detail` "full" every field that was received.
//
// The small form leaves out:
// - null, and what another field determines: the product, engine and market of a contract; the remaining quantity of an order
// - the contract, if the call asked for one
// - the entity in change.order, which names an order that new.order has told before
// - an order's status, if the type of the event or the filled quantity says it
// - a filled quantity of 0 or of a filled order, and a close reason that repeats the status
//
// A trade names the entities, and the fills after it name their orders. So 50 events fit into an answer. An event of an
// undeclared type keeps all its fields.

import type { BufferedEvent, EventReader } from "../../core/market/event-reader.ts";
import { nameSides, withSideNames } from "../toolkit/sides.ts";
import { bookChange } from "./book-change.ts";

type Data = Record<string, unknown>;
type ShownEvent = { sequence: number; category: string; type: string; time: string; data: Data };

const ORDER = ["contractId", "entityId", "side", "price", "quantity"];
const MARKET = ["marketId", "status", "previousStatus", "reason", "userId"];
const CREDIT = ["entityId", "counterpartyId", "limitType", "scope", "contractId", "limit", "marginPercent"];

/** By event type, else by its noun. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  "reject.order": ["clientOrderId", ...ORDER, "code", "message"],
  "change.order": ["id", "contractId", "side", "price", "quantity", "filledQuantity", "status", "closeReason"],
  order: ["id", ...ORDER, "filledQuantity", "closeReason"],
  fill: ["orderId", "contractId", "entityId", "side", "price", "quantity"],
  trade: ["contractId", "buyEntityId", "sellEntityId", "price", "quantity"],
  spot: ["node", "price", "regime", "time"],
  market: MARKET,
  session: MARKET,
  contract: ["id", "contractId", "deliveryStart", "deliveryEnd", "status"],
  credit: CREDIT,
  documentation: ["entityId", "counterpartyId", "status", "notes"],
  user: ["userId", "entityId", "connected"],
}));

/** The values that need not be shown, because another field says the same. */
const USUAL: Readonly<Record<string, (data: BufferedEvent["data"]) => unknown>> = {
  status: ({ status }) => status === "working" || status === "partial" ? status : undefined,
  filledQuantity: ({ status, quantity }) => status === "filled" ? quantity : 0,
  closeReason: ({ status }) => status,
};

export interface ShownFor {
  /** The contract that the call asked for. */
  readonly contractId?: string | undefined;
  readonly detail?: "full" | undefined;
}

/** `buffer` gives the change.book event before another. */
export function shownEvents(
  events: readonly BufferedEvent[],
  buffer: EventReader,
  { contractId, detail }: ShownFor = {},
): ShownEvent[] {
  if (detail === "full") return events.map((event) => shown(event, withSideNames(event.data)));
  return events.map((event) => {
    const data = event.type === "change.book" ? shownBook(event, buffer) : shownFields(event);
    const isOfContract = contractId !== undefined && event.data["contractId"] === contractId;
    return shown(event, isOfContract ? withoutContract(data) : data);
  });
}

function shown({ sequence, category, type, time }: BufferedEvent, data: Data): ShownEvent {
  return { sequence, category, type, time, data };
}

/** Changes the data, and returns it. */
function withoutContract(data: Data): Data {
  delete data["contractId"];
  return data;
}

/** Every field for an undeclared type. */
function shownFields({ type, data }: BufferedEvent): Data {
  const fields = FIELDS.get(type) ?? FIELDS.get(type.slice(type.lastIndexOf(".") + 1));
  if (fields === undefined) return withSideNames(data);
  const copy: Data = {};
  for (const name of fields) {
    const value = data[name] ?? null;
    if (value !== null && value !== USUAL[name]?.(data)) copy[name] = value;
  }
  return nameSides(copy);
}

function shownBook(event: BufferedEvent, buffer: EventReader): Data {
  const { sequence, type, data } = event;
  const contractId = String(data["contractId"]);
  return bookChange(event, buffer.lastBefore(sequence, { category: "pricing", types: [type], contractId }));
}
