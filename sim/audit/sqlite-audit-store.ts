// The engine's own audit trail, in SQLite: in DIR/audit.sqlite, or in memory.
//
// An event's position is the running number in its id, so that a cursor names an event for good, and a walk by cursor
// sees each event that was there when it began once, whatever is appended meanwhile. `day` holds the first position of
// each day. So every query is one range of positions, over the whole trail or within one value of one index; what else
// is asked is looked up in the events of that range, BATCH at a time, letting other work in between.
//
// What was appended is written WRITE_SIZE events at a time, and before it is read. It may be lost with the process, since
// the journal gives it again; `sync` makes it outlast everything, and comes before the journal drops those calls.
//
// Limits: the newest `capacity` events are kept (5,000,000 in a directory, some 1.6 GB; 250,000 in memory), and in a
// directory those that are not yet delivered. `delivered` is the mark of what table storage has (audit-delivery.ts).

import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { numberOf } from "../../common/audit/audit-id.ts";
import {
  type AuditSearch,
  collectPage,
  foreignCursor,
  searchOfOrder,
  searchOfQuery,
} from "../../common/audit/audit-search.ts";
import type { AuditStore } from "../../common/audit/audit-store.ts";
import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../protocol/index.ts";
import { makePrivateFile } from "../journal/private-files.ts";
import { type StorageGuard, UNGUARDED } from "../journal/storage-guard.ts";
import { AUDIT_FILE, type AuditRow, eventOf, openAuditTables, pageStatement, rowOf } from "./audit-tables.ts";

const CAPACITY_ON_DISK = 5_000_000;
export const CAPACITY_IN_MEMORY = 250_000;
const WRITE_SIZE = 500;
const BATCH = 2000;

export interface SqliteAuditStoreOptions {
  /** Milliseconds since the epoch: which day is today. */
  readonly now: () => number;
  readonly capacity?: number;
  /** What is done when there is no room; absent: nothing. */
  readonly guard?: StorageGuard;
}

export class SqliteAuditStore implements AuditStore {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #capacity: number;
  readonly #guard: StorageGuard;
  /** Whether it outlives its process; then it keeps what is not delivered, however much that is. */
  readonly isDurable: boolean;
  /** Appended and not yet written, oldest first. */
  #pending: AuditEvent[] = [];
  #oldestPosition = 1;
  #lastPosition = 0;
  #lastDay = "";
  #delivered: number | null = null;

  /** In a directory, which must be there. Throws an Error of one line. */
  static open(directory: string, options: SqliteAuditStoreOptions): SqliteAuditStore {
    const path = join(directory, AUDIT_FILE);
    try {
      makePrivateFile(path);
      return new SqliteAuditStore(path, { capacity: CAPACITY_ON_DISK, ...options });
    } catch (error) {
      const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
      throw new Error(`audit trail in ${path}: ${reason}`, { cause: error });
    }
  }

  static inMemory(options: SqliteAuditStoreOptions): SqliteAuditStore {
    return new SqliteAuditStore(":memory:", { capacity: CAPACITY_IN_MEMORY, ...options });
  }

  private constructor(
    path: string,
    { now, capacity, guard = UNGUARDED }: SqliteAuditStoreOptions & { readonly capacity: number },
  ) {
    this.#now = now;
    this.#capacity = capacity;
    this.#guard = guard;
    this.isDurable = path !== ":memory:";
    this.#database = openAuditTables(path);
    this.#readBounds();
  }

  /** Position of the newest event; 0 without one. */
  get lastPosition(): number {
    return this.#lastPosition;
  }

