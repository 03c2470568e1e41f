// Merges event logs by sequence. Cost: a binary search in each log, then page size times the number of logs.

import type { EventLog } from "./event-log.ts";
import type { BufferedEvent } from "./event-reader.ts";

interface Cursor {
  readonly log: EventLog;
  index: number;
}

/** The oldest `limit` events after `since`, ascending, and whether there are more. */
export function mergeAfter(logs: readonly EventLog[], since: number, limit: number) {
  return merge(logs.map((log) => ({ log, index: log.firstAfter(since) })), 1, limit);
}

/** The newest `limit` events, ascending. */
export function mergeNewest(logs: readonly EventLog[], limit: number): BufferedEvent[] {
  return merge(logs.map((log) => ({ log, index: log.length - 1 })), -1, limit).events.reverse();
}

/** Up to `limit` events in the direction of `step`: ascending for 1, descending for -1. */
function merge(starts: readonly Cursor[], step: 1 | -1, limit: number) {
  const cursors = starts.filter(isWithin);
  const events: BufferedEvent[] = [];
  while (cursors.length > 0 && events.length < limit) {
    const next = cursors.reduce((chosen, cursor) =>
      (sequenceAt(cursor) - sequenceAt(chosen)) * step < 0 ? cursor : chosen
    );
    events.push(next.log.at(next.index));
    next.index += step;
    if (!isWithin(next)) cursors.splice(cursors.indexOf(next), 1);
  }
  return { events, hasMore: cursors.length > 0 };
}

function isWithin({ log, index }: Cursor): boolean {
  return index >= 0 && index < log.length;
}

function sequenceAt({ log, index }: Cursor): number {
  return log.at(index).sequence;
}
