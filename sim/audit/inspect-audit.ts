// Reads the audit trail in a data directory and says whether what was promised is there: every event up to the position at
// which the journal's checkpoint stands. What came after, the journal's calls give again. Changes nothing.
//
// Of the newest CHECKED events each checksum is compared, older events when they are read; the structure of the whole file is
// checked up to CHECKED events. So the time of a start depends little on history: below a second for any trail.

import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { StorageFault } from "../journal/journal.ts";
import { readDatabase, sizeOf, structureFault, Unreadable } from "../journal/read-only-database.ts";
import { AUDIT_FILE, AUDIT_FORMAT_VERSION, type AuditRow, isWhole } from "./audit-tables.ts";

export const AUDIT_FILES = [AUDIT_FILE, `${AUDIT_FILE}-wal`, `${AUDIT_FILE}-journal`] as const;

const CHECKED = 50_000;
const BATCH = 2000;

export interface AuditInspection {
  readonly faults: readonly StorageFault[];
  /** Position of the newest event; 0 without one, null if it can't be told. */
  readonly lastPosition: number | null;
}

/**
 * @param promised position up to which events must be there
 * @param checked events looked at one by one; CHECKED if absent
 */
export function inspectAudit(directory: string, promised: number, checked: number = CHECKED): AuditInspection {
  const path = join(directory, AUDIT_FILE);
  const faults: StorageFault[] = [];
  const fault = (what: string) => faults.push({ file: AUDIT_FILE, fault: what });
  if (sizeOf(path) === 0) {
    if (promised > 0) fault(`is missing or empty, and had events 1 to ${promised}`);
    return { faults, lastPosition: 0 };
  }
  try {
    const lastPosition = readDatabase(path, (database) => {
      const version = numberFrom(database, "select user_version as number from pragma_user_version");
      const isEmpty = numberFrom(database, "select count(*) as number from sqlite_schema") === 0;
      if (version === 0 && isEmpty) return 0;
      if (version !== AUDIT_FORMAT_VERSION) {
        throw new Unreadable(`its format version reads ${version} instead of ${AUDIT_FORMAT_VERSION}`);
      }
      return readTrail(database, checked);
    });
    if (lastPosition < promised) fault(`ends at event ${lastPosition}, and had events up to ${promised}`);
    return { faults, lastPosition };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    fault(`is damaged: ${error.message}`);
    return { faults, lastPosition: null };
  }
}

/** Gives the position of the newest event. */
function readTrail(database: Database, checked: number): number {
  const count = numberFrom(database, "select count(*) as number from event");
  const structure = count <= checked ? structureFault(database, "integrity_check") : null;
  if (structure !== null) throw new Unreadable(structure);
  const last = numberFrom(database, "select coalesce(max(position), 0) as number from event");
  const first = numberFrom(database, "select coalesce(min(position), 1) as number from event");
  if (last - first + 1 !== count) throw new Unreadable(`of events ${first} to ${last}, ${count} are there`);
  const page = database.query<AuditRow, [number, number]>(
    "select * from event where position > ? order by position limit ?",
  );
  for (let after = Math.max(first - 1, last - checked); after < last;) {
    const rows = page.all(after, BATCH);
    const damaged = rows.find((row) => !isWhole(row));
    if (damaged !== undefined) throw new Unreadable(`event ${damaged.position} has the wrong checksum`);
    after = rows.at(-1)?.position ?? last;
  }
  return Math.max(last, numberFrom(database, "select coalesce(max(position), 0) as number from beginning"));
}

function numberFrom(database: Database, query: string): number {
  return database.query<{ number: number }, []>(query).get()?.number ?? 0;
}