  /** Events held now. */
  get size(): number {
    return Math.max(0, this.#lastPosition - this.#oldestPosition + 1);
  }

  /** Adds events; those up to `lastPosition` are there already. Throws on a day that goes back: its order would be wrong. */
  append(events: readonly AuditEvent[]): void {
    for (const event of events) {
      const position = numberOf(event.id);
      if (position <= this.#lastPosition) continue;
      const day = event.time.slice(0, 10);
      if (day < this.#lastDay) throw new Error(`audit event ${event.id} of ${day} after ${this.#lastDay}`);
      this.#lastDay = day;
      if (this.size === 0) this.#oldestPosition = position;
      this.#lastPosition = position;
      this.#pending.push(event);
    }
    if (this.#pending.length >= WRITE_SIZE) this.#write();
  }

  async query(query: AuditQuery, visible?: (event: AuditEvent) => boolean): Promise<AuditPage> {
    return await this.#page(searchOfQuery(query, visible));
  }

  async orderEvents(orderId: string, query: OrderEventsQuery): Promise<AuditPage> {
    return await this.#page(searchOfOrder(orderId, query, this.#now()));
  }

  /** When it returns, everything appended is durable. */
  sync(): void {
    this.#write();
    this.#database.run("pragma wal_checkpoint(truncate)");
  }

  /** Drops the events after a position: they are of a history that was lost. */
  truncate(position: number): void {
    this.#write();
    this.#database.transaction(() => {
      this.#database.query("delete from event where position > ?").run(position);
      this.#database.query("delete from day where first_position > ?").run(position);
      this.#database.query("update beginning set position = min(position, ?)").run(position);
      this.#database.query("update delivered set position = min(position, ?)").run(position);
    })();
    this.#readBounds();
  }

  /** Begins a trail that is empty after a position: what came before is lost. */
  beginAfter(position: number): void {
    this.#database.query("insert or replace into beginning values (1, ?)").run(position);
    this.#readBounds();
  }

  /** From now on keeps the events that another store has not. Gives the position up to which it has them; 0 at first. */
  beginDelivery(): number {
    if (this.#delivered === null) this.markDelivered(0);
    return this.#delivered ?? 0;
  }

  markDelivered(position: number): void {
    this.#database.query("insert or replace into delivered values (1, ?)").run(position);
    this.#delivered = position;
  }

  /** The oldest events after a position, at most so many. */
  after(position: number, limit: number): AuditEvent[] {
    this.#write();
    return this.#database.query<AuditRow, [number, number]>(
      "select * from event where position > ? order by position limit ?",
    ).all(position, limit).map(eventOf);
  }

  /** What was appended since the last `sync` may be lost. */
  close(): void {
    this.#database.close();
  }

  async #page(search: AuditSearch): Promise<AuditPage> {
    this.#write();
    const before = search.cursor === undefined ? this.#lastPosition + 1 : this.#positionOf(search.cursor);
    const first = this.#firstPosition(">=", search.from);
    const last = Math.min(before, this.#firstPosition(">", search.to)) - 1;
    return await collectPage(search, this.#batches(search, first, last), ({ id }) => id);
  }

  /** Newest first; the first batch is what suffices where everything in the range matches. */
  async *#batches(search: AuditSearch, first: number, newest: number): AsyncGenerator<AuditEvent[], void, undefined> {
    const { text, values } = pageStatement(search);
    const statement = this.#database.query<AuditRow, (string | number)[]>(text);
    let last = newest;
    for (let limit = search.limit + 1;; limit = Math.min(2 * limit, BATCH)) {
      const rows = statement.all(...values, first, last, limit);
      yield rows.map(eventOf);
      if (rows.length < limit) return;
      last = (rows.at(-1)?.position ?? first) - 1;
      await letOthersRun();
    }
  }

  #readBounds(): void {
    const beginning = this.#number("select position as number from beginning") ?? 0;
    this.#lastPosition = this.#number("select max(position) as number from event") ?? beginning;
    this.#oldestPosition = this.#number("select min(position) as number from event") ?? this.#lastPosition + 1;
    const newest = this.#database.query<{ day: string | null }, []>("select max(day) as day from day").get();
    this.#lastDay = newest?.day ?? "";
    this.#delivered = this.#number("select position as number from delivered");
  }

  #firstPosition(comparison: ">" | ">=", day: string): number {
    const found = this.#number(`select min(first_position) as number from day where day ${comparison} ?`, day);
    return found ?? this.#lastPosition + 1;
  }

  /** A position whose event has been dropped is right too: nothing older is left. */
  #positionOf(cursor: string): number {
    const [, digits] = /^\d{16}-(\d{12})$/.exec(cursor) ?? [];
    const position = Number(digits ?? NaN);
    if (Number.isNaN(position) || position > this.#lastPosition) throw foreignCursor(cursor);
    const row = this.#database.query<{ id: string }, [number]>("select id from event where position = ?").get(position);
    if (row !== null ? row.id !== cursor : position >= this.#oldestPosition) throw foreignCursor(cursor);
    return position;
  }

  #write(): void {
    if (this.#pending.length === 0) return;
    const undelivered = this.isDurable && this.#delivered !== null ? this.#delivered + 1 : Infinity;
    const oldest = Math.min(this.#lastPosition - this.#capacity + 1, undelivered);
    this.#guard.attempt(() => this.#writePending(oldest));
    this.#pending = [];
    this.#oldestPosition = Math.max(oldest, this.#oldestPosition);
  }

  /** Writes what is pending, and drops what is older than `oldest`. */
  #writePending(oldest: number): void {
    this.#database.transaction(() => {
      const insert = this.#database.query<unknown, { [column in keyof AuditRow]: AuditRow[column] }>(
        `insert into event values ($position, $id, $time, $event, $module_type, $module_id, $user_id, $entity_id, $order_id,
          $details, $checksum)`,
      );
      const insertDay = this.#database.query("insert or ignore into day values (?, ?)");
      let day = "";
      for (const event of this.#pending) {
        const row = rowOf(event);
        insert.run(row);
        if (event.time.startsWith(day) && day !== "") continue;
        day = event.time.slice(0, 10);
        insertDay.run(day, row.position);
      }
      if (oldest > this.#oldestPosition) this.#database.query("delete from event where position < ?").run(oldest);
    })();
  }

  #number(query: string, ...parameters: string[]): number | null {
    return this.#database.query<{ number: number | null }, string[]>(query).get(...parameters)?.number ?? null;
  }
}

function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
