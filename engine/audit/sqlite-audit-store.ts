// The engine's own audit trail, in SQLite: in DIR/audit.sqlite, or in memory.
//
// An event's position is the running number in its id. The table `day` holds the first position of each day, so every query
// reads one range of positions (audit-pages.ts). Events are stored in blocks (audit-blocks.ts).
//
// Appended events are written WRITE_SIZE at a time, and before a query. They may be lost with the process, because a replay
// of the journal appends them again. `sync` makes them durable; it must precede the deletion of those calls.
//
// Limits: the newest `capacity` events are kept (5,000,000 in a directory, some 0.2 GB; 250,000 in memory), and in a
// directory also all undelivered ones. The table `delivered` holds the position up to which another store has the events
// (audit-delivery.ts).

import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { auditId } from "../../common/audit/audit-id.ts";
import { type AuditSearch, dayOf, searchOfOrder, searchOfQuery } from "../../common/audit/audit-search.ts";
import type { AuditStore } from "../../common/audit/audit-store.ts";
import type { AuditViewer } from "../../common/audit/audit-visibility.ts";
import { errorLine } from "../../common/error-message.ts";
import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../protocol/index.ts";
import { DAY_MS } from "../../protocol/time-units.ts";
import { auditLine, AuditLines, type RecordedEvent, recordedEvents } from "../api/audit-lines.ts";
import { makePrivateFile } from "../journal/private-files.ts";
import { type StorageGuard, UNGUARDED } from "../journal/storage-guard.ts";
import { readNumber } from "../journal/sqlite-values.ts";
import { readPage } from "./audit-pages.ts";
import type { EngineAuditStore } from "./engine-audit-store.ts";
import {
  blockFrom,
  BlockMaker,
  type BlockRow,
  blocksFrom,
  deleteAfter,
  deleteBefore,
  linesOf,
} from "./audit-blocks.ts";
import { eventOf, recordedOf } from "./audit-events.ts";
import { AUDIT_FILE, openAuditTables } from "./audit-tables.ts";

const CAPACITY_ON_DISK = 5_000_000;
export const CAPACITY_IN_MEMORY = 250_000;
const WRITE_SIZE = 500;
/** Compressed bytes of blocks that are read at once: about a millisecond. */
const BLOCK_BYTES_AT_ONCE = 1 << 18;

interface SqliteAuditStoreOptions {
  /** Milliseconds since the epoch; decides which day is today. */
  readonly now: () => number;
  readonly capacity?: number;
  /** Default UNGUARDED. */
  readonly guard?: StorageGuard;
  /** A search that takes longer ends with a cursor; default: none does. */
  readonly searchMs?: number;
}

export class SqliteAuditStore implements AuditStore, EngineAuditStore {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #capacity: number;
  readonly #guard: StorageGuard;
  readonly #searchMs: number;
  readonly isDurable: boolean;
  /** Appended but not yet written. */
  #pending = new BlockMaker();
  #oldestPosition = 1;
  #lastPosition = 0;
  #lastDay = "";
  /** When the last day began, in milliseconds since the epoch; NaN until an event of it has come. */
  #dayStart = NaN;
  /** Days that began with a pending event, and the position of that event. */
  #pendingDays: [day: string, position: number][] = [];
  #delivered: number | null = null;

  /** Opens the trail of a directory, which must exist. Throws an Error of one line. */
  static open(directory: string, options: SqliteAuditStoreOptions): SqliteAuditStore {
    const path = join(directory, AUDIT_FILE);
    try {
      makePrivateFile(path);
      return new SqliteAuditStore(path, CAPACITY_ON_DISK, options);
    } catch (error) {
      throw new Error(`audit trail in ${path}: ${errorLine(error)}`, { cause: error });
    }
  }

  static inMemory(options: SqliteAuditStoreOptions): SqliteAuditStore {
    return new SqliteAuditStore(":memory:", CAPACITY_IN_MEMORY, options);
  }

  private constructor(path: string, mostEvents: number, options: SqliteAuditStoreOptions) {
    const { now, capacity = mostEvents, guard = UNGUARDED, searchMs = Infinity } = options;
    this.#now = now;
    this.#capacity = capacity;
    this.#guard = guard;
    this.#searchMs = searchMs;
    this.isDurable = path !== ":memory:";
    this.#database = openAuditTables(path);
    this.#readBounds();
  }

  get lastPosition(): number {
    return this.#lastPosition;
  }

