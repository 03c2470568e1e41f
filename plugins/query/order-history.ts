// What to say if no event of an order was found: the id may be mistyped or that of another module, or the order may be older
// than the days that were searched. The hint names the order that was probably meant. Its events are never given instead,
// because the id may be that of an order that the market no longer keeps. Cost: at most two more queries of the trail.

import { ToolError } from "../../core/error.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import type { AuditPage } from "../../protocol/index.ts";
import { didYouMean, suggestedIds } from "../toolkit/meaning.ts";

interface EmptyHistory {
  readonly orderId: string;
  /** The only day that was searched; undefined for the last seven. */
  readonly date: string | undefined;
  readonly range: AuditPage["range"];
}

/**
 * A note for an order that is known. Throws ToolError `not_found` if the market is at hand and has no such order; the
 * hint names what was probably meant.
 */
export async function emptyHistory(history: EmptyHistory, context: ToolContext): Promise<string> {
  const { orderId, date, range } = history;
  const nothing = `Order ${JSON.stringify(orderId)} has no event ${daysOf(range)}.`;
  if (date !== undefined) {
    const { events: [newest] } = await context.audit.orderEvents(orderId, { limit: 1 }, context.signal);
    if (newest !== undefined) return `${nothing} Its newest event is of ${newest.time}.`;
  }
  const order = context.snapshot.get("ORDER", orderId);
  if (order !== undefined) {
    return `${nothing} It was created at ${order.createdAt}: ${whatToDo(order.createdAt, range)}`;
  }
  if (!seesOrders(context)) {
    return `${nothing} If it is older, give its day as date. To check the id, call mkt_connect_pubsub, then mkt_get_order.`;
  }
  const orders = suggestedIds(context.snapshot, "ORDER", orderId);
  const meant = didYouMean(orders.length > 0 ? orders : await refusedUnder(orderId, range, context));
  throw new ToolError(
    "not_found",
    `There is no ORDER ${JSON.stringify(orderId)} in the market now, and it has no event ${daysOf(range)}.`,
    `${meant}For an older order give its day as date. mkt_list_orders gives the orders you can see.`,
  );
}

/** The event of the order's creation may not be stored yet, even if its day was searched. */
function whatToDo(createdAt: string, { from, to }: AuditPage["range"]): string {
  const day = createdAt.slice(0, 10);
  return day >= from && day <= to
    ? "its events are not in the audit trail yet. Call again later."
    : "give that day as date.";
}

function daysOf({ from, to }: AuditPage["range"]): string {
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}

/** Whether the snapshot holds every order: an order that it lacks is unknown. */
function seesOrders({ pubsub: { session, incomplete } }: ToolContext): boolean {
  return session?.capabilities.includes("Market.View") === true && !incomplete;
}

/** The name of the newest refused order with this clientOrderId; empty if there is none. */
async function refusedUnder(
  clientOrderId: string,
  range: AuditPage["range"],
  { audit, signal }: ToolContext,
): Promise<string[]> {
  const query = { ...range, event: "orderRejected", search: clientOrderId, limit: 50 };
  const { events } = await audit.query(query, undefined, signal);
  const names = events.flatMap(({ orderId }) => orderId?.endsWith(`:${clientOrderId}`) ? [orderId] : []);
  return names.slice(0, 1);
}
