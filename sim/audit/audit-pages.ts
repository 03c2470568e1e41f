// Reads pages of the audit trail. A cursor is an event's id, which contains its position. So a client that pages through the
// trail sees each event that existed when it began exactly once, whatever is appended meanwhile.
//
// A query reads one range of positions, over the whole trail or within one value of one index. Other conditions are checked
// on the events of that range, BATCH at a time; other work runs between batches.

import type { Database } from "bun:sqlite";
import { type AuditSearch, collectPage, foreignCursor } from "../../common/audit/audit-search.ts";
import type { AuditEvent, AuditPage } from "../../protocol/index.ts";
import { readNumber } from "../journal/sqlite-values.ts";
import { type AuditRow, eventOf, pageStatement } from "./audit-tables.ts";

const BATCH = 2000;

/** Positions of the oldest and the newest event. */
interface AuditBounds {
  readonly oldest: number;
  readonly newest: number;
}

export async function readPage(database: Database, bounds: AuditBounds, search: AuditSearch): Promise<AuditPage> {
  const before = search.cursor === undefined ? bounds.newest + 1 : cursorPosition(database, bounds, search.cursor);
  const firstOf = (comparison: ">" | ">=", day: string) =>
    readNumber(database, `select min(first_position) as number from day where day ${comparison} ?`, day) ??
      bounds.newest + 1;
  const last = Math.min(before, firstOf(">", search.to)) - 1;
  return await collectPage(search, batches(database, search, firstOf(">=", search.from), last), ({ id }) => id);
}

/** Newest first. The first batch is enough if every event in the range matches. */
async function* batches(
  database: Database,
  search: AuditSearch,
  first: number,
  newest: number,
): AsyncGenerator<AuditEvent[], void, undefined> {
  const { text, values } = pageStatement(search);
  const statement = database.query<AuditRow, (string | number)[]>(text);
  let last = newest;
  for (let limit = search.limit + 1;; limit = Math.min(2 * limit, BATCH)) {
    const rows = statement.all(...values, first, last, limit);
    yield rows.map(eventOf);
    if (rows.length < limit) return;
    last = (rows.at(-1)?.position ?? first) - 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A cursor stays valid when its event has been deleted: all older events were deleted before it. */
function cursorPosition(database: Database, { oldest, newest }: AuditBounds, cursor: string): number {
  const [, digits] = /^\d{16}-(\d{12})$/.exec(cursor) ?? [];
  const position = Number(digits ?? NaN);
  if (Number.isNaN(position) || position > newest) throw foreignCursor(cursor);
  const row = database.query<{ id: string }, [number]>("select id from event where position = ?").get(position);
  if (row !== null ? row.id !== cursor : position >= oldest) throw foreignCursor(cursor);
  return position;
}
