// Reads the audit trail of a data directory and reports whether it has every event up to the position in the journal's
// checkpoint. A replay of the journal adds later events again. Changes nothing.
//
// Compares the checksums of the newest CHECKED events only; older events are checked when they are read. The structure of
// the file is checked only if it has at most CHECKED events. So a start takes less than a second for any trail.

import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { StorageFault } from "../journal/journal.ts";
import { readDatabase, sizeOf, structureFault, Unreadable } from "../journal/read-only-database.ts";
import { formatVersion, readNumber, tableCount } from "../journal/sqlite-values.ts";
import { blockFrom, wholeBlocksFrom } from "./audit-blocks.ts";
import { AUDIT_FILE, AUDIT_FORMAT_VERSION, AUDIT_WAL_FILE } from "./audit-tables.ts";

export const AUDIT_FILES = [AUDIT_FILE, AUDIT_WAL_FILE, `${AUDIT_FILE}-journal`] as const;

const CHECKED = 50_000;
/** A pattern of SQLite. */
const DAY = "'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'";

export interface AuditInspection {
  readonly faults: readonly StorageFault[];
  /** Position of the newest event; 0 without one, null if the file is damaged. */
  readonly lastPosition: number | null;
}

/**
 * @param required position up to which all events must exist
 * @param checked number of events whose checksums are compared; default CHECKED
 */
export function inspectAudit(directory: string, required: number, checked: number = CHECKED): AuditInspection {
  const path = join(directory, AUDIT_FILE);
  const faults: StorageFault[] = [];
  const fault = (what: string) => faults.push({ file: AUDIT_FILE, fault: what });
  if (sizeOf(path) === 0) {
    if (required > 0) fault(`is missing or empty, but had events 1 to ${required}`);
    return { faults, lastPosition: 0 };
  }
  try {
    const lastPosition = readDatabase(path, (database) => {
      const version = formatVersion(database);
      const isEmpty = tableCount(database) === 0;
      if (version === 0 && isEmpty) return 0;
      if (version !== AUDIT_FORMAT_VERSION) {
        throw new Unreadable(`its format version reads ${version} instead of ${AUDIT_FORMAT_VERSION}`);
      }
      return readTrail(database, checked);
    });
    if (lastPosition < required) fault(`ends at event ${lastPosition}, but had events up to ${required}`);
    return { faults, lastPosition };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    fault(`is damaged: ${error.message}`);
    return { faults, lastPosition: null };
  }
}

/** Returns the position of the newest event. Throws Unreadable. */
function readTrail(database: Database, checked: number): number {
  const number = (query: string) => readNumber(database, query) ?? 0;
  const count = number("select sum(last_position - first_position + 1) as number from block");
  const structure = count <= checked ? structureFault(database, "integrity_check") : null;
  if (structure !== null) throw new Unreadable(structure);
  // The structure of the file is also sound if the pages of two tables were exchanged.
  if (number(`select exists (select 1 from day where day not glob ${DAY}) as number`) === 1) {
    throw new Unreadable("its table of days holds something else");
  }
  const last = number("select max(last_position) as number from block");
  const first = blockFrom(database, 0)?.first_position ?? 1;
  if (last - first + 1 !== count) throw new Unreadable(`of events ${first} to ${last}, only ${count} exist`);
  // Throws if one has the wrong checksum.
  for (const _ of wholeBlocksFrom(database, Math.max(first, last - checked + 1)));
  return Math.max(last, number("select coalesce(max(position), 0) as number from beginning"));
}
