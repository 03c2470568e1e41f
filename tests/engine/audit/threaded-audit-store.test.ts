import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { recordedOf } from "../../../engine/audit/audit-events.ts";
import { AUDIT_FILE } from "../../../engine/audit/audit-tables.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { ThreadedAuditStore } from "../../../engine/audit/threaded-audit-store.ts";
import { type FromAuditThread, newCells, type ToAuditThread } from "../../../engine/audit/audit-messages.ts";
import { threadUrl } from "../../../common/thread-url.ts";
import { auditLine } from "../../../engine/api/audit-lines.ts";
import type { AuditEvent } from "../../../protocol/index.ts";
import type { StorageGuard } from "../../../engine/journal/storage-guard.ts";
import { auditStoreContract } from "../../common/audit/audit-store.contract.ts";
import { EventMaker, ids, NOW, orderQuery, query } from "../../common/audit/support/events.ts";
import { canMakeSmallDisks, smallDisk } from "../../e2e/support/small-disk.ts";
import { atEnd } from "../../support/at-end.ts";
import { LONG } from "../../support/sizes.ts";
import { listenersOf } from "../../support/still-clock.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";

async function open(directory: string | null, guard?: StorageGuard): Promise<ThreadedAuditStore> {
  const store = await ThreadedAuditStore.open({ directory, now: () => NOW, ...(guard && { guard }) });
  atEnd(() => store.close());
  return store;
}

const recorded = (events: readonly AuditEvent[]) => events.map((event) => auditLine(recordedOf(event))).join("");

async function asAuditStore(directory: string | null) {
  const store = await open(directory);
  return {
    append: (events: readonly AuditEvent[]) => store.record(recorded(events)),
    query: store.query.bind(store),
    orderEvents: store.orderEvents.bind(store),
  };
}

// In every run the contract holds for the store in the thread (sqlite-audit-store.test.ts), and the thread for what follows.
if (LONG) auditStoreContract("a thread, in memory", () => asAuditStore(null), { runs: 30, walked: 20_000 });

