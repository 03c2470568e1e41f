// Reads several lanes as one, by sequence. Cost: a binary search in each lane, then the page times the number of lanes.

import type { EventLane } from "./event-lane.ts";
import type { BufferedEvent } from "./event-reader.ts";

interface Cursor {
  readonly lane: EventLane;
  index: number;
}

/** The oldest `limit` events after `since`, ascending, and whether there are more. */
export function mergeAfter(
  lanes: readonly EventLane[],
  since: number,
  limit: number,
): { events: BufferedEvent[]; hasMore: boolean } {
  const cursors: Cursor[] = lanes
    .map((lane) => ({ lane, index: lane.firstAfter(since) }))
    .filter(({ lane, index }) => index < lane.length);
  const events: BufferedEvent[] = [];
  while (cursors.length > 0 && events.length < limit) {
    const cursor = best(cursors, (candidate, chosen) => candidate < chosen);
    events.push(cursor.lane.at(cursor.index));
    cursor.index += 1;
    if (cursor.index === cursor.lane.length) cursors.splice(cursors.indexOf(cursor), 1);
  }
  return { events, hasMore: cursors.length > 0 };
}

/** The newest `limit` events, ascending. */
export function mergeNewest(lanes: readonly EventLane[], limit: number): BufferedEvent[] {
  const cursors: Cursor[] = lanes
    .map((lane) => ({ lane, index: lane.length - 1 }))
    .filter(({ index }) => index >= 0);
  const events: BufferedEvent[] = [];
  while (cursors.length > 0 && events.length < limit) {
    const cursor = best(cursors, (candidate, chosen) => candidate > chosen);
    events.push(cursor.lane.at(cursor.index));
    cursor.index -= 1;
    if (cursor.index < 0) cursors.splice(cursors.indexOf(cursor), 1);
  }
  return events.reverse();
}

function best(cursors: readonly Cursor[], isBetter: (candidate: number, chosen: number) => boolean): Cursor {
  return cursors.reduce((chosen, candidate) =>
    isBetter(candidate.lane.at(candidate.index).sequence, chosen.lane.at(chosen.index).sequence) ? candidate : chosen
  );
}
