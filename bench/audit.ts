// The cost of the audit trail as it grows, over 90 days of events, in both stores.
//
//   bun bench/audit.ts                 the engine's own store, with 10,000, 100,000 and 1,000,000 events
//   bun bench/audit.ts --azure [N]     table storage, with N events (default 10,000)
//
// The peer of the engine's own store is a filtered array of the events. Table storage is Azurite on this machine.
// Azurite scans its whole table for every request, so its times grow with the table, unlike the real service's. The
// numbers of requests and rows hold for the real service too, and are checked here.

import { deepStrictEqual } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { searchOfOrder, searchOfQuery } from "../common/audit/audit-search.ts";
import type { AuditStore } from "../common/audit/audit-store.ts";
import type { AuditEvent, AuditPage } from "../protocol/index.ts";
import { SqliteAuditStore } from "../engine/audit/sqlite-audit-store.ts";
import { dayName, NOW, orderQuery, query } from "../tests/common/audit/support/events.ts";
import { fill } from "../tests/common/audit/support/fill.ts";
import { HALT_EVERY, history, HISTORY_DAYS, orderOf } from "../tests/common/audit/support/history.ts";
import { emptyTable, startAzurite } from "../tests/support/azurite.ts";
import { TableProxy } from "../tests/support/table-proxy.ts";
import { aboveZero } from "./measurement.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

const SIZES = [10_000, 100_000, 1_000_000] as const;
const LIMIT = 50;
const RUNS = 15;
const RUNS_AZURE = 3;

interface Question {
  readonly name: string;
  readonly ask: (store: AuditStore) => Promise<AuditPage>;
  /** The same query on a plain array, newest first. */
  readonly peer: (newestFirst: readonly AuditEvent[]) => AuditEvent[];
}

function questionsOver(count: number): Question[] {
  const order = orderOf(count - 2 * HALT_EVERY);
  const asking = (name: string, fields: Parameters<typeof query>[0]): Question => {
    const asked = query({ limit: LIMIT, ...fields });
    return {
      name,
      ask: (store) => store.query(asked),
      peer: (events) => first(events, LIMIT, asked.from, asked.to, searchOfQuery(asked).matches),
    };
  };
  const { from, to, matches } = searchOfOrder(order, orderQuery(), NOW);
  const middle = { from: dayName(-40), to: dayName(-40) };
  return [
    asking("a day, first page", middle),
    {
      name: "an order's last seven days",
      ask: (store) => store.orderEvents(order, orderQuery()),
      peer: (events) => first(events, 1000, from, to, matches),
    },
    asking("halts of 90 days, by name", { from: dayName(-HISTORY_DAYS), to: dayName(0), event: "marketHalted" }),
    asking("a text in a day that is not there", { ...middle, search: "no such text" }),
  ];
}

function first(
  newestFirst: readonly AuditEvent[],
  limit: number,
  from: string,
  to: string,
  matches: (event: AuditEvent) => boolean,
): AuditEvent[] {
  return newestFirst.filter(({ time }) => time.slice(0, 10) >= from && time.slice(0, 10) <= to).filter(matches)
    .slice(0, limit);
}

/** Nanoseconds of the fastest run. */
async function least(runs: number, work: () => unknown): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
  }
  return aboveZero("a question", best * 1e6);
}

async function own(count: number): Promise<string[][]> {
  const directory = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  const store = SqliteAuditStore.open(directory, { now: () => NOW });
  try {
    const newestFirst: AuditEvent[] = [];
    let filling = 0;
    for (const batch of history(count)) {
      const started = performance.now();
      store.append(batch);
      filling += performance.now() - started;
      newestFirst.push(...batch);
    }
    newestFirst.reverse();
    const rows = [[grouped(count), "append, an event", duration(filling * 1e6 / count), "", ""]];
    for (const { name, ask, peer } of questionsOver(count)) {
      deepStrictEqual((await ask(store)).events, peer(newestFirst));
      const [mkt, scan] = [await least(RUNS, () => ask(store)), await least(3, () => peer(newestFirst))];
      rows.push([grouped(count), name, duration(mkt), duration(scan), threeDigits(scan / mkt)]);
    }
    return rows;
  } finally {
    store.close();
    await rm(directory, { recursive: true });
  }
}

async function azure(count: number): Promise<string[][]> {
  const azurite = await startAzurite();
  const proxy = new TableProxy(azurite.port);
  try {
    const store = await emptyTable(azurite, { now: () => NOW, timeLimitMs: 300_000 }, proxy.port);
    const started = performance.now();
    for (const batch of history(count)) await fill(store, batch);
    const filling = performance.now() - started;
    const rows = [[
      grouped(count),
      "append, an event",
      duration(filling * 1e6 / count),
      `${threeDigits(proxy.requests.length / count)} each`,
      "",
    ]];
    for (const { name, ask } of questionsOver(count)) {
      proxy.requests.length = 0;
      await ask(store);
      const [requests, read] = [proxy.requests.length, proxy.requests.reduce((sum, { rows }) => sum + rows, 0)];
      rows.push([
        grouped(count),
        name,
        duration(await least(RUNS_AZURE, () => ask(store))),
        String(requests),
        grouped(read),
      ]);
    }
    return rows;
  } finally {
    await proxy.disconnect();
    await azurite.stop();
  }
}

if (import.meta.main) {
  const [flag, size] = process.argv.slice(2);
  if (flag === "--azure") {
    console.log(aligned(["events", "what", "time", "requests", "rows"], await azure(Number(size ?? SIZES[0]))));
  } else {
    const rows: string[][] = [];
    for (const count of SIZES) rows.push(...await own(count));
    console.log(aligned(["events", "what", "mkt", "array, filtered", "peer / mkt"], rows));
  }
}
