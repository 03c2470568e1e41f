import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AuditEvent, AuditQuery } from "../../../core/protocol/index.ts";
import { auditRequest, orderEventsRequest } from "../../../core/protocol/index.ts";
import { ToolError } from "../../../core/tools/error.ts";
import { MemoryAuditStore } from "../../../sim/audit/memory-audit-store.ts";

const NOW = Date.parse("2026-01-14T18:00:00Z");
const DAY_MS = 86_400_000;

let count = 0;
function auditEvent(fields: Partial<AuditEvent> = {}): AuditEvent {
  count += 1;
  return {
    id: `event-${count}`,
    time: new Date(NOW).toISOString(),
    event: "orderQueued",
    moduleType: "ORDER",
    moduleId: "order-1",
    userId: "user",
    entityId: "entity",
    orderId: "order-1",
    details: {},
    ...fields,
  };
}

function storeOf(events: readonly AuditEvent[], capacity?: number): MemoryAuditStore {
  const store = new MemoryAuditStore({ now: () => NOW, capacity });
  store.append(events);
  return store;
}

function query(fields: Partial<AuditQuery> = {}): AuditQuery {
  return { ...auditRequest.parse({ from: "2026-01-01", to: "2026-12-31" }), ...fields };
}

const orderQuery = (fields: { date?: string; limit?: number; cursor?: string } = {}) =>
  orderEventsRequest.parse(fields);
const ids = (events: readonly AuditEvent[]) => events.map(({ id }) => id);
const at = (time: string) => auditEvent({ time });

describe("the audit trail in memory", () => {
  test("answers the newest first", async () => {
    const events = [auditEvent(), auditEvent(), auditEvent()];
    expect(ids((await storeOf(events).query(query())).events)).toEqual(ids(events.toReversed()));
  });

  test("takes whole days at both ends", async () => {
    const days = [
      at("2026-01-11T23:59:59.999Z"),
      at("2026-01-12T00:00:00.000Z"),
      at("2026-01-13T23:59:59.999Z"),
      at("2026-01-14T00:00:00.000Z"),
    ];
    const page = await storeOf(days).query(query({ from: "2026-01-12", to: "2026-01-13" }));
    expect(ids(page.events)).toEqual(ids([days[2], days[1]].filter((event) => event !== undefined)));
    expect(page.range).toEqual({ from: "2026-01-12", to: "2026-01-13" });
  });

  test.each([
    ["module type", { moduleType: "MARKET" }],
    ["module", { moduleId: "M" }],
    ["event name", { event: "marketHalted" }],
    ["all of them", { moduleType: "MARKET", moduleId: "M", event: "marketHalted" }],
  ])("finds by %s", async (_name, filter) => {
    const halted = auditEvent({ event: "marketHalted", moduleType: "MARKET", moduleId: "M", orderId: null });
    const store = storeOf([auditEvent(), halted, auditEvent()]);
    expect(ids((await store.query(query(filter))).events)).toEqual([halted.id]);
  });

  test("finds nothing where one filter of several does not fit", async () => {
    const page = await storeOf([auditEvent()]).query(query({ moduleId: "order-1", moduleType: "MARKET" }));
    expect(page).toMatchObject({ events: [], hasMore: false, cursor: null });
  });

  test.each([["HEAT"], ["heat wave"], ["Reason"], ['say "Heat"'], ["4500"]])(
    "finds the text %s anywhere in the details, ignoring case",
    async (search) => {
      const hit = auditEvent({ details: { nested: [{ reason: 'A Heat Wave, they say "heat"' }], price: 4500 } });
      const store = storeOf([hit, auditEvent({ details: { reason: "fuel" } })]);
      const found = ids((await store.query(query({ search }))).events);
      expect(found).toContain(hit.id);
    },
  );

  test("leaves out what the asking user may not see, before it counts", async () => {
    const events = [
      auditEvent({ entityId: "mine" }),
      auditEvent({ entityId: "theirs" }),
      auditEvent({ entityId: "mine" }),
    ];
    const page = await storeOf(events).query(query({ limit: 2 }), (event) => event.entityId === "mine");
    expect(page.events).toHaveLength(2);
    expect(page.hasMore).toBe(false);
  });

  test("says that there is more exactly where there is", async () => {
    const store = storeOf([auditEvent(), auditEvent(), auditEvent()]);
    expect(await store.query(query({ limit: 3 }))).toMatchObject({ hasMore: false, cursor: null });
    expect((await store.query(query({ limit: 2 }))).hasMore).toBe(true);
  });

  test("walks by cursor through every event once while others are appended", async () => {
    const events = Array.from({ length: 25 }, () => auditEvent());
    const store = storeOf(events);
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.query(query({ limit: 4, cursor }));
      walked.push(...ids(page.events));
      store.append([auditEvent(), auditEvent()]);
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(walked).toEqual(ids(events.toReversed()));
  });

  test("refuses a cursor that is not its own, naming the parameter", async () => {
    for (const cursor of ["", "x", "0", "0.other", "99.event-1", "-1.event-1"]) {
      const refusal = await storeOf([auditEvent()]).query(query({ cursor })).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ToolError);
      expect(refusal).toMatchObject({ code: "invalid_input", message: expect.stringMatching(/^cursor: /) });
    }
  });

  test("keeps the newest events in bounded memory, and ends a walk into what has gone", async () => {
    const events = Array.from({ length: 35_000 }, (_, index) => auditEvent({ details: { index } }));
    const store = storeOf(events.slice(0, 5_000), 12_000);
    const page = await store.query(query({ limit: 1 }));
    store.append(events.slice(5_000));
    expect(store.size).toBeGreaterThanOrEqual(12_000);
    expect(store.size).toBeLessThanOrEqual(22_000);
    expect(ids((await store.query(query({ limit: 1 }))).events)).toEqual([events.at(-1)?.id ?? ""]);
    expect(await store.query(query({ cursor: page.cursor ?? "" }))).toMatchObject({ events: [], hasMore: false });
  });

  test("lets other work in during a search through all of it", async () => {
    const store = storeOf(Array.from({ length: 20_000 }, () => auditEvent()));
    let others = 0;
    const busy = setInterval(() => others += 1, 0);
    await store.query(query({ search: "not there" }));
    clearInterval(busy);
    expect(others).toBeGreaterThan(0);
  });

  test("throws on an event of an earlier day: its order would be wrong", () => {
    const store = storeOf([at("2026-01-14T00:00:00.000Z")]);
    expect(() => store.append([at("2026-01-13T00:00:00.000Z")])).toThrow("after 2026-01-14");
  });

  test("answers as a plain filter over the list does, for any events and queries", async () => {
    const letter = fc.constantFrom("a", "b", "c");
    const events = fc.array(
      fc.record({
        day: fc.integer({ min: 0, max: 3 }),
        moduleType: letter,
        moduleId: letter,
        event: letter,
        orderId: fc.option(letter),
      }),
      { maxLength: 40 },
    );
    const filter = fc.record({ moduleType: letter, moduleId: letter, event: letter }, { requiredKeys: [] });
    const dayName = (day: number) => new Date(NOW + day * DAY_MS).toISOString().slice(0, 10);
    const property = fc.asyncProperty(
      events,
      filter,
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (drafts, wanted, first, last, limit) => {
        const trail = drafts.toSorted((one, other) => one.day - other.day)
          .map(({ day, ...fields }) => auditEvent({ ...fields, time: new Date(NOW + day * DAY_MS).toISOString() }));
        const store = storeOf(trail);
        const [from, to] = [dayName(first), dayName(last)];
        const expected = trail.filter((event) => {
          const day = event.time.slice(0, 10);
          return day >= from && day <= to &&
            Object.entries(wanted).every(([name, value]) => event[name as keyof AuditEvent] === value);
        }).toReversed();
        const found: AuditEvent[] = [];
        let cursor: string | undefined;
        do {
          const page = await store.query(query({ ...wanted, from, to, limit, cursor }));
          expect(page.hasMore).toBe(page.cursor !== null);
          expect(page.events.length).toBeLessThanOrEqual(limit);
          found.push(...page.events);
          cursor = page.cursor ?? undefined;
        } while (cursor !== undefined);
        expect(ids(found)).toEqual(ids(expected));
      },
    );
    await fc.assert(property);
  });
});

