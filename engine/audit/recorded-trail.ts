// Reads all audit events that an engine has recorded in a directory. Changes nothing there.

import { join } from "node:path";
import type { AuditEvent } from "../../protocol/index.ts";
import { recordedEvents } from "../api/audit-lines.ts";
import { readDatabase, sizeOf } from "../journal/read-only-database.ts";
import { tableCount } from "../journal/sqlite-values.ts";
import { linesOf, wholeBlocksFrom } from "./audit-blocks.ts";
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
      for (const block of wholeBlocksFrom(database, position + 1)) {
        for (const event of recordedEvents(linesOf(block))) if (event.position > position) yield eventOf(event);
      }
    });
  });
}
