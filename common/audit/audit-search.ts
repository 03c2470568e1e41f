// What every audit store does alike: which days and which events a query means, and where an answer ends.

import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../protocol/index.ts";
import { AuditFailure } from "./audit-failure.ts";

const DAY_MS = 86_400_000;
/** Days searched for an order's history where no date is given; today is one of them. */
const ORDER_HISTORY_DAYS = 7;
/** Events that one answer may look at in vain; the cursor goes on from there. */
export const GREATEST_MISSES = 50_000;

/** One question, of either kind. */
export interface AuditSearch {
  /** UTC days, both included. */
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

export function searchOfQuery(query: AuditQuery, visible?: (event: AuditEvent) => boolean): AuditSearch {
  const { search, ...rest } = query;
  const text = search?.toLowerCase();
  return {
    ...rest,
    matches: (event) =>
      (query.moduleType === undefined || event.moduleType === query.moduleType) &&
      (query.moduleId === undefined || event.moduleId === query.moduleId) &&
      (query.event === undefined || event.event === query.event) &&
      (visible === undefined || visible(event)) &&
      (text === undefined || contains(event, text)),
  };
}

/** `now` in milliseconds since the epoch: which day is today. */
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
 * Collects a page from events that come newest first, a batch at a time. One match more than the limit tells whether
 * there is more. It ends early, with a cursor, after GREATEST_MISSES, or where a batch has ended `outOfTime`.
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
    if (last !== undefined && (misses >= GREATEST_MISSES || outOfTime())) {
      return { events: found, hasMore: true, cursor: cursorOf(last), range };
    }
  }
  return { events: found, hasMore: false, cursor: null, range };
}

export function foreignCursor(cursor: string): AuditFailure {
  return new AuditFailure(
    "invalid_input",
    `cursor: ${JSON.stringify(cursor.slice(0, 100))} is none of this audit trail.`,
    "Pass the cursor of the last answer unchanged, or leave it out to begin anew.",
  );
}

/** The UTC day of a time in milliseconds. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * Text in an id of what the event is about, or anywhere in the details as JSON, names of fields included; ignoring case.
 * The event's own id must be the whole text: part of a long number would match by accident. `text` is in lower case.
 */
function contains(event: AuditEvent, text: string): boolean {
  const ids = [event.moduleId, event.orderId, event.userId, event.entityId];
  if (event.id === text || ids.some((id) => id?.toLowerCase().includes(text))) return true;
  const details = JSON.stringify(event.details).toLowerCase();
  return details.includes(text) || details.includes(JSON.stringify(text).slice(1, -1));
}