describe("the history of an order", () => {
  test("is what happened to it in the last seven days, today included, newest first", async () => {
    const day = (offset: number) => auditEvent({ time: new Date(NOW - offset * DAY_MS).toISOString() });
    const [old, oldest, newest] = [day(7), day(6), day(0)];
    const other = auditEvent({ orderId: "order-2" });
    const page = await storeOf([old, oldest, newest, other]).orderEvents("order-1", orderQuery());
    expect(ids(page.events)).toEqual([newest.id, oldest.id]);
    expect(page.range).toEqual({ from: "2026-01-08", to: "2026-01-14" });
  });

  test("of one day is what happened on it", async () => {
    const events = [at("2026-01-13T10:00:00.000Z"), at("2026-01-14T10:00:00.000Z")];
    const page = await storeOf(events).orderEvents("order-1", orderQuery({ date: "2026-01-13" }));
    expect(ids(page.events)).toEqual([events[0]?.id ?? ""]);
    expect(page.range).toEqual({ from: "2026-01-13", to: "2026-01-13" });
  });

  test("goes on by cursor", async () => {
    const events = [auditEvent(), auditEvent(), auditEvent()];
    const store = storeOf(events);
    const first = await store.orderEvents("order-1", orderQuery({ limit: 2 }));
    const second = await store.orderEvents("order-1", orderQuery({ limit: 2, cursor: first.cursor ?? "" }));
    expect(ids([...first.events, ...second.events])).toEqual(ids(events.toReversed()));
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  });

  test("of an order without any is an empty page", async () => {
    const page = await storeOf([auditEvent()]).orderEvents("none", orderQuery());
    expect(page).toMatchObject({ events: [], hasMore: false, cursor: null });
  });
});
