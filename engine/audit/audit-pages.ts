// Reads pages of the audit trail. A cursor is an event's id, which contains its position. So a client that pages through the
// trail sees each event that existed when it began exactly once, whatever is appended meanwhile.
//
// A query reads the blocks of one range of positions, newest first: all of them, or those with an event that has one key.
// Other conditions are checked on the events with that key. Other work runs between blocks, and there a search may end before
// its page is full: with a cursor if its time is over, or with nothing if nobody waits for it any more.

import type { Database } from "bun:sqlite";
import { type AuditSearch, collectPage, foreignCursor } from "../../common/audit/audit-search.ts";
import type { AuditEvent, AuditPage } from "../../protocol/index.ts";
import { type RecordedEvent, recordedEvents } from "../api/audit-lines.ts";
import { readNumber } from "../journal/sqlite-values.ts";
import { blockFrom, type BlockRow, linesOf } from "./audit-blocks.ts";
import { eventOf } from "./audit-events.ts";

/** Positions of the oldest and the newest event. */
interface AuditBounds {
  readonly oldest: number;
  readonly newest: number;
}

/** When a search ends that has found too little. */
interface SearchEnd {
  readonly milliseconds: number;
  readonly signal: AbortSignal | undefined;
}

/** Throws the reason of `end.signal` if that aborts first. */
export async function readPage(
  database: Database,
  bounds: AuditBounds,
  search: AuditSearch,
  end: SearchEnd,
): Promise<AuditPage> {
  const began = performance.now();
  const outOfTime = () => {
    end.signal?.throwIfAborted();
    return performance.now() - began >= end.milliseconds;
  };
  const before = search.cursor === undefined ? bounds.newest + 1 : cursorPosition(database, bounds, search.cursor);
  const firstOf = (comparison: ">" | ">=", day: string) =>
    readNumber(database, `select min(first_position) as number from day where day ${comparison} ?`, day) ??
      bounds.newest + 1;
  const first = Math.max(firstOf(">=", search.from), bounds.oldest);
  const last = Math.min(before, firstOf(">", search.to)) - 1;
  return await collectPage(search, batches(database, search, first, last), ({ id }) => id, outOfTime);
}

/**
 * The events from `first` to `last`, newest first. The first batch is enough if every event in the range matches. Each block
 * that is read gives an event, so a search may end after it.
 */
async function* batches(
  database: Database,
  search: AuditSearch,
  first: number,
  last: number,
): AsyncGenerator<AuditEvent[], void, undefined> {
  const { property, key } = keyOf(search);
  const { text, values } = blockStatement(key);
  const statement = database.query<BlockRow, (string | number)[]>(text);
  const isInRange = ({ position }: RecordedEvent) => position >= first && position <= last;
  const isWanted = (event: RecordedEvent) => property === null || event[property] === key;
  let newest = blockFrom(database, last)?.last_position ?? last;
  for (;;) {
    const row = statement.get(...values, first, newest);
    if (row === null) return;
    const searched = recordedEvents(linesOf(row)).filter(isInRange);
    const wanted = searched.filter(isWanted).reverse();
    // Another property may have the key in every event of the block.
    const events = wanted.length > 0 ? wanted : searched.slice(0, 1);
    for (let from = 0; from < events.length; from += search.limit + 1) {
      yield events.slice(from, from + search.limit + 1).map(eventOf);
    }
    newest = row.last_position - 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The most selective property first. */
const KEYS = ["orderId", "moduleId", "event", "moduleType"] as const;

function keyOf(search: AuditSearch): { property: (typeof KEYS)[number] | null; key: string | null } {
  const property = KEYS.find((name) => search[name] !== undefined) ?? null;
  return { property, key: property === null ? null : search[property] ?? null };
}

/** Reads the newest block of a range of last positions. Its parameters are `values`, and the ends of the range. */
export function blockStatement(key: string | null): { readonly text: string; readonly values: readonly string[] } {
  const newest = "last_position between ? and ? order by last_position desc limit 1";
  if (key === null) return { text: `select * from block where ${newest}`, values: [] };
  const mentioned = `select last_position from mention where key = ? and ${newest}`;
  return { text: `select * from block where last_position = (${mentioned})`, values: [key] };
}

/** A cursor stays valid when its event has been deleted: all older events were deleted before it. */
function cursorPosition(database: Database, { oldest, newest }: AuditBounds, cursor: string): number {
  const [, digits] = /^\d{16}-(\d{12})$/.exec(cursor) ?? [];
  const position = Number(digits ?? NaN);
  if (Number.isNaN(position) || position > newest) throw foreignCursor(cursor);
  const row = blockFrom(database, position);
  const event = row && recordedEvents(linesOf(row)).find((each) => each.position === position);
  if (event ? eventOf(event).id !== cursor : position >= oldest) throw foreignCursor(cursor);
  return position;
}
