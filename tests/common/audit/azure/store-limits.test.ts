// How long a store of table storage may take, how it retries, and in which transactions it writes, without a service.

import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { AzureAuditStore } from "../../../../common/audit/azure/azure-audit-store.ts";
import * as connection from "../../../../common/audit/azure/table-connection.ts";
import { eventIn, rowsOf, type TableRow } from "../../../../common/audit/azure/table-layout.ts";
import type { AuditEvent } from "../../../../protocol/index.ts";
import { atEnd } from "../../../support/at-end.ts";
import { replaced } from "../../../support/replaced.ts";
import { DAY_MS, EventMaker, ids, NOW, query } from "../support/events.ts";

const SETTINGS = { endpoint: "https://t", accountName: "a", accountKey: "a2V5" };
const store = (timeLimitMs?: number) =>
  new AzureAuditStore({ ...SETTINGS, now: () => NOW, ...(timeLimitMs !== undefined && { timeLimitMs }) });

interface Part {
  readonly rows: readonly TableRow[];
  readonly signal: AbortSignal;
}
/** What the service is asked, and what it does. */
let made: number;
let parts: Part[];
let pages: { filter: string; size: number; token: string | undefined; signal: AbortSignal }[];
let limits: { ms: number; end: () => void }[];
let write: () => Promise<void>;
let read: (token: string | undefined) => Promise<{ rows: readonly TableRow[]; more?: string }>;
let connections: unknown[];

beforeEach(() => {
  made = 0;
  [parts, pages, limits] = [[], [], []];
  write = () => Promise.resolve();
  read = () => Promise.resolve({ rows: [] });
  const client = {
    createTable: () => Promise.resolve(void made++),
    submitTransaction: (
      actions: [string, TableRow, string][],
      { abortSignal: signal }: { abortSignal: AbortSignal },
    ) => {
      expect(actions.every(([action, , mode]) => action === "upsert" && mode === "Replace")).toBeTrue();
      parts.push({ rows: actions.map(([, row]) => row), signal });
      return write();
    },
    listEntities: (options: { queryOptions: { filter: string }; abortSignal: AbortSignal }) => ({
      byPage: (
        { maxPageSize: size, continuationToken: token }: { maxPageSize: number; continuationToken?: string },
      ) => ({
        next: async () => {
          pages.push({ filter: options.queryOptions.filter, size, token, signal: options.abortSignal });
          const { rows, more } = await read(token);
          return { value: Object.assign([...rows], { continuationToken: more }) };
        },
      }),
    }),
  };
  connections = replaced(connection, "connectTable", () => Promise.resolve(client));
  connections.length = 0;
  replaced(AbortSignal, "timeout", (ms) => {
    const over = new AbortController();
    limits.push({ ms, end: () => over.abort(new DOMException("too late", "TimeoutError")) });
    return over.signal;
  });
});

test("a store has one connection to read, which tries again three times, and one to write, which does not", async () => {
  const one = store();
  const maker = new EventMaker();
  for (let count = 0; count < 2; count++) {
    await one.append([maker.next()]);
    await one.query(query());
  }
  expect(connections.map((call) => (call as unknown[])[1])).toEqual([
    { maxRetries: 0 },
    { maxRetries: 3, retryDelayInMs: 250, maxRetryDelayInMs: 2_000 },
  ]);
  expect(limits.map(({ ms }) => ms)).toEqual([10_000, 10_000, 10_000, 10_000]);
  await store(77).query(query());
  expect(limits.at(-1)!.ms).toBe(77);
});

