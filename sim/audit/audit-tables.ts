// The tables of the engine's own audit trail, and the statement that reads pages from them.
//
// user_version is the version of the format. A trail of another version, or the file of another program, is refused and not
// changed. Each row has a checksum over its other columns, which is compared whenever the row is read.
//
// Every index of SQLite ends with the row's position. So the events with one value and a range of positions are adjacent in
// the index.

import { Database } from "bun:sqlite";
import { auditId, epochOf, numberOf } from "../../common/audit/audit-id.ts";
import { type AuditSearch, dayOf } from "../../common/audit/audit-search.ts";
import type { AuditEvent } from "../../protocol/index.ts";
import type { RecordedEvent } from "../engine/api/audit-lines.ts";
import { formatVersion, tableCount } from "../journal/sqlite-values.ts";

export const AUDIT_FILE = "audit.sqlite";

const SCHEMA = [
  `create table event (
    position integer primary key, id text not null, time integer not null, event text not null,
    module_type text not null, module_id text not null, user_id text, entity_id text, order_id text,
    details text not null, checksum integer not null
  ) strict`,
  "create index event_by_module on event (module_id)",
  "create index event_by_order on event (order_id) where order_id is not null",
  "create index event_by_name on event (event)",
  "create index event_by_type on event (module_type)",
  "create table day (day text primary key, first_position integer not null) strict, without rowid",
  // The events up to this position were lost with an earlier trail.
  "create table beginning (only_row integer primary key check (only_row = 1), position integer not null) strict",
  "create table delivered (only_row integer primary key check (only_row = 1), position integer not null) strict",
] as const;

export const AUDIT_FORMAT_VERSION = 2;

/** Makes the file and the tables if they are missing. Throws if the file is not an audit trail. */
export function openAuditTables(path: string): Database {
  const database = new Database(path, { create: true, strict: true });
  try {
    // In exclusive mode no other reader can delay a WAL checkpoint, which makes events durable. If the mode is set before the
    // first query, SQLite needs no -shm file.
    database.run("pragma locking_mode = exclusive");
    const version = formatVersion(database);
    if (version === 0 && tableCount(database) > 0) throw new Error("it is not an audit trail of mkt");
    if (version !== 0 && version !== AUDIT_FORMAT_VERSION) {
      throw new Error(`it has format version ${version}, this mkt reads version ${AUDIT_FORMAT_VERSION}`);
    }
    database.run("pragma journal_mode = wal");
    database.run("pragma synchronous = normal");
    if (version === 0) makeTables(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeTables(database: Database): void {
  database.transaction(() => {
    for (const statement of SCHEMA) database.run(statement);
    database.run(`pragma user_version = ${AUDIT_FORMAT_VERSION}`);
  })();
}

/** A row of the table `event`. */
export type AuditRow = {
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
};

/** Adds events, oldest first, and the first position of each of their days. */
export function insertEvents(database: Database, events: readonly RecordedEvent[]): void {
  const insert = database.query<unknown, AuditRow>(
    `insert into event values ($position, $id, $time, $event, $module_type, $module_id, $user_id, $entity_id, $order_id,
      $details, $checksum)`,
  );
  const insertDay = database.query("insert or ignore into day values (?, ?)");
  let lastDay = "";
  for (const event of events) {
    const row = rowOf(event);
    insert.run(row);
    const day = dayOf(event.time);
    if (day !== lastDay) insertDay.run(day, row.position);
    lastDay = day;
  }
}

/** The oldest rows after a position, at most `limit`. */
export function rowsAfter(database: Database, position: number, limit: number): AuditRow[] {
  const query = "select * from event where position > ? order by position limit ?";
  return database.query<AuditRow, [number, number]>(query).all(position, limit);
}

/** An event from another store, or from a test, as the engine would record it. */
export function recordedOf({ id, time, details, ...event }: AuditEvent): RecordedEvent {
  const text = JSON.stringify(details);
  return { ...event, epoch: epochOf(id), position: numberOf(id), time: Date.parse(time), details: text };
}

function rowOf(event: RecordedEvent): AuditRow {
  const row = {
    position: event.position,
    id: auditId(event.epoch, event.position),
    time: event.time,
    event: event.event,
    module_type: event.moduleType,
    module_id: event.moduleId,
    user_id: event.userId,
    entity_id: event.entityId,
    order_id: event.orderId,
    details: event.details,
  };
  return { ...row, checksum: checksumOf(row) };
}

export function isWhole(row: AuditRow): boolean {
  return checksumOf(row) === row.checksum;
}

function checksumOf(row: Omit<AuditRow, "checksum">): number {
  const { position, id, time, event, module_type, module_id, user_id, entity_id, order_id, details } = row;
  const names = `${event}\n${module_type}\n${module_id}\n${user_id}\n${entity_id}\n${order_id}`;
  return Bun.hash.crc32(`${position}\n${id}\n${time}\n${names}\n${details}`);
}

/** Throws if the row is damaged. */
export function eventOf(row: AuditRow): AuditEvent {
  if (!isWhole(row)) throw new Error(`audit event ${row.position} is damaged in the engine's audit trail`);
  return {
    id: row.id,
    time: new Date(row.time).toISOString(),
    event: row.event,
    moduleType: row.module_type,
    moduleId: row.module_id,
    userId: row.user_id,
    entityId: row.entity_id,
    orderId: row.order_id,
    details: JSON.parse(row.details),
  };
}

/** The most selective index first. */
const INDEXES = [
  ["orderId", "order_id", "event_by_order"],
  ["moduleId", "module_id", "event_by_module"],
  ["event", "event", "event_by_name"],
  ["moduleType", "module_type", "event_by_type"],
] as const;

/** Its parameters are `values`, the first and the last position, and the number of events. */
export function pageStatement(search: AuditSearch): { readonly text: string; readonly values: readonly string[] } {
  for (const [property, column, index] of INDEXES) {
    const value = search[property];
    if (value === undefined) continue;
    return { text: statementOver(`event indexed by ${index}`, `${column} = ? and `), values: [value] };
  }
  return { text: statementOver("event", ""), values: [] };
}

function statementOver(table: string, condition: string): string {
  return `select * from ${table} where ${condition}position between ? and ? order by position desc limit ?`;
}
