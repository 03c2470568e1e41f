// What all audit stores share: the days and events that a query selects, and where a page ends.

import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../protocol/index.ts";
import { DAY_MS } from "../../protocol/time-units.ts";
import { AuditFailure } from "./audit-failure.ts";
import { type AuditViewer, mayReadAudit } from "./audit-visibility.ts";

/** Days searched for the history of an order if no date is given, including today. */
const ORDER_HISTORY_DAYS = 7;
/** Non-matching events that one search reads at most. The cursor continues from there. */
export const MAX_MISSES = 50_000;

/** An audit query, or the history of one order. */
export interface AuditSearch {
  /** UTC days; `from` and `to` are included. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly moduleType?: string;
  readonly moduleId?: string;
  readonly orderId?: string;
  readonly event?: string;
  readonly matches: (event: AuditEvent) => boolean;
}

export function searchOfQuery(query: AuditQuery, viewer?: AuditViewer): AuditSearch {
  const { search, ...rest } = query;
  const text = search?.toLowerCase();
  return {
    ...rest,
    matches: (event) =>
      (query.moduleType === undefined || event.moduleType === query.moduleType) &&
      (query.moduleId === undefined || event.moduleId === query.moduleId) &&
      (query.event === undefined || event.event === query.event) &&
      (viewer === undefined || mayReadAudit(viewer, event)) &&
      (text === undefined || contains(event, text)),
  };
}

/** `now`, in milliseconds since the epoch, decides which day is today. */
export function searchOfOrder(orderId: string, query: OrderEventsQuery, now: number): AuditSearch {
  return {
    orderId,
    from: query.date ?? dayOf(now - (ORDER_HISTORY_DAYS - 1) * DAY_MS),
    to: query.date ?? dayOf(now),
    limit: query.limit,
    cursor: query.cursor,
    matches: (event) => event.orderId === orderId,
  };
}

/**
 * Collects a page from batches of events, newest first. It reads until it has one match more than `limit`, to know whether
 * there are more. It ends early, with a cursor, after MAX_MISSES, or after a batch if `outOfTime` returns true.
 */
export async function collectPage(
  { from, to, limit, matches }: AuditSearch,
  batches: AsyncIterable<readonly AuditEvent[]>,
  cursorOf: (event: AuditEvent) => string,
  outOfTime: () => boolean = () => false,
): Promise<AuditPage> {
  const range = { from, to };
  const found: AuditEvent[] = [];
  let misses = 0;
  let last: AuditEvent | undefined;
  for await (const batch of batches) {
    for (const event of batch) {
      if (!matches(event)) misses += 1;
      else if (found.length === limit) return { events: found, hasMore: true, cursor: cursorOf(last ?? event), range };
      else found.push(event);
      last = event;
    }
    if (last !== undefined && (misses >= MAX_MISSES || outOfTime())) {
      return { events: found, hasMore: true, cursor: cursorOf(last), range };
    }
  }
  return { events: found, hasMore: false, cursor: null, range };
}

export function foreignCursor(cursor: string): AuditFailure {
  return new AuditFailure(
    "invalid_input",
    `cursor: ${JSON.stringify(cursor.slice(0, 100))} is not a cursor of this audit trail.`,
    "Pass the cursor of the last answer unchanged, or leave it out to start again.",
  );
}

/** The UTC day of a time in milliseconds. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * Whether the text is in one of the event's ids, or in the details as JSON, including field names. Ignores case; `text` must
 * be in lower case. The id of the event itself must match as a whole, because a part of a long number would match by
 * accident.
 */
function contains(event: AuditEvent, text: string): boolean {
  const ids = [event.moduleId, event.orderId, event.userId, event.entityId];
  if (event.id === text || ids.some((id) => id?.toLowerCase().includes(text))) return true;
  const details = JSON.stringify(event.details).toLowerCase();
  return details.includes(text) || details.includes(JSON.stringify(text).slice(1, -1));
}