  /** Number of events in the trail. */
  get size(): number {
    return Math.max(0, this.#lastPosition - this.#oldestPosition + 1);
  }

  append(events: readonly AuditEvent[]): void {
    this.record(events.map((event) => auditLine(recordedOf(event))).join(""));
  }

  /** Adds the events of lines. Throws if an event is of an earlier day than the one before. */
  record(lines: string): void {
    for (const reader = new AuditLines(lines); reader.next();) {
      const { position, time } = reader;
      if (position <= this.#lastPosition) continue;
      if (!(time >= this.#dayStart && time < this.#dayStart + DAY_MS)) this.#takeDay(reader.event());
      if (this.size === 0) this.#oldestPosition = position;
      this.#lastPosition = position;
      this.#pending.add(reader);
    }
    if (this.#pending.events >= WRITE_SIZE) this.write();
  }

  async query(query: AuditQuery, viewer?: AuditViewer, signal?: AbortSignal): Promise<AuditPage> {
    return await this.#page(searchOfQuery(query, viewer), signal);
  }

  async orderEvents(orderId: string, query: OrderEventsQuery, signal?: AbortSignal): Promise<AuditPage> {
    return await this.#page(searchOfOrder(orderId, query, this.#now()), signal);
  }

  get delivered(): number | null {
    return this.#delivered;
  }

  /** Writes the appended events, so they outlive the process. */
  write(): void {
    if (this.#pending.events === 0) return;
    const undelivered = this.isDurable && this.#delivered !== null ? this.#delivered + 1 : Infinity;
    const oldest = Math.min(this.#lastPosition - this.#capacity + 1, undelivered);
    this.#guard.attempt(() => this.#writePending(oldest));
    this.#pending = new BlockMaker();
    this.#pendingDays = [];
    this.#oldestPosition = Math.max(oldest, this.#oldestPosition);
  }

  sync(): void {
    this.write();
    this.#database.run("pragma wal_checkpoint(truncate)");
  }

  truncate(position: number): void {
    this.write();
    this.#database.transaction(() => {
      deleteAfter(this.#database, position);
      this.#database.query("delete from day where first_position > ?").run(position);
      this.#database.query("update beginning set position = min(position, ?)").run(position);
      this.#database.query("update delivered set position = min(position, ?)").run(position);
    })();
    this.#readBounds();
  }

  beginAfter(position: number): void {
    this.#database.query("insert or replace into beginning values (1, ?)").run(position);
    this.#readBounds();
  }

  beginDelivery(): number {
    if (this.#delivered === null) this.markDelivered(0);
    return this.#delivered ?? 0;
  }

  markDelivered(position: number): void {
    this.#database.query("insert or replace into delivered values (1, ?)").run(position);
    this.#delivered = position;
  }

  after(position: number, limit: number): AuditEvent[] {
    this.write();
    const events: AuditEvent[] = [];
    const first = Math.max(position + 1, this.#oldestPosition);
    for (const row of blocksFrom(this.#database, first)) {
      const read = recordedEvents(linesOf(row)).filter((event) => event.position >= first);
      for (const event of read.slice(0, limit - events.length)) events.push(eventOf(event));
      if (events.length === limit) break;
    }
    return events;
  }

  blocksAfter(position: number): BlockRow[] {
    this.write();
    const rows: BlockRow[] = [];
    let bytes = 0;
    for (const row of blocksFrom(this.#database, position + 1)) {
      rows.push(row);
      bytes += row.lines.length;
      if (bytes >= BLOCK_BYTES_AT_ONCE) break;
    }
    return rows;
  }

  /** Never calls back: a trail in this thread fails in the calls themselves. */
  watch(_onFailure: (failure: Error) => void): void {}

  /** Events appended since the last `sync` may be lost. */
  close(): void {
    this.#database.close();
  }

  async #page(search: AuditSearch, signal: AbortSignal | undefined): Promise<AuditPage> {
    this.write();
    const bounds = { oldest: this.#oldestPosition, newest: this.#lastPosition };
    return await readPage(this.#database, bounds, search, { milliseconds: this.#searchMs, signal });
  }

  #readBounds(): void {
    const beginning = readNumber(this.#database, "select position as number from beginning") ?? 0;
    this.#lastPosition = readNumber(this.#database, "select max(last_position) as number from block") ?? beginning;
    this.#oldestPosition = blockFrom(this.#database, 0)?.first_position ?? this.#lastPosition + 1;
    const newest = this.#database.query<{ day: string | null }, []>("select max(day) as day from day").get();
    this.#lastDay = newest?.day ?? "";
    this.#dayStart = NaN;
    this.#delivered = readNumber(this.#database, "select position as number from delivered");
  }

  /** Writes the pending events, and deletes those before position `oldest`. */
  #writePending(oldest: number): void {
    this.#database.transaction(() => {
      this.#pending.insert(this.#database);
      const insertDay = this.#database.query("insert or ignore into day values (?, ?)");
      for (const day of this.#pendingDays) insertDay.run(...day);
      if (oldest > this.#oldestPosition) deleteBefore(this.#database, oldest);
    })();
  }

  /** Begins the day of an event, if it is a new one. Throws if it is an earlier one. */
  #takeDay({ epoch, position, time }: RecordedEvent): void {
    const day = dayOf(time);
    if (day < this.#lastDay) {
      throw new Error(`audit event ${auditId(epoch, position)} of ${day} after ${this.#lastDay}`);
    }
    if (day !== this.#lastDay) this.#pendingDays.push([day, position]);
    this.#lastDay = day;
    this.#dayStart = Date.parse(day);
  }
}