describe("events are written", () => {
  test("in transactions of one partition, in their order, a hundred rows at most and no more than a million letters", async () => {
    const maker = new EventMaker();
    await store().append(maker.many(250));
    const sizes = Map.groupBy(parts, ({ rows }) => rows[0]!.partitionKey);
    expect([...sizes.values()].map((all) => all.map(({ rows }) => rows.length))).toEqual(Array(3).fill([100, 100, 50]));
    for (const { rows } of parts) expect(new Set(rows.map(({ partitionKey }) => partitionKey)).size).toBe(1);
    const days = sizes.get(parts[0]!.rows[0]!.partitionKey)!.flatMap(({ rows }) => rows.map((row) => eventIn(row).id));
    expect(days).toEqual(days.toSorted());
    parts.length = 0;
    const long = { details: { text: "x".repeat(400_000) } } as Partial<AuditEvent>;
    await store().append(maker.many(7, () => long));
    expect(parts.map(({ rows }) => rows.length).toSorted()).toEqual([1, 1, 1, 3, 3, 3, 3, 3, 3]);
  });

  test("to a table that is made first if it is missing, once; without events it is made at once", async () => {
    const missing = Object.assign(new Error("gone"), { statusCode: 404 });
    let isThere = false;
    write = () => isThere || made > 0 ? Promise.resolve() : Promise.reject(missing);
    await store().append([new EventMaker().next()]);
    expect(made).toBe(1);
    isThere = true;
    await store().append([new EventMaker().next()]);
    expect(made).toBe(1);
    await store().append([]);
    expect([made, parts.length]).toEqual([2, 9]);
    write = () => Promise.reject(Object.assign(new Error("busy"), { statusCode: 503 }));
    await expect(store().append([new EventMaker().next()])).rejects.toMatchObject({
      code: "backend_unavailable",
      cause: expect.objectContaining({ statusCode: 503 }),
    });
    expect(made).toBe(2);
  });

  test("until the time is over, and then their requests are given up", async () => {
    write = () => new Promise(() => {});
    const writing = store(50).append([new EventMaker().next()]);
    const failed = writing.catch((error: unknown) => error);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    limits[0]!.end();
    expect(await failed).toMatchObject({ message: "Table storage at https://t has not answered within 50 ms." });
    expect(parts.length > 0 && parts.every(({ signal }) => signal.aborted)).toBeTrue();
  });
});

describe("a search", () => {
  const events = new EventMaker().many(3).toReversed();
  const dayRow = (event: AuditEvent) => rowsOf(event)[0]!;

  test("asks for one row more than its page at first, and for whole pages after a row that does not match", async () => {
    const others = new EventMaker().many(2, () => ({ moduleType: "TRADE" }));
    const answers = [[dayRow(events[0]!)], others.map(dayRow), [dayRow(events[1]!)]];
    read = (token) => {
      const at = Number(token ?? 0);
      return Promise.resolve({ rows: answers[at]!, ...(at < 2 && { more: String(at + 1) }) });
    };
    const page = await store().query(query({ moduleType: "ORDER", limit: 5 }));
    expect([ids(page.events), page.hasMore]).toEqual([ids(events.slice(0, 2)), false]);
    expect(pages.map(({ size, token }) => [size, token])).toEqual([[6, undefined], [6, "1"], [1_000, "2"]]);
    await store().query(query({ limit: 1_000 }));
    expect(pages.at(-1)!.size).toBe(1_000);
    expect(pages[0]!.filter).toEndWith(" and type eq 'ORDER'");
  });

  test("ends with a cursor once it has taken six tenths of its time, and goes on from there", async () => {
    let now = 0;
    const clock = spyOn(performance, "now").mockImplementation(() => now);
    atEnd(() => clock.mockRestore());
    read = (token) => {
      const at = Number(token ?? 0);
      now += at === 0 ? 6_000 : 1;
      return Promise.resolve({ rows: [dayRow(events[at]!)], ...(at < 2 && { more: String(at + 1) }) });
    };
    const page = await store().query(query({ limit: 9 }));
    expect([ids(page.events), page.hasMore, page.cursor]).toEqual([
      ids(events.slice(0, 2)),
      true,
      `2026-01-14.${events[1]!.id}`,
    ]);
    pages.length = 0;
    read = () => Promise.resolve({ rows: [] });
    expect((await store().query(query({ limit: 9, cursor: page.cursor! }))).hasMore).toBeFalse();
    expect(pages.map(({ filter }) => filter.split(" ")[1])).toEqual(["eq", "ge"]);
  });

  test("of its reader's giving up throws the reader's reason, and its request is given up", async () => {
    read = () => new Promise(() => {});
    const reader = new AbortController();
    const searching = store().query(query(), undefined, reader.signal).catch((error: unknown) => error);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    reader.abort("enough");
    expect([await searching, pages[0]!.signal.aborted]).toEqual(["enough", true]);
  });

  test("that its reader could give up ends with its time all the same", async () => {
    read = () => new Promise(() => {});
    const searching = store(50).query(query(), undefined, new AbortController().signal).catch((error: unknown) =>
      error
    );
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    limits[0]!.end();
    expect(pages[0]!.signal.aborted).toBeTrue();
    expect(await searching).toMatchObject({ message: "Table storage at https://t has not answered within 50 ms." });
  });

  test("looks no further than the end of next year", async () => {
    await store().query(query({ from: "2026-01-01", to: "9999-12-31" }));
    await store().query(query({ from: "2026-01-01", to: "2027-12-31" }));
    expect(pages[0]!.filter).toBe(pages[1]!.filter);
    await store().query(query({ from: "2026-01-01", to: new Date(NOW + DAY_MS).toISOString().slice(0, 10) }));
    expect(pages[2]!.filter).not.toBe(pages[1]!.filter);
  });
});
