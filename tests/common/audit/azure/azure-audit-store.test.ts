// The audit trail in a real table service, and what its queries cost there.

import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { AzureAuditStore } from "../../../../common/audit/azure/azure-audit-store.ts";
import { emptyTable, startAzurite } from "../../../support/azurite.ts";
import { size } from "../../../support/sizes.ts";
import { TableProxy } from "../../../support/table-proxy.ts";
import { auditStoreContract } from "../audit-store.contract.ts";
import { dayName, NOW, orderQuery, query } from "../support/events.ts";
import { fill } from "../support/fill.ts";
import { HALT_EVERY, history, HISTORY_DAYS, orderOf } from "../support/history.ts";

/** At a million Azurite takes 5 GB and a quarter of an hour to fill. */
const EVENTS = size(3_600, 1_000_000);
const SEARCH_LIMIT = 200;
const TODAY = { from: dayName(0), to: dayName(0) };

const azurite = await startAzurite();
const proxy = new TableProxy(azurite.port);

auditStoreContract("table storage", () => emptyTable(azurite, { now: () => NOW }), {
  runs: size(2, 200),
  walked: size(450, 100_000),
});

describe(`of ${EVENTS} events over ${HISTORY_DAYS} days`, () => {
  let store: AzureAuditStore;

  beforeAll(async () => {
    // Azurite scans the whole table for every request, so a request takes long with much history.
    const options = { now: () => NOW, timeLimitMs: 120_000 };
    store = await emptyTable(azurite, options, proxy.port);
    for (const batch of history(EVENTS)) await fill(store, batch);
  });

  beforeEach(() => {
    proxy.requests.length = 0;
  });

  /** The partitions in the filters of the requests, and the number of rows in the responses. */
  function touched() {
    const filters = proxy.requests.map(({ filter }) => filter ?? "");
    expect(filters.every((filter) => filter.startsWith("PartitionKey "))).toBe(true);
    return {
      requests: proxy.requests.length,
      rows: proxy.requests.reduce((sum, { rows }) => sum + rows, 0),
      partitions: filters.map((filter) =>
        [...filter.matchAll(/PartitionKey (?:eq|ge|le) '([^']+)'/g)].map((match) => match[1])
      ),
    };
  }

  test("a query of one day needs one request to its partition, and the rows that it returns", async () => {
    const day = { from: dayName(-40), to: dayName(-40) };
    const page = await store.query(query({ ...day, limit: 10 }));
    expect(page.events).toHaveLength(10);
    expect(page.events.every(({ time }) => time.startsWith(day.from))).toBe(true);
    const partitions = [[expect.stringMatching(/^day!\d{5}$/)]];
    expect(touched()).toEqual({ requests: 1, rows: 11, partitions });
  });

  test(
    "the history of an order over seven days needs one request for each year, and the rows of the order",
    async () => {
      const order = orderOf(EVENTS - 2 * HALT_EVERY);
      expect((await store.orderEvents(order, orderQuery())).events).toHaveLength(4);
      expect(touched()).toEqual({ requests: 1, rows: 4, partitions: [["subject!2026"]] });
    },
  );

  test("the halts of all 90 days need one request for each year, and the rows of the halts", async () => {
    const page = await store.query(query({ ...TODAY, from: dayName(-HISTORY_DAYS), event: "marketHalted", limit: 5 }));
    expect(page.events).toHaveLength(5);
    const { partitions, ...cost } = touched();
    expect(partitions[0]).toEqual(["name!2026"]);
    expect(cost.requests).toBeLessThanOrEqual(2);
    expect(cost.rows).toBe(6);
  });

  test("a query by module type reads the partitions of its days, and the matching rows", async () => {
    const page = await store.query(query({ ...TODAY, from: dayName(-29), moduleType: "MARKET", limit: 5 }));
    expect(page.events).toHaveLength(5);
    const { partitions, ...cost } = touched();
    expect(cost).toEqual({ requests: 1, rows: 6 });
    expect(partitions[0]).toHaveLength(2);
  });

  test("a text search reads the rows of its days only", async () => {
    const days = { from: dayName(-3), to: dayName(-2) };
    const inDays = 2 * EVENTS / HISTORY_DAYS;
    const found: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const page = await store.query(query({ ...days, search: "IS STALE", limit: SEARCH_LIMIT, cursor }));
      found.push(...page.events.map(({ event }) => event));
      cursor = page.cursor ?? undefined;
      pages += 1;
    } while (cursor !== undefined);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((event) => event === "marketHalted")).toBe(true);
    const { rows, requests } = touched();
    expect(rows).toBeGreaterThan(0.9 * inDays);
    // If a page ends within the rows of a response, the next page requests the rest of those rows again.
    expect(rows).toBeLessThan(1.1 * inDays + 1000 * (pages - 1));
    expect(requests).toBeLessThanOrEqual(2 * pages + Math.ceil(rows / 1000));
  });

  test("a text search in the events of one order reads the rows of that order only", async () => {
    const order = orderOf(EVENTS - 2 * HALT_EVERY);
    const page = await store.query(query({ ...TODAY, from: dayName(-6), moduleId: order, search: "west-peak" }));
    expect(page.events).toHaveLength(4);
    expect(touched()).toMatchObject({ requests: 1, rows: 4 });
  });

  test("a page by cursor needs one request for its day, and one for earlier days if it continues there", async () => {
    const days = { from: dayName(-5), to: dayName(-4) };
    const first = await store.query(query({ ...days, limit: 10 }));
    proxy.requests.length = 0;
    await store.query(query({ ...days, limit: 10, cursor: first.cursor ?? "" }));
    expect(touched()).toMatchObject({ requests: 1, rows: 11 });
  });
});
