// Reads an audit trail of the present format or the one before, and writes one of the format before anew. Changes nothing
// in the directory that it reads.
//
// Format 2, which journals up to format 8 had beside them, kept each event as a row, with a checksum over its columns. The
// format is the trail's own: it did not change together with the journal's.

import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { numberOf } from "../../common/audit/audit-id.ts";
import type { AuditEvent } from "../../protocol/index.ts";
import { readDatabase, sizeOf, Unreadable } from "../journal/read-only-database.ts";
import { formatVersion, readNumber, tableCount } from "../journal/sqlite-values.ts";
import { blockFrom, isWhole, linesOf } from "./audit-blocks.ts";
import { recordedEvents } from "../api/audit-lines.ts";
import { eventOf } from "./audit-events.ts";
import { AUDIT_FILE, AUDIT_FORMAT_VERSION } from "./audit-tables.ts";
import { SqliteAuditStore } from "./sqlite-audit-store.ts";

const FORMAT_OF_ROWS = 2;
const PAGE = 1000;

/** A row of the table `event`. */
interface EventRow {
  readonly position: number;
  readonly id: string;
  readonly time: number;
  readonly event: string;
  readonly module_type: string;
  readonly module_id: string;
  readonly user_id: string | null;
  readonly entity_id: string | null;
  readonly order_id: string | null;
  readonly details: string;
  readonly checksum: number;
}

export interface EarlierTrail {
  /** Whether `rewriteTrail` must write it anew. */
  readonly isEarlier: boolean;
  /** Position of the newest event; 0 without one. */
  readonly lastPosition: number;
  /** The events after a position, oldest first. Throws Unreadable if one is damaged. */
  after(position: number): Iterable<AuditEvent>;
}

const NO_TRAIL: EarlierTrail = { isEarlier: false, lastPosition: 0, after: () => [] };

/** Gives `use` the trail of a directory. Throws Unreadable if it is damaged. */
export function useEarlierTrail<Result>(directory: string, use: (trail: EarlierTrail) => Result): Result {
  const path = join(directory, AUDIT_FILE);
  if (sizeOf(path) === 0) return use(NO_TRAIL);
  return readDatabase(path, (database) => use(trailOf(database)));
}

/** Writes the trail of a directory in the present format to another directory, which must exist, and makes it durable. */
export function rewriteTrail(from: string, to: string): void {
  const path = join(from, AUDIT_FILE);
  readDatabase(path, (database) => {
    const position = (table: string) => readNumber(database, `select position as number from ${table}`);
    const store = SqliteAuditStore.open(to, { now: Date.now, capacity: Infinity });
    try {
      const beginning = position("beginning");
      if (beginning !== null) store.beginAfter(beginning);
      for (const event of rowsAfter(database, 0)) store.append([event]);
      const delivered = position("delivered");
      if (delivered !== null) store.markDelivered(delivered);
      store.sync();
    } finally {
      store.close();
    }
  });
}

function trailOf(database: Database): EarlierTrail {
  const version = formatVersion(database);
  if (version === 0 && tableCount(database) === 0) return NO_TRAIL;
  const number = (query: string) => readNumber(database, query) ?? 0;
  const beginning = () => number("select coalesce(max(position), 0) as number from beginning");
  if (version === FORMAT_OF_ROWS) {
    const [last, first, count] = ["max(position)", "min(position)", "count(*)"]
      .map((value) => number(`select ${value} as number from event`));
    if (last! - first! + 1 !== count && count !== 0) {
      throw new Unreadable(`of events ${first} to ${last}, only ${count} exist`);
    }
    const lastPosition = Math.max(last ?? 0, beginning());
    return { isEarlier: true, lastPosition, after: (position) => rowsAfter(database, position) };
  }
  if (version !== AUDIT_FORMAT_VERSION) {
    throw new Unreadable(`its format version reads ${version} instead of ${AUDIT_FORMAT_VERSION} or ${FORMAT_OF_ROWS}`);
  }
  const lastPosition = Math.max(number("select max(last_position) as number from block"), beginning());
  return { isEarlier: false, lastPosition, after: (position) => blocksAfter(database, position) };
}

function* rowsAfter(database: Database, position: number): Generator<AuditEvent, void, undefined> {
  const page = database.query<EventRow, [number]>(
    `select * from event where position > ? order by position limit ${PAGE}`,
  );
  for (let last = position;;) {
    const rows = page.all(last);
    for (const row of rows) yield eventOfRow(row);
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.position ?? last;
  }
}

function* blocksAfter(database: Database, position: number): Generator<AuditEvent, void, undefined> {
  for (let from = position + 1;;) {
    const block = blockFrom(database, from);
    if (block === null) return;
    if (!isWhole(block)) {
      throw new Unreadable(`events ${block.first_position} to ${block.last_position} have the wrong checksum`);
    }
    for (const event of recordedEvents(linesOf(block))) if (event.position >= from) yield eventOf(event);
    from = block.last_position + 1;
  }
}

function eventOfRow(row: EventRow): AuditEvent {
  const { position, id, time, event, module_type, module_id, user_id, entity_id, order_id, details } = row;
  const names = `${event}\n${module_type}\n${module_id}\n${user_id}\n${entity_id}\n${order_id}`;
  const isRowWhole = Bun.hash.crc32(`${position}\n${id}\n${time}\n${names}\n${details}`) === row.checksum;
  if (!isRowWhole || numberOf(id) !== position) throw new Unreadable(`event ${position} has the wrong checksum`);
  return {
    id,
    time: new Date(time).toISOString(),
    event,
    moduleType: module_type,
    moduleId: module_id,
    userId: user_id,
    entityId: entity_id,
    orderId: order_id,
    details: JSON.parse(details),
  };
}
