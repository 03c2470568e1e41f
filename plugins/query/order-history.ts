// What to say if no event of an order was found: the id may be mistyped, of another kind of module, or the order may be
// older than the days that were searched. One more query of the trail at most, and one walk over the orders in the snapshot.

import { ToolError } from "../../core/error.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import type { AuditPage } from "../../protocol/index.ts";

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
    const { events: [newest] } = await context.audit.orderEvents(orderId, { limit: 1 });
    if (newest !== undefined) return `${nothing} Its newest event is of ${newest.time}.`;
  }
  const order = context.snapshot.get("ORDER", orderId);
  if (order !== undefined) return `${nothing} It was created at ${order.createdAt}: give that day as date.`;
  if (!seesOrders(context)) {
    return `${nothing} If it is older, give its day as date. To check the id, call mkt_connect_pubsub, then mkt_get_order.`;
  }
  const meant = probablyMeant(orderId, context) ?? await refusedUnder(orderId, range, context);
  throw new ToolError(
    "not_found",
    `There is no ORDER ${JSON.stringify(orderId)} in the market now, and none had an event ${daysOf(range)}.`,
    meant === null
      ? "mkt_list_orders gives the orders you can see. For an older order give its day as date."
      : `Probably ${meant} was meant.`,
  );
}

function daysOf({ from, to }: AuditPage["range"]): string {
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}

/** Whether the snapshot holds every order: an order that it lacks is unknown. */
function seesOrders({ pubsub: { session, incomplete } }: ToolContext): boolean {
  return session?.capabilities.includes("Market.View") === true && !incomplete;
}

/** The order with this clientOrderId, fill or trade, or with this id in another form: `ord-7` or `7` for ORD-7; or null. */
export function probablyMeant(given: string, { snapshot }: ToolContext): string | null {
  const fill = snapshot.get("FILL", given);
  if (fill !== undefined) return `${fill.orderId}, the order of this fill,`;
  const trade = snapshot.get("TRADE", given);
  if (trade !== undefined) return `${trade.buyOrderId} or ${trade.sellOrderId}, the orders of this trade,`;
  const [text, ending] = [given.toLowerCase(), /^\d+$/.test(given) ? `-${given}` : null];
  const isMeant = (id: string) => id.toLowerCase() === text || (ending !== null && id.endsWith(ending));
  const where = ({ id, clientOrderId }: Readonly<Record<string, unknown>>) =>
    clientOrderId === given || isMeant(String(id));
  return snapshot.find("ORDER", { where, limit: 1 }).modules[0]?.id ?? null;
}

/** The name of a refused order with this clientOrderId. */
async function refusedUnder(
  clientOrderId: string,
  range: AuditPage["range"],
  { audit }: ToolContext,
): Promise<string | null> {
  const { events } = await audit.query({ ...range, event: "orderRejected", search: clientOrderId, limit: 50 });
  const names = events.map(({ orderId }) => orderId).filter((name) => name?.endsWith(`:${clientOrderId}`));
  return names[0] ?? null;
}
