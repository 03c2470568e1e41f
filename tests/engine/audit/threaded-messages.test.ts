// What the engine's thread tells the one of the audit trail, and what it makes of what that one says, or fails to say.

import { describe, expect, spyOn, test } from "bun:test";
import { AuditFailure } from "../../../common/audit/audit-failure.ts";
import { auditLine } from "../../../engine/api/audit-lines.ts";
import { recordedOf } from "../../../engine/audit/audit-events.ts";
import { CELL, SPACE, THREAD } from "../../../engine/audit/audit-messages.ts";
import { ThreadedAuditStore } from "../../../engine/audit/threaded-audit-store.ts";
import { UNGUARDED } from "../../../engine/journal/storage-guard.ts";
import { EventMaker, NOW, orderQuery, query } from "../../common/audit/support/events.ts";
import { atEnd } from "../../support/at-end.ts";
import { fakeWorkers } from "../support/fake-worker.ts";

const OPENED = { kind: "opened", lastPosition: 0, delivered: null };

async function opened(says: object = OPENED, directory: string | null = "DIR") {
  const threads = fakeWorkers();
  const spaces: boolean[] = [];
  let asked = 0;
  const makeSpace = () => (asked += 1, spaces.shift() ?? false);
  const opening = ThreadedAuditStore.open({ directory, now: () => NOW, guard: { ...UNGUARDED, makeSpace } });
  const thread = threads[0]!;
  const { cells } = thread.got[0] as { readonly cells: Int32Array };
  thread.says({ ...OPENED, ...says });
  const store = await opening;
  const failures: string[] = [];
  store.watch(({ message }) => void failures.push(message));
  const maker = new EventMaker();
  const line = (length = 0) => auditLine(recordedOf(maker.next({ details: { text: "x".repeat(length) } })));
  /** What the thread was told since the last call. */
  const told = () => thread.got.splice(0);
  thread.got.length = 0;
  return { store, thread, cells, spaces, failures, line, told, asked: () => asked };
}

const reasonOf = (promise: Promise<unknown>) => promise.then(() => "none", (error: unknown) => error);

describe("a trail that is opened", () => {
  test.each([["DIR", true], [null, false]])(
    "in %p is durable: %p, and knows what its thread says",
    async (directory, isDurable) => {
      const { store, thread } = await opened({ lastPosition: 7, delivered: 5 }, directory);
      expect(thread.url).toEndWith("engine/audit/audit-thread.ts");
      expect([store.isDurable, store.lastPosition, store.delivered]).toEqual([isDurable, 7, 5]);
      expect([store.beginDelivery(), thread.got]).toEqual([5, []]);
    },
  );

  test.each<[string, (thread: ReturnType<typeof fakeWorkers>[number]) => void, string]>([
    ["fails", (thread) => thread.says({ kind: "failed", message: "no database" }), "no database"],
    ["throws", (thread) => thread.onerror?.({ message: "thrown" }), "thrown"],
    ["ends", (thread) => thread.closes(), "the thread of the audit trail has ended"],
  ])("is none if its thread %s, which is then ended", async (_, fail, message) => {
    const threads = fakeWorkers();
    const opening = reasonOf(ThreadedAuditStore.open({ directory: null, now: () => NOW }));
    fail(threads[0]!);
    expect(await opening).toEqual(new Error(message));
    expect(threads[0]!.isTerminated).toBe(true);
  });
});