describe("the audit trail in a thread", () => {
  test("is cut off after a position, and is not longer after a cut beyond its end", async () => {
    const store = await open(null);
    const events = new EventMaker().many(30);
    store.record(recorded(events.slice(0, 20)));
    store.truncate(99);
    expect(store.lastPosition).toBe(20);
    store.truncate(10);
    expect(store.lastPosition).toBe(10);
    store.record(recorded(events.slice(10, 12)));
    expect([store.lastPosition, ids(await store.after(0, 99))]).toEqual([12, ids(events.slice(0, 12))]);
  });

  test("has everything after a sync, also for another process", async () => {
    const directory = temporaryDirectory();
    const store = await open(directory);
    const events = new EventMaker().many(1300);
    store.record(recorded(events));
    expect(store.lastPosition).toBe(1300);
    await store.sync();
    await store.close();
    const again = SqliteAuditStore.open(directory, { now: () => NOW });
    expect(again.after(0, 2000)).toEqual(events);
    again.close();
  });

  test("continues after its last event, ignores events that it has, and deletes those after a position", async () => {
    const directory = temporaryDirectory();
    const events = new EventMaker().many(30);
    const first = await open(directory);
    first.record(recorded(events));
    await first.close();
    const second = await open(directory);
    expect(second.lastPosition).toBe(30);
    second.record(recorded(events));
    second.truncate(20);
    expect([second.lastPosition, ids(await second.after(0, 100))]).toEqual([20, ids(events.slice(0, 20))]);
    second.record(recorded(events));
    expect(ids(await second.after(18, 100))).toEqual(ids(events.slice(18)));
  });

  test("begins after a position, and keeps the position up to which events are delivered", async () => {
    const directory = temporaryDirectory();
    const first = await open(directory);
    first.beginAfter(17);
    expect([first.lastPosition, first.beginDelivery()]).toEqual([17, 0]);
    first.markDelivered(17);
    await first.close();
    const second = await open(directory);
    expect([second.lastPosition, second.beginDelivery(), second.isDurable]).toEqual([17, 17, true]);
  });

  test("waits for the thread if it is far behind, and loses nothing", async () => {
    const store = await open(null);
    const maker = new EventMaker();
    // More batches than may wait.
    const details = { note: "x".repeat(1_800) };
    for (let batch = 0; batch < 120; batch++) store.record(recorded(maker.many(100, () => ({ details }))));
    const page = await store.query(query({ limit: 1 }));
    expect(page.events[0]?.id).toBe(new EventMaker().many(12_000).at(-1)?.id);
  });

  test("a search that is cancelled throws at once, and its thread stops searching", async () => {
    const store = await open(null);
    store.record(recorded(new EventMaker().many(20_000)));
    const cancel = new AbortController();
    const cancelled = store.query(query({ search: "not there" }), undefined, cancel.signal);
    cancel.abort("nobody waits");
    await expect(cancelled).rejects.toBe("nobody waits");
    expect((await store.query(query({ limit: 1 }))).events).toHaveLength(1);
    await expect(store.query(query(), undefined, cancel.signal)).rejects.toBe("nobody waits");
  });

  test("an answered or cancelled search leaves no listener with its client", async () => {
    const store = await open(null);
    const client = new AbortController();
    await store.query(query(), undefined, client.signal);
    await store.orderEvents("ORD-1", orderQuery(), client.signal);
    expect(listenersOf(client.signal)).toBe(0);
    const cancelled = store.query(query(), undefined, client.signal);
    client.abort("gone");
    await expect(cancelled).rejects.toBe("gone");
    expect(listenersOf(client.signal)).toBe(0);
  });

  test("its thread answers no question that is cancelled", async () => {
    const thread = new Worker(threadUrl("engine/audit/audit-thread.ts"));
    atEnd(() => thread.terminate());
    const answers: FromAuditThread[] = [];
    thread.onmessage = ({ data }: MessageEvent<FromAuditThread>) => void answers.push(data);
    const tell = (message: ToAuditThread) => thread.postMessage(message);
    tell({ kind: "open", directory: null, cells: newCells() });
    tell({ kind: "record", lines: recorded(new EventMaker().many(20_000)) });
    for (const number of [1, 2]) {
      tell({ kind: "ask", number, question: { kind: "query", query: query({ search: "no" }), viewer: undefined } });
    }
    tell({ kind: "cancel", number: 1 });
    await until(() => answers.length === 3);
    expect(answers.map((answer) => "number" in answer ? [answer.kind, answer.number] : answer.kind))
      .toEqual(["opened", ["refused", 1], ["answer", 2]]);
  });

  test("can't be opened if the file is of another program, with one line that names it", async () => {
    const directory = temporaryDirectory();
    await Bun.write(`${directory}/${AUDIT_FILE}`, "a letter to a friend\n".repeat(100));
    await expect(open(directory)).rejects.toThrow(/^audit trail in \S+: .*not a database/);
  });

  test("fails with the error of its thread, once, and then in every call", async () => {
    const store = await open(null);
    const failures: string[] = [];
    store.watch(({ message }) => void failures.push(message));
    const maker = new EventMaker();
    const [today, before] = [maker.next(), maker.next({ time: new Date(NOW - 86_400_000).toISOString() })];
    store.record(recorded([today, before]));
    const refusal: unknown = await store.query(query()).catch((error: unknown) => error);
    expect(String(refusal)).toMatch(/^Error: audit event \S+ of 2026-01-13 after 2026-01-14$/);
    await until(() => failures.length > 0);
    expect(() => store.record(recorded([maker.next()]))).toThrow("2026-01-13 after");
    expect(failures).toHaveLength(1);
  });
});

const hasDisks = canMakeSmallDisks("the tests of the audit trail on a full disk");

describe.skipIf(!hasDisks)("the audit trail in a thread, on a full disk", () => {
  /** A guard that can make space so many times. */
  function guardWith(times: number, makeSpace: () => void): StorageGuard & { readonly asked: () => number } {
    let asked = 0;
    return {
      refusal: null,
      attempt: (work) => work(),
      makeSpace: () => {
        if (++asked > times) return false;
        makeSpace();
        return true;
      },
      close: () => {},
      stop: () => {},
      asked: () => asked,
    };
  }

  function fullDisk() {
    const made = smallDisk(4);
    atEnd(() => made.remove());
    return made;
  }

  test("waits until the engine has made space, and has every event then", async () => {
    const small = fullDisk();
    const guard = guardWith(1, () => small.empty());
    const store = await open(small.path, guard);
    small.fill();
    const events = new EventMaker().many(3000);
    store.record(recorded(events));
    expect((await store.after(0, 5000)).length).toBe(3000);
    expect([guard.asked(), readdirSync(small.path).includes(AUDIT_FILE)]).toEqual([1, true]);
  });

  test("fails if the engine can't make space", async () => {
    const small = fullDisk();
    const store = await open(small.path, guardWith(0, () => {}));
    const failures: Error[] = [];
    store.watch((failure) => void failures.push(failure));
    small.fill();
    store.record(recorded(new EventMaker().many(3000)));
    await until(() => failures.length > 0);
    expect(failures[0]?.message).toContain("full");
    await expect(store.sync()).rejects.toThrow("full");
  });
});
