// How audit events are shown. By default an event leaves out what the order's id or the event's name determines. So 50 events
// of a busy market take at most 12,000 bytes. Sides read BUY or SELL.

import { z } from "zod";
import type { AuditEvent } from "../../protocol/index.ts";
import { withSideNames } from "../toolkit/sides.ts";

/** `id` is always shown. */
const COLUMNS = [
  "time",
  "event",
  "moduleType",
  "moduleId",
  "userId",
  "entityId",
  "orderId",
  "details",
] as const;
type Column = (typeof COLUMNS)[number];

/** Default properties in `details` of an order's event. Events that are not named here show all. */
const ORDER_DETAILS: Readonly<Record<string, readonly string[]>> = {
  orderQueued: ["side", "price", "quantity"],
  orderModified: ["side", "price", "quantity", "previousPrice", "previousQuantity"],
  orderCancelled: ["side", "price", "quantity", "filledQuantity", "closeReason"],
  orderExpired: ["side", "price", "quantity", "filledQuantity"],
  orderHeld: ["side", "price", "quantity"],
  orderReleased: ["side", "price", "quantity"],
  orderFilled: ["side", "fillPrice", "fillQuantity", "counterpartyId"],
  orderRejected: ["contractId", "side", "price", "quantity", "code", "message", "note"],
};

export const shownEventSchema = z.looseObject({
  id: z.string(),
  time: z.string().optional(),
  event: z.string().optional(),
  moduleType: z.string().optional(),
  moduleId: z.string().optional(),
  userId: z.string().nullable().optional(),
  entityId: z.string().nullable().optional(),
  orderId: z.string().nullable().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
type ShownEvent = z.input<typeof shownEventSchema>;

export const detailField = z.enum(["full"]).describe("Everything");
export const columnsField = z.array(z.enum(COLUMNS)).min(1).max(COLUMNS.length).describe("Columns besides id");

interface EventColumns {
  readonly fields?: readonly Column[] | undefined;
  readonly detail?: "full" | undefined;
}

/** An event of the audit log. */
export function shownEvent(event: AuditEvent, { fields, detail }: EventColumns): ShownEvent {
  if (fields !== undefined) return chosen(whole(event), fields);
  return detail === "full" ? whole(event) : summary(event);
}

/** An event in the history of one order, whose terms the answer states once. */
export function shownInHistory(event: AuditEvent, { detail }: EventColumns): ShownEvent {
  if (detail === "full") return whole(event);
  const { orderId: _orderId, entityId: _entityId, ...shown } = summary(event);
  const { side: _side, contractId: _contractId, ...details } = shown.details ?? {};
  return { ...shown, details };
}

/** What the events of one order have in common; a property is absent if the events don't hold it. */
export function commonTerms(events: readonly AuditEvent[]): { contractId?: string; side?: string; entityId?: string } {
  const [newest] = events;
  const { contractId, side } = withSideNames(newest?.details ?? {});
  return {
    ...(typeof contractId === "string" && { contractId }),
    ...(typeof side === "string" && { side }),
    ...(typeof newest?.entityId === "string" && { entityId: newest.entityId }),
  };
}

function whole(event: AuditEvent): ShownEvent {
  return { ...event, details: withSideNames(event.details) };
}

function chosen(event: ShownEvent, columns: readonly Column[]): ShownEvent {
  return { id: event.id, ...Object.fromEntries(columns.map((column) => [column, event[column]])) };
}

/** Null values are left out. The user of a fill is the one whose order arrived, which says nothing about this order. */
function summary(event: AuditEvent): ShownEvent {
  const { id, time, event: name, moduleType, moduleId, userId, entityId, orderId } = event;
  const subject = orderId === null ? { moduleType, moduleId } : { orderId };
  return {
    id,
    time,
    event: name,
    ...subject,
    ...(userId !== null && name !== "orderFilled" && { userId }),
    ...(entityId !== null && { entityId }),
    details: summaryOfDetails(event),
  };
}

function summaryOfDetails({ event, orderId, details }: AuditEvent): Record<string, unknown> {
  const all = withSideNames(details);
  const names = orderId !== null && Object.hasOwn(ORDER_DETAILS, event) ? ORDER_DETAILS[event] : undefined;
  if (names === undefined) return all;
  const shown = names.filter((name) => Object.hasOwn(all, name) && !isUnchanged(name, all));
  return Object.fromEntries(shown.map((name) => [name, all[name]]));
}

/** A modification shows the terms that it changed. */
function isUnchanged(name: string, details: Readonly<Record<string, unknown>>): boolean {
  const isTerm = (term: string, previous: string) =>
    (name === term || name === previous) && Object.hasOwn(details, previous) && details[term] === details[previous];
  return isTerm("price", "previousPrice") || isTerm("quantity", "previousQuantity");
}
