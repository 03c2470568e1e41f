// Merges event logs by sequence. Cost: a binary search in each log, then page size times the number of logs.

import type { EventLog } from "./event-log.ts";
import type { BufferedEvent } from "./event-reader.ts";

interface Cursor {
  readonly log: EventLog;
  index: number;
}

/** The oldest `limit` events after `since`, ascending, and whether there are more. */
export function mergeAfter(
  logs: readonly EventLog[],
  since: number,
  limit: number,
): { events: BufferedEvent[]; hasMore: boolean } {
  const cursors: Cursor[] = logs
    .map((log) => ({ log, index: log.firstAfter(since) }))
    .filter(({ log, index }) => index < log.length);
  const events: BufferedEvent[] = [];
  while (cursors.length > 0 && events.length < limit) {
    const cursor = best(cursors, (candidate, chosen) => candidate < chosen);
    events.push(cursor.log.at(cursor.index));
    cursor.index += 1;
    if (cursor.index === cursor.log.length) cursors.splice(cursors.indexOf(cursor), 1);
  }
  return { events, hasMore: cursors.length > 0 };
}

/** The newest `limit` events, ascending. */
export function mergeNewest(logs: readonly EventLog[], limit: number): BufferedEvent[] {
  const cursors: Cursor[] = logs
    .map((log) => ({ log, index: log.length - 1 }))
    .filter(({ index }) => index >= 0);
  const events: BufferedEvent[] = [];
  while (cursors.length > 0 && events.length < limit) {
    const cursor = best(cursors, (candidate, chosen) => candidate > chosen);
    events.push(cursor.log.at(cursor.index));
    cursor.index -= 1;
    if (cursor.index < 0) cursors.splice(cursors.indexOf(cursor), 1);
  }
  return events.reverse();
}

function best(cursors: readonly Cursor[], isBetter: (candidate: number, chosen: number) => boolean): Cursor {
  return cursors.reduce((chosen, candidate) =>
    isBetter(candidate.log.at(candidate.index).sequence, chosen.log.at(chosen.index).sequence) ? candidate : chosen
  );
}
