import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { AuditViewer } from "../../../common/audit/audit-visibility.ts";
import { MAX_MISSES } from "../../../common/audit/audit-search.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { blockStatement } from "../../../engine/audit/audit-pages.ts";
import { AUDIT_FILE, openAuditTables } from "../../../engine/audit/audit-tables.ts";
import { auditStoreContract } from "../../common/audit/audit-store.contract.ts";
import { DAY_MS, dayName, EventMaker, ids, NOW, orderQuery, query } from "../../common/audit/support/events.ts";
import { HALT_EVERY, history, HISTORY_DAYS, orderOf } from "../../common/audit/support/history.ts";
import { atEnd } from "../../support/at-end.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

function open(directory: string, limits: { capacity?: number } = {}): SqliteAuditStore {
  const store = SqliteAuditStore.open(directory, { now: () => NOW, ...limits });
  atEnd(() => store.close());
  return store;
}

const inMemory = (limits: { capacity?: number } = {}) => SqliteAuditStore.inMemory({ now: () => NOW, ...limits });

const SIZES = { runs: size(12, 300), walked: size(2_000, 100_000) };
auditStoreContract("SQLite in memory", () => Promise.resolve(inMemory()), SIZES);
auditStoreContract("SQLite in a directory", () => Promise.resolve(open(temporaryDirectory())), {
  ...SIZES,
  runs: size(3, 50),
});

const EVENTS = size(10_000, 1_000_000);

describe(`of ${EVENTS} events over ${HISTORY_DAYS} days`, () => {
  let store: SqliteAuditStore;
  let examined = 0;
  const permissions = new Set(["Market.View", "Scope.Global"]);
  /** May read every event. Its permissions are read once for each event that a search examines. */
  const counted: AuditViewer = {
    entityId: null,
    get permissions() {
      examined += 1;
      return permissions;
    },
  };

  beforeAll(() => {
    store = open(temporaryDirectory());
    for (const batch of history(EVENTS)) store.append(batch);
  });

  beforeEach(() => {
    examined = 0;
  });

  const day = { from: dayName(-40), to: dayName(-40) };
  const all = { from: dayName(-HISTORY_DAYS), to: dayName(0) };

  test("a page of a day reads its own events and one more", async () => {
    const page = await store.query(query({ ...day, limit: 50 }), counted);
    expect(page.events).toHaveLength(50);
    expect(page.events.every(({ time }) => time.startsWith(day.from))).toBe(true);
    expect(examined).toBe(51);
  });

  test("a query for a module reads only its events, over all 90 days", async () => {
    const page = await store.query(query({ ...all, moduleId: orderOf(EVENTS / 2) }), counted);
    expect([page.events.length, page.hasMore, examined]).toEqual([4, false, 4]);
  });

  test("an order's history has exactly its events", async () => {
    const order = orderOf(EVENTS - 2 * HALT_EVERY);
    expect((await store.orderEvents(order, orderQuery())).events.map(({ orderId }) => orderId)).toEqual(
      Array(4).fill(order),
    );
  });

  test("a query for a rare event name reads only events of that name", async () => {
    const page = await store.query(query({ ...all, event: "marketHalted", limit: 7 }), counted);
    expect([page.events.length, examined]).toEqual([7, 8]);
  });

  test("a search reads only the events of its days", async () => {
    const { events } = await store.query(query({ ...day, limit: EVENTS }));
    const page = await store.query(query({ ...day, search: "no such text" }), counted);
    expect([page.events.length, page.hasMore, examined]).toEqual([0, false, events.length]);
    expect(examined).toBeGreaterThan(0.95 * EVENTS / HISTORY_DAYS);
    expect(examined).toBeLessThan(1.05 * EVENTS / HISTORY_DAYS);
  });
});

