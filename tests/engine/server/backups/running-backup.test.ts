// One backup under way, between its thread and its client: what each of them is told, and that every end is told once and
// leaves nothing.

import { describe, expect, test } from "bun:test";
import type { EngineAuditStore } from "../../../../engine/audit/engine-audit-store.ts";
import type { BackupDescription } from "../../../../engine/backup/backup-format.ts";
import type { CheckpointOrigin } from "../../../../engine/journal/sqlite-journal.ts";
import { type BackupEnd, RunningBackup } from "../../../../engine/server/backups/running-backup.ts";
import { turn } from "../checkpoints/running-engine.ts";
import { fakeWorkers } from "../../support/fake-worker.ts";
import { SteppedTimers } from "../host/stepped-timers.ts";

const [STALL_MS, LIMIT_MS] = [1000, 10_000];
const ORIGIN = { directory: "of this test" } as CheckpointOrigin;
const DESCRIPTION = { kind: "mkt backup" } as BackupDescription;

async function begun(
  sources: { readonly recordsAfter?: () => never; readonly blocksAfter?: () => Promise<never> } = {},
) {
  const threads = fakeWorkers();
  const timers = new SteppedTimers();
  const ends: BackupEnd[] = [];
  const recordsAfter = sources.recordsAfter ?? ((after: number) => ({ texts: "{}", last: after + 1 }));
  const audit = { blocksAfter: sources.blocksAfter ?? ((after: number) => Promise.resolve([after])) };
  const backup = new RunningBackup({
    source: { journal: { origin: ORIGIN, recordsAfter }, audit: audit as unknown as EngineAuditStore },
    origin: ORIGIN,
    description: DESCRIPTION,
    onEnd: (end) => void ends.push(end),
    stallMs: STALL_MS,
    limitMs: LIMIT_MS,
    timers,
  });
  const [worker] = threads;
  // The stream asks for nothing before it has begun.
  await turn();
  return { backup, worker: worker!, timers, ends, reader: backup.stream.getReader() };
}

const frame = (text: string, isLast = false) => ({ kind: "frame", bytes: new TextEncoder().encode(text), isLast });
const textOf = (bytes?: Uint8Array) => new TextDecoder().decode(bytes);
const lineOf = (bytes?: Uint8Array) => new TextDecoder().decode(Bun.zstdDecompressSync(bytes ?? new Uint8Array()));

