// How the engine's thread talks to the one that makes checkpoints, also if that fails, ends, or talks too late.

import { describe, expect, test } from "bun:test";
import { StorageFull } from "../../../../engine/journal/journal.ts";
import type { SqliteJournal } from "../../../../engine/journal/sqlite-journal.ts";
import { WorkerCheckpointMaker } from "../../../../engine/server/checkpoints/worker-checkpoint-maker.ts";
import { fakeWorkers } from "../../support/fake-worker.ts";

const ORIGIN = { directory: "of this test" };
const WRITTEN = { kind: "written", checkpoint: { upTo: 9 } };

function maker(journal: object = {}) {
  const threads = fakeWorkers();
  const recordsAfter = (after: number) => ({ texts: `after ${after}`, last: after + 1 });
  const making = new WorkerCheckpointMaker({ origin: ORIGIN, recordsAfter, ...journal } as unknown as SqliteJournal);
  const failureOf = (made: Promise<unknown>) => made.then(() => null, (error: unknown) => error as Error);
  return { threads, making, failureOf };
}

describe("a maker of checkpoints", () => {
  test("hands over the order and each slice that the thread asks for, and keeps the thread for the next checkpoint", async () => {
    const { threads, making } = maker();
    for (let count = 1; count <= 2; count++) {
      const made = making.make(9);
      expect(threads).toHaveLength(1);
      const [thread] = threads;
      expect(thread!.url).toEndWith("engine/server/checkpoints/checkpoint-thread.ts");
      thread!.says({ kind: "more", after: 3 });
      thread!.says({ kind: "more", after: 4 });
      thread!.says(WRITTEN);
      expect(await made as unknown).toEqual({ upTo: 9 });
      expect(thread!.got.splice(0)).toEqual([
        { kind: "order", origin: ORIGIN, upTo: 9 },
        { kind: "records", slice: { texts: "after 3", last: 4 } },
        { kind: "records", slice: { texts: "after 4", last: 5 } },
      ]);
      expect(thread!.isTerminated).toBe(false);
    }
  });

  test.each<[string, (thread: ReturnType<typeof fakeWorkers>[number]) => void, string, boolean]>([
    ["the thread fails", (thread) => thread.says({ kind: "failed", reason: "no", isDiskFull: false }), "no", false],
    ["the disk is full", (thread) => thread.says({ kind: "failed", reason: "full", isDiskFull: true }), "full", true],
    ["the thread throws", (thread) => thread.onerror?.({ message: "thrown" }), "thrown", false],
    ["the thread ends", (thread) => thread.closes(), "the thread that makes checkpoints has ended", false],
    ["no record can be read", (thread) => thread.says({ kind: "more", after: 7 }), "unreadable", false],
  ])("ends the thread and begins another for the next checkpoint if %s", async (_, fail, reason, isFull) => {
    const recordsAfter = () => {
      throw new Error("unreadable");
    };
    const { threads, making, failureOf } = maker({ recordsAfter });
    const made = failureOf(making.make(9));
    fail(threads[0]!);
    const failure = await made;
    expect([failure?.message, failure instanceof StorageFull]).toEqual([reason, isFull]);
    if (!reason.includes("ended")) expect(threads[0]!.isTerminated).toBe(true);
    const again = making.make(10);
    expect(threads).toHaveLength(2);
    // What the first thread says late belongs to no checkpoint any more.
    threads[0]!.says({ kind: "written", checkpoint: { upTo: 1 } });
    threads[0]!.says({ kind: "failed", reason: "late", isDiskFull: false });
    threads[0]!.onerror?.({ message: "late" });
    threads[0]!.closes();
    threads[1]!.says(WRITTEN);
    expect(await again as unknown).toEqual({ upTo: 9 });
    // The second thread is kept, although the first one has ended after it began.
    const third = making.make(11);
    expect(threads).toHaveLength(2);
    threads[1]!.says(WRITTEN);
    await third;
  });

  test("that is cancelled gives up what is being made, ends the thread, and may be cancelled without one", async () => {
    const { threads, making, failureOf } = maker();
    making.cancel();
    const made = failureOf(making.make(9));
    making.cancel();
    expect((await made)?.message).toBe("the engine stopped");
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true]);
    const idle = making.make(9);
    threads[1]!.says(WRITTEN);
    await idle;
    making.cancel();
    expect(threads[1]!.isTerminated).toBe(true);
  });

  test("begins no thread for a journal that has not begun", async () => {
    const { threads, making, failureOf } = maker({ origin: null });
    expect((await failureOf(making.make(9)))?.message).toBe("the journal has not begun");
    expect(threads).toEqual([]);
  });
});
