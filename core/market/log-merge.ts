// Merges event logs by sequence, without the entries that don't match. Cost: a binary search in each log, then the number of
// logs for each event of the page, and one test for each entry that does not match.

import type { Selection } from "./category-index.ts";
import { type EventEntry, positionAfter, type ReadableLog } from "./event-log.ts";
import type { BufferedEvent } from "./event-reader.ts";

interface Cursor {
  readonly log: ReadableLog;
  readonly matches: ((entry: EventEntry) => boolean) | null;
  position: number;
}

/** The oldest `limit` events after `since`, ascending, and whether there are more. */
export function mergeAfter(selections: readonly Selection[], since: number, limit: number) {
  return merge(selections, (log) => Math.max(log.evictedLength, positionAfter(log, since)), 1, limit);
}

/** The newest `limit` events before `before`, ascending. */
export function mergeNewest(selections: readonly Selection[], limit: number, before = Infinity): BufferedEvent[] {
  const last = (log: ReadableLog) => (before === Infinity ? log.size : positionAfter(log, before - 1)) - 1;
  return merge(selections, last, -1, limit).events.reverse();
}

/** Up to `limit` events in the direction of `step`: ascending for 1, descending for -1. */
function merge(
  selections: readonly Selection[],
  first: (log: ReadableLog) => number,
  step: 1 | -1,
  limit: number,
) {
  const cursors: Cursor[] = selections
    .flatMap((selection) => {
      const matches = selection.kind === "keyed" ? selection.matches : null;
      return selection.logs.map((log: ReadableLog) => ({ log, matches, position: first(log) }));
    })
    .filter((cursor) => settle(cursor, step));
  const events: BufferedEvent[] = [];
  while (cursors.length > 0 && events.length < limit) {
    const next = cursors.reduce((chosen, cursor) =>
      (entryOf(cursor).sequence - entryOf(chosen).sequence) * step < 0 ? cursor : chosen
    );
    events.push(entryOf(next).event!);
    next.position += step;
    if (!settle(next, step)) cursors.splice(cursors.indexOf(next), 1);
  }
  return { events, hasMore: cursors.length > 0 };
}

/** Moves the cursor to the next live entry that matches, which may be its own. False: there is none. */
function settle(cursor: Cursor, step: 1 | -1): boolean {
  const { log, matches } = cursor;
  while (cursor.position >= log.evictedLength && cursor.position < log.size) {
    if (matches === null || matches(entryOf(cursor))) return true;
    cursor.position += step;
  }
  return false;
}

function entryOf({ log, position }: Cursor): EventEntry {
  return log.entryAt(position);
}
