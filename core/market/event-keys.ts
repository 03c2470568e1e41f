// What an event is about: its contract, entities and orders, read from its data.
//
// An event matches an entity that it names on either side: the owner of an order, either side of a trade, either party of
// a credit limit or of a documentation status. A fill matches one entity only, the one whose order was filled. The
// counterparty has its own fill of the same trade, and matching both would count the trade twice.
// An event matches an order if it is the order's own event, a fill of it, or a trade on either side of it.

import type { BufferedEvent, EventFilter } from "./event-reader.ts";

/** The fields of an event's data that hold ids, for one kind of event. */
export interface KeyFields {
  readonly contracts: readonly string[];
  readonly entities: readonly string[];
  readonly orders: readonly string[];
}

const CONTRACTS = ["contractId"];

const BY_NOUN: Readonly<Record<string, KeyFields>> = {
  order: { contracts: CONTRACTS, entities: ["entityId"], orders: ["id", "orderId"] },
  fill: { contracts: CONTRACTS, entities: ["entityId"], orders: ["orderId"] },
  trade: { contracts: CONTRACTS, entities: ["buyEntityId", "sellEntityId"], orders: ["buyOrderId", "sellOrderId"] },
  contract: { contracts: ["contractId", "id"], entities: [], orders: [] },
};

const OTHERS: KeyFields = {
  contracts: CONTRACTS,
  entities: ["entityId", "counterpartyId", "buyEntityId", "sellEntityId"],
  orders: ["orderId", "buyOrderId", "sellOrderId"],
};

export function keyFieldsOf(type: string): KeyFields {
  const noun = type.slice(type.lastIndexOf(".") + 1);
  return Object.hasOwn(BY_NOUN, noun) ? BY_NOUN[noun]! : OTHERS;
}

/** Null stands for an event about no product. */
export function productCodeOf({ productCode }: BufferedEvent["data"]): string | null {
  return typeof productCode === "string" ? productCode : null;
}

export function matches(filter: EventFilter, { category, type, data }: BufferedEvent): boolean {
  const { contracts, entities, orders } = keyFieldsOf(type);
  const names = (fields: readonly string[], id: string | undefined) =>
    id === undefined || fields.some((field) => data[field] === id);
  return (filter.category === undefined || filter.category === category) &&
    (filter.types === undefined || filter.types.length === 0 || filter.types.includes(type)) &&
    (filter.productCode === undefined || filter.productCode === data["productCode"]) &&
    names(contracts, filter.contractId) && names(entities, filter.entityId) && names(orders, filter.orderId);
}