describe("what is recorded", () => {
  test("is handed over in its order, once there is enough of it or somebody asks", async () => {
    const { store, told, line } = await opened();
    const lines = [line(), line(), line(200_000), line()];
    store.record(lines[0]!);
    store.record("");
    store.record(lines[1]!);
    expect([told(), store.lastPosition]).toEqual([[], 2]);
    store.record(lines[2]!);
    expect(told()).toEqual([{ kind: "record", lines: lines.slice(0, 3).join("") }]);
    store.record(lines[3]!);
    expect([told(), store.lastPosition]).toEqual([[], 4]);
    void store.sync();
    void store.sync();
    expect(told()).toEqual([
      { kind: "record", lines: lines[3]! },
      { kind: "ask", number: 1, question: { kind: "sync" } },
      { kind: "ask", number: 2, question: { kind: "sync" } },
    ]);
  });

  test("is not handed over if the trail has all of it", async () => {
    const { store, told, line } = await opened({ lastPosition: 2 });
    store.record(line() + line());
    void store.sync();
    expect(told()).toEqual([{ kind: "ask", number: 1, question: { kind: "sync" } }]);
    store.record(line());
    void store.sync();
    expect(told().map((each) => (each as { readonly kind: string }).kind)).toEqual(["record", "ask"]);
    expect(store.lastPosition).toBe(3);
  });

  test("comes before every change of the trail", async () => {
    const { store, told, line } = await opened();
    const lines = [line(), line() + line(), line(), line()];
    store.record(lines[0]! + lines[1]!);
    store.truncate(2);
    expect([told(), store.lastPosition]).toEqual([
      [{ kind: "record", lines: lines[0]! + lines[1]! }, { kind: "truncate", position: 2 }],
      2,
    ]);
    store.truncate(9);
    expect([told(), store.lastPosition]).toEqual([[{ kind: "truncate", position: 9 }], 2]);
    store.record(lines[2]!);
    store.beginAfter(9);
    expect([told(), store.lastPosition]).toEqual([
      [{ kind: "record", lines: lines[2]! }, { kind: "beginAfter", position: 9 }],
      9,
    ]);
    expect([store.delivered, store.beginDelivery(), store.delivered]).toEqual([null, 0, 0]);
    store.markDelivered(3);
    expect([told(), store.delivered, store.beginDelivery()]).toEqual([
      [{ kind: "markDelivered", position: 0 }, { kind: "markDelivered", position: 3 }],
      3,
      3,
    ]);
  });
});

describe("a question", () => {
  test("has all that its answer needs, and gets its own answer", async () => {
    const { store, told, thread } = await opened();
    const viewer = { entityId: "A", permissions: new Set(["Market.View"]), id: "anna" };
    const [asked, ofOrder] = [query({ search: "x" }), orderQuery()];
    const answers = [
      store.query(asked, viewer),
      store.query(asked),
      store.orderEvents("ORD-1", ofOrder),
      store.after(3, 4),
      store.blocksAfter(5),
      store.sync(),
    ] as Promise<unknown>[];
    const questions = [
      { kind: "query", query: asked, viewer: { entityId: "A", permissions: viewer.permissions } },
      { kind: "query", query: asked, viewer: undefined },
      { kind: "orderEvents", orderId: "ORD-1", query: ofOrder, now: NOW },
      { kind: "after", position: 3, limit: 4 },
      { kind: "blocksAfter", position: 5 },
      { kind: "sync" },
    ];
    expect(told()).toEqual(questions.map((question, at) => ({ kind: "ask", number: at + 1, question })));
    for (const number of [3, 1, 2, 6, 5, 4]) thread.says({ kind: "answer", number, answer: `to ${number}` });
    expect(await Promise.all(answers)).toEqual(["to 1", "to 2", "to 3", "to 4", "to 5", undefined]);
  });

  test("that is refused fails with its code and hint, or as a fault", async () => {
    const { store, thread, failures } = await opened();
    const [first, second] = [reasonOf(store.query(query())), reasonOf(store.query(query()))];
    thread.says({ kind: "refused", number: 1, message: "no", code: "invalid_input", hint: "try" });
    thread.says({ kind: "refused", number: 2, message: "broken", code: null, hint: undefined });
    expect(await first).toEqual(new AuditFailure("invalid_input", "no", "try"));
    const fault = await second;
    expect([fault instanceof AuditFailure, String(fault), failures]).toEqual([false, "Error: broken", []]);
  });

  test("that nobody waits for is given up at once, and its late answer is ignored", async () => {
    const { store, told, thread } = await opened();
    const client = new AbortController();
    const waits = [store.query(query(), undefined, client.signal), store.orderEvents("O", orderQuery(), client.signal)]
      .map(reasonOf);
    told();
    client.abort("gone");
    expect(await Promise.all(waits)).toEqual(["gone", "gone"]);
    expect(told()).toEqual([{ kind: "cancel", number: 1 }, { kind: "cancel", number: 2 }]);
    thread.says({ kind: "answer", number: 1, answer: "late" });
    expect(await reasonOf(store.query(query(), undefined, client.signal))).toBe("gone");
    expect(told()).toEqual([]);
  });

  test("that was answered isn't cancelled when its client goes", async () => {
    const { store, told, thread } = await opened();
    const client = new AbortController();
    const answer = store.query(query(), undefined, client.signal);
    thread.says({ kind: "answer", number: 1, answer: "page" });
    expect(await answer as unknown).toBe("page");
    told();
    client.abort();
    expect(told()).toEqual([]);
  });
});

