// Blocks of the engine's own audit trail: what a query finds does not depend on how events were grouped into blocks, nor on
// what was deleted at either end.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { join } from "node:path";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { AUDIT_FILE } from "../../../engine/audit/audit-tables.ts";
import type { AuditEvent } from "../../../protocol/index.ts";
import { EventMaker, ids, NOW, orderQuery, query } from "../../common/audit/support/events.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ORDERS = ["ORD-1", "ORD-2", "ORD-3", null] as const;
const CAPACITY = 400;

const append = fc.record({
  kind: fc.constant("append" as const),
  count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 200, max: 600 })),
  seed: fc.nat({ max: 100 }),
});
const truncate = fc.record({ kind: fc.constant("truncate" as const), lost: fc.integer({ min: 0, max: 300 }) });
const reopen = fc.record({ kind: fc.constant("reopen" as const) });

/** An event with a number that is given again after a truncation. */
function eventAt(number: number, seed: number): AuditEvent {
  const orderId = ORDERS[(number + seed) % ORDERS.length] ?? null;
  const [event] = new EventMaker().many(1, () => ({
    orderId,
    moduleId: orderId ?? `module-${number % 7}`,
    event: number % 5 === 0 ? "orderRejected" : "orderQueued",
    details: { seed, number },
  }));
  if (event === undefined) throw new Error("no event");
  return { ...event, id: event.id.replace(/\d{12}$/, String(number).padStart(12, "0")) };
}

test("a trail answers like a list of its events, whatever was appended, cut off and forgotten", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 4, arbitrary: append }, truncate, reopen), { maxLength: 12 }),
      async (steps) => {
        const directory = temporaryDirectory();
        const open = () => SqliteAuditStore.open(directory, { now: () => NOW, capacity: CAPACITY });
        let store = open();
        /** Forgotten ones too. */
        let all: AuditEvent[] = [];
        for (const step of steps) {
          if (step.kind === "append") {
            const first = store.lastPosition + 1;
            const events = Array.from({ length: step.count }, (_, at) => eventAt(first + at, step.seed));
            store.append(events);
            all.push(...events);
          } else if (step.kind === "truncate") {
            const kept = Math.max(0, store.lastPosition - step.lost);
            store.truncate(kept);
            all = all.filter(({ id }) => Number(id.slice(-12)) <= kept);
          } else {
            store.sync();
            store.close();
            store = open();
          }
          // This ends a block, and old events are forgotten.
          store.write();
          const held = store.size;
          // A restart may find some forgotten events again, in the oldest block.
          expect(held).toBeLessThanOrEqual(Math.min(all.length, CAPACITY + 255));
          if (step.kind === "append") expect(held).toBeGreaterThanOrEqual(Math.min(step.count, CAPACITY));
          const list = held === 0 ? [] : all.slice(-held);
          const newestFirst = list.toReversed();
          expect((await store.query(query({ limit: 1000 }))).events).toEqual(newestFirst);
          const named = await store.query(query({ event: "orderRejected", limit: 1000 }));
          expect(ids(named.events)).toEqual(ids(newestFirst.filter(({ event }) => event === "orderRejected")));
          for (const order of ["ORD-1", "ORD-3"]) {
            const { events } = await store.orderEvents(order, orderQuery({ limit: 1000 }));
            expect(ids(events)).toEqual(ids(newestFirst.filter(({ orderId }) => orderId === order)));
          }
          const from = store.lastPosition - 10;
          expect(ids(store.after(from, 5))).toEqual(
            ids(list.filter(({ id }) => Number(id.slice(-12)) > from).slice(0, 5)),
          );
        }
        store.close();
      },
    ),
    { numRuns: size(5, 200) },
  );
});

test("an old damaged block is forgotten like any other, with all that is known of it", () => {
  const directory = temporaryDirectory();
  const file = join(directory, AUDIT_FILE);
  const open = () => SqliteAuditStore.open(directory, { now: () => NOW, capacity: 100 });
  const maker = new EventMaker();
  const first = open();
  first.append(maker.many(20, () => ({ moduleId: "old" })));
  first.sync();
  first.close();
  const damaging = new Database(file);
  damaging.run("update block set checksum = checksum + 1");
  damaging.close();
  const next = open();
  next.append(maker.many(200, () => ({ moduleId: "new" })));
  next.sync();
  next.close();
  const database = new Database(file);
  expect(database.query("select count(*) as blocks from block").get()).toEqual({ blocks: 1 });
  expect(database.query("select distinct key from mention order by key").values().flat())
    .toEqual(["ORD-1", "ORDER", "new", "orderQueued"]);
  database.close();
});