describe("the engine's own audit trail", () => {
  test("reads with an index, never the whole table", () => {
    const database = openAuditTables(":memory:");
    const planOf = (key: string | null) => {
      const { text, values } = blockStatement(key);
      return database.query<{ detail: string }, (string | number)[]>(`explain query plan ${text}`)
        .all(...values, 1, 2).map(({ detail }) => detail);
    };
    expect(planOf(null)).toEqual(["SEARCH block USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"]);
    expect(planOf("a")).toEqual([
      "SEARCH block USING INTEGER PRIMARY KEY (rowid=?)",
      "SCALAR SUBQUERY 1",
      "SEARCH mention USING PRIMARY KEY (key=? AND last_position>? AND last_position<?)",
    ]);
  });

  test("keeps the newest events in bounded memory, and ends a walk at deleted events", async () => {
    const maker = new EventMaker();
    const store = inMemory({ capacity: 12_000 });
    store.append(maker.many(5_000));
    const page = await store.query(query({ limit: 1 }));
    const rest = maker.many(30_000);
    store.append(rest);
    expect(store.size).toBe(12_000);
    expect(ids((await store.query(query({ limit: 1 }))).events)).toEqual(ids([rest.at(-1)]));
    expect(await store.query(query({ cursor: page.cursor ?? "" }))).toMatchObject({ events: [], hasMore: false });
  });

  test("in a directory keeps all undelivered events, beyond its capacity", () => {
    const maker = new EventMaker();
    const store = open(temporaryDirectory(), { capacity: 1000 });
    expect(store.beginDelivery()).toBe(0);
    store.append(maker.many(3000));
    store.sync();
    expect(store.size).toBe(3000);
    store.markDelivered(2500);
    store.append(maker.many(500));
    expect(store.size).toBe(1000);
  });

  test("a search with too many misses ends with a cursor to continue from", async () => {
    const maker = new EventMaker();
    const hit = maker.next({ details: { reason: "needle" } });
    const store = inMemory();
    store.append([hit, ...maker.many(MAX_MISSES + 5000)]);
    const first = await store.query(query({ search: "needle" }));
    expect(first).toMatchObject({ events: [], hasMore: true });
    const second = await store.query(query({ search: "needle", cursor: first.cursor ?? "" }));
    expect(second).toMatchObject({ events: [hit], hasMore: false });
  });

  test("lets other work run during a search through all events", async () => {
    const store = inMemory();
    store.append(new EventMaker().many(20_000));
    let others = 0;
    const busy = setInterval(() => others += 1, 0);
    await store.query(query({ search: "not there" }));
    clearInterval(busy);
    expect(others).toBeGreaterThan(0);
  });

  /** A viewer who may read nothing. `onLook` gets the number of events that a search has looked at. */
  function viewerWith(onLook: (events: number) => void): AuditViewer {
    let events = 0;
    const has = () => {
      onLook(events += 1);
      return false;
    };
    return { entityId: null, permissions: Object.assign(new Set<string>(), { has }) };
  }

  test("a search that is cancelled ends after the block that it reads", async () => {
    const store = inMemory();
    store.append(new EventMaker().many(20_000));
    const cancel = new AbortController();
    let looked = 0;
    const viewer = viewerWith((events) => {
      looked = events;
      cancel.abort("nobody waits");
    });
    const failure: unknown = await store.query(query(), viewer, cancel.signal).catch((error: unknown) => error);
    expect(failure).toBe("nobody waits");
    expect(looked).toBeLessThanOrEqual(256);
  });

  test("a search that takes too long ends with a cursor, and the next one goes on there", async () => {
    const store = SqliteAuditStore.inMemory({ now: () => NOW, searchMs: 0 });
    const maker = new EventMaker();
    const hit = maker.next({ details: { reason: "needle" } });
    store.append([hit, ...maker.many(2000)]);
    let pages = 0;
    let page = await store.query(query({ search: "needle" }));
    for (; page.events.length === 0 && page.cursor !== null; pages++) {
      page = await store.query(query({ search: "needle", cursor: page.cursor }));
    }
    expect(page.events).toEqual([hit]);
    expect(pages).toBeGreaterThan(5);
  });

  test("a search for a key that only another property has ends early too", async () => {
    const store = SqliteAuditStore.inMemory({ now: () => NOW, searchMs: 0 });
    store.append(new EventMaker().many(2000));
    const first = await store.query(query({ moduleId: "ORDER" }));
    expect(first).toMatchObject({ events: [], hasMore: true });
    const second = await store.query(query({ moduleId: "ORDER", cursor: first.cursor ?? "" }));
    expect(second).toMatchObject({ events: [], hasMore: true });
    expect(second.cursor?.localeCompare(first.cursor ?? "")).toBe(-1);
  });

  test("gives some blocks at a time, however many follow, and at least one", () => {
    const store = inMemory();
    const maker = new EventMaker();
    // Random digits can't be compressed to less than half of their length.
    const noise = () => Array.from(crypto.getRandomValues(new Uint8Array(1 << 16))).join();
    for (let block = 0; block < 8; block++) {
      store.append([maker.next({ details: { noise: noise() } })]);
      store.write();
    }
    const taken: number[] = [];
    for (let last = 0; last < 8;) {
      const rows = store.blocksAfter(last);
      taken.push(rows.length);
      expect(rows[0]?.first_position).toBe(last + 1);
      last = rows.at(-1)!.last_position;
    }
    expect(taken.length).toBeGreaterThan(1);
    expect([taken[0]! > 1, store.blocksAfter(8)]).toEqual([true, []]);
  });

  test("throws on an event of an earlier day", () => {
    const maker = new EventMaker();
    const store = inMemory();
    store.append([maker.next()]);
    expect(() => store.append([maker.next({ time: new Date(NOW - DAY_MS).toISOString() })])).toThrow(
      "after 2026-01-14",
    );
  });

  test("outlives its process, and can be truncated to a position", async () => {
    const maker = new EventMaker();
    const directory = temporaryDirectory();
    const store = SqliteAuditStore.open(directory, { now: () => NOW });
    const events = maker.many(10, (index) => ({ time: new Date(NOW + (index - 10) * DAY_MS).toISOString() }));
    store.append(events);
    store.markDelivered(9);
    store.sync();
    store.close();
    const next = open(directory);
    expect(next.lastPosition).toBe(10);
    expect(next.beginDelivery()).toBe(9);
    next.truncate(4);
    expect([next.lastPosition, next.beginDelivery()]).toEqual([4, 4]);
    const all = query({ from: "2026-01-01", to: "2026-12-31" });
    expect(ids((await next.query(all)).events)).toEqual(ids(events.slice(0, 4).toReversed()));
    next.append(events);
    expect(ids((await next.query(all)).events)).toEqual(ids(events.toReversed()));
  });

  test("refuses a file that is not an audit trail, and does not change it", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, AUDIT_FILE);
    await Bun.write(path, "these are somebody's notes, and no database".repeat(10));
    const before = await Bun.file(path).text();
    expect(() => open(directory)).toThrow(/^audit trail in .*audit\.sqlite: .*not a database/);
    expect(await Bun.file(path).text()).toBe(before);
  });
});