describe("a thread that needs space", () => {
  test.each([[true, SPACE.made], [false, SPACE.none]])(
    "gets the answer of the guard once: %p",
    async (hasSpace, cell) => {
      const { cells, spaces, thread, asked } = await opened();
      spaces.push(hasSpace);
      thread.says({ kind: "full" });
      expect([cells[CELL.space], asked()]).toEqual([cell, 1]);
      // It was answered while the engine waited for it.
      thread.says({ kind: "full" });
      expect(asked()).toBe(1);
    },
  );
});

/** A clock that only moves while this thread waits for the other one. */
function waiting(onWait: (count: number) => "ok" | "timed-out") {
  let [time, count] = [0, 0];
  const clock = spyOn(performance, "now").mockImplementation(() => time);
  const wait = spyOn(Atomics, "wait").mockImplementation(
    ((...[, , , milliseconds]: unknown[]) => {
      time += Number(milliseconds);
      return onWait(++count);
    }) as typeof Atomics.wait,
  );
  const end = () => (clock.mockRestore(), wait.mockRestore());
  atEnd(end);
  return { waits: () => count, end };
}

describe("a thread that is far behind", () => {
  const MOST = 200;
  async function behind(count: number) {
    const trail = await opened();
    for (let batch = 0; batch < count; batch++) trail.store.record(trail.line(200_000));
    return trail;
  }

  test("is waited for at two hundred batches until it has written one, and answered if it needs space", async () => {
    const { store, cells, line, spaces, asked } = await behind(MOST - 1);
    Atomics.store(cells, CELL.state, THREAD.needsSpace);
    spaces.push(true);
    const { waits, end } = waiting((count) => {
      if (count === 3) Atomics.add(cells, CELL.written, 1);
      return count === 3 ? "ok" : "timed-out";
    });
    store.record(line(200_000));
    end();
    expect([waits(), asked(), cells[CELL.space]]).toEqual([3, 1, SPACE.made]);
  });

  test("has failed after a minute of silence, which begins anew whenever it stirs", async () => {
    const { store, line, failures } = await behind(MOST - 1);
    const { waits, end } = waiting((count) => count === 1000 ? "ok" : "timed-out");
    expect(() => store.record(line(200_000))).toThrow("the audit trail can't be written");
    end();
    expect(waits()).toBe(1000 + 60_000 / 50 + 1);
    expect(failures).toEqual(["the audit trail can't be written"]);
    expect(() => store.record(line())).toThrow("the audit trail can't be written");
  });

  test("that says that it has failed is not waited for", async () => {
    const { store, cells, line } = await behind(MOST - 1);
    Atomics.store(cells, CELL.state, THREAD.failed);
    const { waits, end } = waiting(() => "timed-out");
    expect(() => store.record(line(200_000))).toThrow("the audit trail can't be written");
    end();
    expect(waits()).toBe(1);
  });
});

describe("a trail whose thread fails", () => {
  test("fails all questions and every later call, and says so once, also to who watches later", async () => {
    const { store, thread, failures, line } = await opened();
    const questions = [store.sync(), store.query(query())].map(reasonOf);
    thread.says({ kind: "failed", message: "disk" });
    thread.onerror?.({ message: "again" });
    thread.closes();
    expect((await Promise.all(questions)).map(String)).toEqual(["Error: disk", "Error: disk"]);
    expect(failures).toEqual(["disk"]);
    const later: string[] = [];
    store.watch(({ message }) => void later.push(message));
    expect(later).toEqual(["disk"]);
    for (const call of [() => store.record(line()), () => store.truncate(1), () => store.markDelivered(1)]) {
      expect(call).toThrow("disk");
    }
    expect(String(await reasonOf(store.after(1, 1)))).toBe("Error: disk");
    thread.got.length = 0;
    await store.close();
    expect([thread.got, thread.isTerminated]).toEqual([[], true]);
  });

  test("is closed by its thread, which then ends, and its end is no failure", async () => {
    const { store, thread, told, failures, line } = await opened();
    const last = line();
    store.record(last);
    const closed = store.close();
    expect(told()).toEqual([{ kind: "record", lines: last }, { kind: "ask", number: 1, question: { kind: "close" } }]);
    expect(thread.isTerminated).toBe(false);
    thread.says({ kind: "answer", number: 1, answer: undefined });
    await closed;
    expect(thread.isTerminated).toBe(true);
    thread.closes();
    await store.close();
    expect([told(), failures]).toEqual([[], []]);
  });

  test("while it is closed is ended too", async () => {
    const { store, thread } = await opened();
    const closed = reasonOf(store.close());
    thread.closes();
    expect(String(await closed)).toBe("Error: the thread of the audit trail has ended");
    expect(thread.isTerminated).toBe(true);
  });
});
