// Reads all audit events that an engine has recorded in a directory. Changes nothing there.

import { join } from "node:path";
import type { AuditEvent } from "../../protocol/index.ts";
import { recordedEvents } from "../api/audit-lines.ts";
import { readDatabase, sizeOf, Unreadable } from "../journal/read-only-database.ts";
import { tableCount } from "../journal/sqlite-values.ts";
import { blockFrom, isWhole, linesOf } from "./audit-blocks.ts";
import { eventOf } from "./audit-events.ts";
import { AUDIT_FILE } from "./audit-tables.ts";

/** The events after a position, oldest first. Throws Unreadable if one is damaged. */
export type EventsAfter = (position: number) => Iterable<AuditEvent>;

/** Gives `use` the trail of a directory whose inspection found no fault. Throws Unreadable if it is damaged. */
export function useRecordedTrail<Result>(directory: string, use: (eventsAfter: EventsAfter) => Result): Result {
  const path = join(directory, AUDIT_FILE);
  if (sizeOf(path) === 0) return use(() => []);
  return readDatabase(path, (database) => {
    if (tableCount(database) === 0) return use(() => []);
    return use(function* (position) {
      for (let from = position + 1;;) {
        const block = blockFrom(database, from);
        if (block === null) return;
        if (!isWhole(block)) {
          throw new Unreadable(`events ${block.first_position} to ${block.last_position} have the wrong checksum`);
        }
        for (const event of recordedEvents(linesOf(block))) if (event.position >= from) yield eventOf(event);
        from = block.last_position + 1;
      }
    });
  });
}
