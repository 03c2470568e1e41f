// The contract of every audit store. A test file for each store calls `auditStoreContract`. `make` returns an empty store
// whose clock is at NOW.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AuditStore } from "../../../common/audit/audit-store.ts";
import type { AuditViewer } from "../../../common/audit/audit-visibility.ts";
import type { AuditEvent, AuditPage } from "../../../protocol/index.ts";
import { AuditFailure } from "../../../common/audit/audit-failure.ts";
import { codePoint } from "../../support/code-point.ts";
import { fill } from "./support/fill.ts";
import { DAY_MS, dayName, EventMaker, ids, NOW, orderQuery, query } from "./support/events.ts";

interface ContractSizes {
  /** Runs of each property. */
  readonly runs: number;
  /** Events of the day that is read by cursor. */
  readonly walked: number;
}

/** All events, read by cursor in pages of one limit. */
async function walk(page: (cursor: string | undefined) => Promise<AuditPage>): Promise<AuditEvent[]> {
  const walked: AuditEvent[] = [];
  let cursor: string | undefined;
  do {
    const { events, cursor: next, hasMore } = await page(cursor);
    expect(hasMore).toBe(next !== null);
    walked.push(...events);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return walked;
}

/** Sees only the credit limits that its own entity grants. */
const VIEWER: AuditViewer = { entityId: "mine", permissions: new Set(["Market.View"]) };

const REJECTED = { event: "orderRejected", moduleType: "CONTRACT", moduleId: "base" };

/** Quotes, operators, key separators and other difficult strings. */
const hostileText = fc.oneof(
  fc.constantFrom("''", "' or true or '", "a' eq 'a", "%27", "\u2028\u2029", ..."'\"\\/#?!~\u0000\né\u{1F4C8}"),
  fc.string({ unit: codePoint, minLength: 1, maxLength: 40 }),
  fc.string({ unit: "grapheme", minLength: 1000, maxLength: 1000 }),
);

export function auditStoreContract(
  name: string,
  make: () => Promise<AuditStore>,
  { runs, walked }: ContractSizes,
): void {
  async function storeOf(events: readonly AuditEvent[]): Promise<AuditStore> {
    const store = await make();
    await fill(store, events);
    return store;
  }
  const at = (time: string) => ({ time });
  /** Days after NOW. */
  const on = (day: number) => at(new Date(NOW + day * DAY_MS).toISOString());

  describe(`the audit trail in ${name}`, () => {
    test("returns the newest first, each event unchanged", async () => {
      const events = new EventMaker().many(3, (index) => ({
        details: { index, nested: [{ "naïve 'key'": "\u0000\u{1F4C8}" }] },
        orderId: null,
        userId: index === 1 ? null : "user",
      }));
      expect((await (await storeOf(events)).query(query())).events).toEqual(events.toReversed());
    });

    test("takes whole days at both ends", async () => {
      const maker = new EventMaker();
      const days = ["11T23:59:59.999", "12T00:00:00.000", "13T23:59:59.999", "14T00:00:00.000"]
        .map((time) => maker.next(at(`2026-01-${time}Z`)));
      const page = await (await storeOf(days)).query(query({ from: "2026-01-12", to: "2026-01-13" }));
      expect(ids(page.events)).toEqual(ids([days[2], days[1]]));
      expect(page.range).toEqual({ from: "2026-01-12", to: "2026-01-13" });
    });

    test.each([
      ["module type", { moduleType: "MARKET" }],
      ["module", { moduleId: "M" }],
      ["event name", { event: "marketHalted" }],
      ["all of them", { moduleType: "MARKET", moduleId: "M", event: "marketHalted" }],
    ])("finds by %s", async (_name, filter) => {
      const maker = new EventMaker();
      const [before, after] = [maker.next(), maker.next()];
      const halted = maker.next({ event: "marketHalted", moduleType: "MARKET", moduleId: "M", orderId: null });
      const store = await storeOf([before, after, halted]);
      expect(ids((await store.query(query(filter))).events)).toEqual([halted.id]);
      const other = await store.query(query({ ...filter, moduleType: "ORDER", moduleId: "M" }));
      expect(other).toMatchObject({ events: [], hasMore: false, cursor: null });
    });

    test("distinguishes module ids with a common prefix, across the turn of a year", async () => {
      const maker = new EventMaker();
      const moduleIds = ["ORD-1", "ORD-10", "ORD-1!", "ORD-1", "ORD", "ORD-1"];
      const events = moduleIds.map((moduleId, index) =>
        maker.next({ moduleId, orderId: moduleId, ...on(index * 4 - 20) })
      );
      const store = await storeOf(events);
      const page = await store.query(query({ moduleId: "ORD-1", from: "2025-12-01", to: "2026-01-31" }));
      expect(ids(page.events)).toEqual(ids([events[5], events[3], events[0]]));
    });

    const byText = ["HEAT", "heat wave", "Reason", 'say "Heat"', "4500"];
    const byId = ["ORD-77", "ord-77", "CLIENT-5", "alice@", "North-Power", "-power"];
    test.each([...byText, ...byId])("finds the text %s in details and ids, ignoring case", async (search) => {
      const maker = new EventMaker();
      const subject = { moduleId: "ORD-77", orderId: "client-5", userId: "Alice@example", entityId: "north-power" };
      const others = { moduleId: "ORD-8", orderId: null, userId: null, entityId: null, details: { cause: "fuel" } };
      const details = { nested: [{ reason: 'A Heat Wave, they say "heat"' }], price: 4500 };
      const [before, hit] = [maker.next(others), maker.next({ ...subject, details })];
      const store = await storeOf([before, hit, maker.next(others)]);
      expect(ids((await store.query(query({ search }))).events)).toEqual([hit.id]);
    });

    test("finds an event by its whole id, and not by a part of it", async () => {
      const maker = new EventMaker();
      const events = [maker.next({ details: {} }), maker.next({ details: {} })];
      const store = await storeOf(events);
      const [first] = ids(events);
      expect(ids((await store.query(query({ search: first }))).events)).toEqual([first]);
      expect((await store.query(query({ search: first?.slice(0, 16) }))).events).toEqual([]);
    });

    test("leaves out what the acting user may not see, before it counts and when it looks for a text", async () => {
      const maker = new EventMaker();
      const shared = { event: "creditLimitSet", userId: "shared", details: {} };
      const events = ["mine", "theirs", "mine"].map((entityId) => maker.next({ ...shared, entityId }));
      const store = await storeOf(events);
      for (const filter of [{ limit: 2 }, { search: "shared" }]) {
        const page = await store.query(query(filter), VIEWER);
        expect(ids(page.events)).toEqual(ids([events[2], events[0]]));
        expect(page.hasMore).toBe(false);
      }
    });

    test("says that there is more if and only if there is, and continues in the days before", async () => {
      const maker = new EventMaker();
      const events = [-3, -3, -1, 0, 0].map((offset) => maker.next(on(offset)));
      const store = await storeOf(events);
      expect(await store.query(query({ limit: 5 }))).toMatchObject({ hasMore: false, cursor: null });
      let cursor: string | undefined;
      for (const [expected, hasMore] of [[[4, 3], true], [[2, 1], true], [[0], false]] as const) {
        const page = await store.query(query({ limit: 2, cursor }));
        expect([ids(page.events), page.hasMore]).toEqual([ids(expected.map((index) => events[index])), hasMore]);
        cursor = page.cursor ?? undefined;
      }
    });

    test("stores an event once that is appended twice", async () => {
      const maker = new EventMaker();
      const events = maker.many(5);
      const store = await storeOf(events);
      await store.append(events.slice(2));
      const [newest] = maker.many(1);
      if (newest !== undefined) await store.append([...events.slice(4), newest]);
      expect(ids((await store.query(query())).events)).toEqual(ids([...events, newest].toReversed()));
    });

    test(`walks by cursor through a day of ${walked} events, each once, while others are appended`, async () => {
      const maker = new EventMaker();
      const events = maker.many(walked);
      const store = await storeOf(events);
      const seen = await walk(async (cursor) => {
        const page = await store.query(query({ limit: 200, cursor }));
        await store.append(maker.many(3));
        return page;
      });
      expect(ids(seen)).toEqual(ids(events.toReversed()));
    });

    test("refuses an invalid cursor and names the parameter", async () => {
      const store = await storeOf([new EventMaker().next()]);
      for (const cursor of ["", "x", "0", "0.other", "' or true", "-1.event-1", "9".repeat(2000)]) {
        const refusal = await store.query(query({ cursor })).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(AuditFailure);
        expect(refusal).toMatchObject({ code: "invalid_input", message: expect.stringMatching(/^cursor: /) });
      }
    });

    test("answers like a plain filter over a list, for any events and queries", async () => {
      const letter = fc.constantFrom("a", "b", "c");
      const [day, limits] = [fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 5 })];
      const named = { moduleType: letter, moduleId: letter, event: letter };
      const drafts = fc.array(fc.record({ day, orderId: fc.option(letter), ...named }), { maxLength: 40 });
      const filter = fc.record(named, { requiredKeys: [] });
      await fc.assert(
        fc.asyncProperty(drafts, filter, day, day, limits, async (made, wanted, first, last, limit) => {
          const maker = new EventMaker();
          const trail = made.toSorted((one, other) => one.day - other.day)
            .map(({ day, ...fields }) => maker.next({ ...fields, ...on(day) }));
          const store = await storeOf(trail);
          const [from, to] = [dayName(first), dayName(last)];
          const expected = trail.filter((event) => {
            const day = event.time.slice(0, 10);
            return day >= from && day <= to &&
              Object.entries(wanted).every(([name, value]) => event[name as keyof AuditEvent] === value);
          }).toReversed();
          const found = await walk((cursor) => store.query(query({ ...wanted, from, to, limit, cursor })));
          expect(ids(found)).toEqual(ids(expected));
          const ofOrder = trail.filter(({ orderId, time }) => orderId === "a" && time.startsWith(from)).toReversed();
          const history = await walk((cursor) => store.orderEvents("a", orderQuery({ date: from, limit, cursor })));
          expect(ids(history)).toEqual(ids(ofOrder));
        }),
        { numRuns: runs },
      );
    });

    test("no filter value can inject into the query, and each finds the events that have it", async () => {
      const maker = new EventMaker();
      const store = await storeOf(maker.many(3));
      await fc.assert(
        fc.asyncProperty(hostileText, async (text) => {
          const marked = maker.next({
            moduleType: text,
            moduleId: text,
            event: text,
            orderId: text,
            details: { text },
          });
          await store.append([marked]);
          for (const filter of [{ moduleType: text }, { moduleId: text }, { event: text }]) {
            const { events } = await store.query(query({ ...filter, limit: 200 }));
            expect(events[0]).toEqual(marked);
            const [[name, value] = ["", ""]] = Object.entries(filter);
            expect(events.every((event) => event[name as keyof AuditEvent] === value)).toBe(true);
          }
          expect((await store.query(query({ search: text, limit: 1 }))).events).toEqual([marked]);
          const history = await store.orderEvents(text, orderQuery());
          expect(history.events[0]).toEqual(marked);
          expect(history.events.every(({ orderId }) => orderId === text)).toBe(true);
        }),
        { numRuns: runs },
      );
    });

    test("a text that no event has finds nothing, nor does a lone surrogate", async () => {
      const store = await storeOf(new EventMaker().many(3));
      for (const text of ["\ud800", "' or 1 eq 1 or '", "ORD-1' or RowKey ge '", "%", "_", "*"]) {
        for (const filter of [{ moduleType: text }, { moduleId: text }, { event: text }, { search: text }]) {
          expect((await store.query(query(filter))).events).toEqual([]);
        }
        expect((await store.orderEvents(text, orderQuery())).events).toEqual([]);
      }
    });
  });

  describe(`the history of an order in ${name}`, () => {
    test("covers the last seven days including today, newest first, or one day", async () => {
      const maker = new EventMaker();
      const [old, oldest, other, newest] = [7, 6, 1, 0].map((offset) =>
        maker.next({ ...on(-offset), orderId: offset === 1 ? "ORD-2" : "ORD-1" })
      );
      const store = await storeOf([old!, oldest!, other!, newest!]);
      const page = await store.orderEvents("ORD-1", orderQuery());
      expect(ids(page.events)).toEqual(ids([newest, oldest]));
      expect(page.range).toEqual({ from: "2026-01-08", to: "2026-01-14" });
      const day = await store.orderEvents("ORD-1", orderQuery({ date: "2026-01-08" }));
      expect(ids(day.events)).toEqual(ids([oldest]));
      expect(day.range).toEqual({ from: "2026-01-08", to: "2026-01-08" });
    });

    test("includes events about other modules", async () => {
      const maker = new EventMaker();
      const rejected = maker.next({ ...REJECTED, orderId: "mine" });
      const store = await storeOf([rejected, maker.next()]);
      expect(ids((await store.orderEvents("mine", orderQuery())).events)).toEqual([rejected.id]);
      expect(ids((await store.query(query({ moduleId: "base" }))).events)).toEqual([rejected.id]);
      expect((await store.query(query({ moduleId: "mine" }))).events).toEqual([]);
    });

    test("is not hidden by refused orders whose clientOrderId is its id", async () => {
      const maker = new EventMaker();
      const queued = maker.next();
      const about = { orderId: "refused:user-1:ORD-1", details: { clientOrderId: "ORD-1" } };
      const refused = maker.many(Math.min(1200, walked), () => ({ ...REJECTED, ...about }));
      const store = await storeOf([queued, ...refused]);
      const page = await store.orderEvents("ORD-1", orderQuery({ limit: 1 }));
      expect([ids(page.events), page.hasMore]).toEqual([[queued.id], false]);
      const { events, hasMore } = await store.orderEvents("refused:user-1:ORD-1", orderQuery({ limit: 1 }));
      expect([events.length, hasMore]).toEqual([1, true]);
    });

    test("continues by cursor, and is an empty page for an order without events", async () => {
      const events = new EventMaker().many(3);
      const store = await storeOf(events);
      const first = await store.orderEvents("ORD-1", orderQuery({ limit: 2 }));
      const second = await store.orderEvents("ORD-1", orderQuery({ limit: 2, cursor: first.cursor ?? "" }));
      expect(ids([...first.events, ...second.events])).toEqual(ids(events.toReversed()));
      expect([first.hasMore, second.hasMore]).toEqual([true, false]);
      expect(await store.orderEvents("none", orderQuery())).toMatchObject({ events: [], hasMore: false, cursor: null });
    });
  });
}