describe("a backup under way", () => {
  test("asks its thread for a frame whenever the client takes one, and ends with the last", async () => {
    const { worker, timers, ends, reader } = await begun();
    expect(worker.url).toEndWith("engine/server/backups/backup-thread.ts");
    expect(worker.got).toEqual([{ kind: "order", origin: ORIGIN, description: DESCRIPTION }]);
    const first = reader.read();
    expect(worker.got.slice(1)).toEqual([{ kind: "next" }]);
    worker.says(frame("one"));
    expect(textOf((await first).value)).toBe("one");
    await turn();
    expect(worker.got).toHaveLength(2);
    const second = reader.read();
    worker.says(frame("three!", true));
    expect(textOf((await second).value)).toBe("three!");
    expect((await reader.read()).done).toBe(true);
    expect(ends).toEqual([{ failure: null, bytes: "onethree!".length }]);
    expect([timers.pending, worker.isTerminated]).toEqual([0, true]);
    worker.closes();
    worker.says(frame("late"));
    worker.onerror?.({ message: "late" });
    expect(ends).toHaveLength(1);
  });

  test("hands its thread the records and events that it asks for", async () => {
    const { worker, backup } = await begun();
    worker.says({ kind: "records", after: 7 });
    await turn();
    worker.says({ kind: "events", after: 8 });
    await turn();
    expect(worker.got.slice(1)).toEqual([
      { kind: "records", slice: { texts: "{}", last: 8 } },
      { kind: "events", blocks: [8] },
    ]);
    backup.fail("the end");
  });

  test("tells its thread nothing after its end", async () => {
    const blocks = Promise.withResolvers<never>();
    const { worker, backup } = await begun({ blocksAfter: () => blocks.promise });
    worker.says({ kind: "events", after: 8 });
    backup.fail("the end");
    blocks.resolve([] as never);
    await turn();
    worker.says({ kind: "records", after: 8 });
    await turn();
    expect(worker.got).toHaveLength(1);
  });

  const unreadable = () => {
    throw new Error("disk\nbroken");
  };
  test.each<[string, (of: Awaited<ReturnType<typeof begun>>) => unknown, string]>([
    ["its thread fails", ({ worker }) => worker.says({ kind: "failed", reason: "no part" }), "no part"],
    ["its thread throws", ({ worker }) => worker.onerror?.({ message: "thrown" }), "thrown"],
    ["its thread ends", ({ worker }) => worker.closes(), "the thread that makes backups has ended"],
    ["no record can be read", ({ worker }) => worker.says({ kind: "records", after: 1 }), "disk broken"],
    ["no event can be read", ({ worker }) => worker.says({ kind: "events", after: 1 }), "disk broken"],
    ["the engine stops", ({ backup }) => backup.fail("the engine is shutting down"), "the engine is shutting down"],
  ])("ends with a line for the client, and once its thread has ended, if %s", async (_, fail, reason) => {
    const of = await begun({ recordsAfter: unreadable, blocksAfter: () => Promise.reject(new Error("disk\nbroken")) });
    const { reader, worker, ends, timers } = of;
    const chunk = reader.read();
    fail(of);
    expect(lineOf((await chunk).value)).toContain(reason);
    expect((await reader.read()).done).toBe(true);
    expect([worker.isTerminated, timers.pending]).toEqual([true, 0]);
    // Until the thread has ended, it may read what the journal keeps for it.
    if (!reason.includes("has ended")) {
      expect(ends).toEqual([]);
      worker.closes();
    }
    expect(ends).toEqual([{ failure: reason, bytes: 0 }]);
    of.backup.fail("again");
    expect(ends).toHaveLength(1);
  });

  test.each([["at first", 0], ["after some frames", 2]])(
    "ends if the client takes nothing for a while, %s; its time begins anew with each frame",
    async (_, frames) => {
      const { reader, worker, ends, timers } = await begun();
      for (let count = 0; count < frames; count++) {
        timers.pass(STALL_MS - 1);
        const chunk = reader.read();
        // However long the thread takes for it.
        timers.pass(STALL_MS);
        worker.says(frame("one"));
        await chunk;
      }
      timers.pass(STALL_MS - 1);
      expect(worker.isTerminated).toBe(false);
      timers.pass(1);
      expect([worker.isTerminated, timers.pending]).toEqual([true, 0]);
      worker.closes();
      expect(ends).toEqual([{ failure: "the client took nothing for 1 s", bytes: 3 * frames }]);
    },
  );

  test("ends after its limit, also while its client waits", async () => {
    const { reader, worker, ends, timers } = await begun();
    const chunk = reader.read();
    timers.pass(LIMIT_MS - 1);
    expect(worker.isTerminated).toBe(false);
    timers.pass(1);
    expect(lineOf((await chunk).value)).toContain("it took longer than 10 s");
    worker.closes();
    expect([timers.pending, ends]).toEqual([0, [{ failure: "it took longer than 10 s", bytes: 0 }]]);
  });

  test("ends if its client goes away", async () => {
    const { reader, worker, ends, timers } = await begun();
    const chunk = reader.read();
    worker.says(frame("one"));
    await chunk;
    await reader.cancel();
    expect([worker.isTerminated, timers.pending, ends]).toEqual([true, 0, []]);
    worker.closes();
    expect(ends).toEqual([{ failure: "the client went away", bytes: 3 }]);
  });
});
