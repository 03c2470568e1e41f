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
import type { EventData } from "../../protocol/index.ts";
import type { BookLevel } from "../../protocol/modules/registry.ts";
import { nameSides, withSideNames } from "../toolkit/sides.ts";

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

/** Price in cents/MWh and volume in MW; a level that is gone has volume 0. */
export type ShownLevel = readonly [price: number, volume: number];

/**
 * The data of a change.book event as tools show it. The event has the levels that changed since the contract's last
 * change.book, among the best BOOK_DEPTH of each side. They are shown as they are if the reader has seen that last event, or
 * could have: it is still buffered. Otherwise the whole book is shown, if it is known. So a reader who takes a whole book and
 * applies the changes after it one by one has the prices and volumes of every later book.
 *
 * `earlier`: the contract's last change.book, if it is buffered.
 */
function bookChange(
  { data, book }: Pick<BufferedEvent, "data" | "book">,
  earlier: BufferedEvent | undefined,
): Record<string, unknown> {
  const { contractId, bestBid, bestAsk, lastPrice, bids, asks } = data as EventData<"change.book">;
  const whole = earlier === undefined ? book : null;
  return {
    contractId,
    bestBid,
    bestAsk,
    ...isNewPrice(lastPrice, earlier) && { lastPrice },
    ...whole !== null && { whole: true },
    ...sideShown("bids", whole?.bids ?? bids),
    ...sideShown("asks", whole?.asks ?? asks),
  };
}

/** The price of the last trade is shown only if it has changed. */
function isNewPrice(lastPrice: number | null, earlier: BufferedEvent | undefined): boolean {
  return lastPrice !== null && lastPrice !== earlier?.data["lastPrice"];
}

function sideShown(name: "bids" | "asks", levels: readonly BookLevel[]): Record<string, readonly ShownLevel[]> {
  return levels.length === 0 ? {} : { [name]: levels.map(({ price, volume }) => [price, volume]) };
}
