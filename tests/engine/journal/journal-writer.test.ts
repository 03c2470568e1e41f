import { expect, test } from "bun:test";
import { type JournalStore, StorageFull, type WrittenCheckpoint } from "../../../engine/journal/journal.ts";
import type { JournalCall } from "../../../engine/journal/journal-call.ts";
import { JournalWriter } from "../../../engine/journal/journal-writer.ts";
import { UNGUARDED } from "../../../engine/journal/storage-guard.ts";
import { rejected } from "../../../engine/api/outcome.ts";

const CALL: JournalCall = { kind: "reset", now: 0 } as unknown as JournalCall;
const STORE = { append: () => {}, sync: () => {}, useCheckpoint: () => {} } as unknown as JournalStore;

function written(upTo: number, parts: number): WrittenCheckpoint {
  return { upTo, state: { parts } as WrittenCheckpoint["state"], operations: [] };
}

test("the last number is that of what is committed, not of what is only appended", () => {
  const writer = new JournalWriter(STORE, { lastNumber: 5, checkpointNumber: 0, checkpointParts: 0 });
  writer.append(CALL);
  writer.append(CALL);
  expect([writer.lastNumber, writer.hasUncommitted]).toEqual([5, true]);
  writer.commit();
  expect([writer.lastNumber, writer.hasUncommitted]).toEqual([7, false]);
});

test("the larger the last checkpoint, the more records come before the next one", () => {
  const options = {
    lastNumber: 100,
    checkpointNumber: 0,
    checkpointParts: 1,
    checkpointRecords: 10,
    recordsPerPart: 4,
  };
  const writer = new JournalWriter(STORE, options);
  expect([writer.checkpointInterval, writer.isCheckpointDue]).toEqual([10, true]);
  writer.useCheckpoint(written(100, 5));
  expect([writer.checkpointInterval, writer.recordsSinceCheckpoint]).toEqual([20, 0]);
  for (let record = 1; record < 20; record++) writer.append(CALL);
  expect(writer.isCheckpointDue).toBe(false);
  writer.append(CALL);
  expect(writer.isCheckpointDue).toBe(true);
});

test("records that come while a checkpoint is made count as records since it", () => {
  const writer = new JournalWriter(STORE, { lastNumber: 100, checkpointNumber: 0, checkpointParts: 0 });
  writer.useCheckpoint(written(95, 1));
  expect([writer.recordsSinceCheckpoint, writer.hasNewRecords]).toEqual([5, true]);
  writer.useCheckpoint(written(100, 1));
  expect([writer.recordsSinceCheckpoint, writer.hasNewRecords]).toEqual([0, false]);
});

test("after a checkpoint that failed as many records come before the next attempt as lie between two", () => {
  const options = { lastNumber: 100, checkpointNumber: 0, checkpointRecords: 10, recordsPerPart: 4 };
  for (const [checkpointParts, interval] of [[0, 10], [5, 20]] as const) {
    const writer = new JournalWriter(STORE, { ...options, checkpointParts });
    writer.postponeCheckpoint();
    const due = Array.from({ length: interval + 1 }, () => {
      writer.append(CALL);
      return writer.isCheckpointDue;
    });
    expect(due).toEqual([...Array(interval - 1).fill(false), true, true]);
  }
  const writer = new JournalWriter(STORE, { ...options, checkpointParts: 0 });
  expect([writer.isCheckpointDue, writer.hasNewRecords]).toEqual([true, true]);
  writer.postponeCheckpoint();
  writer.useCheckpoint(written(100, 0));
  expect([writer.isCheckpointDue, writer.hasNewRecords]).toEqual([false, false]);
});

test("while the storage takes nothing no checkpoint is due, written or deleted, and a close stops looking at it", () => {
  const done: string[] = [];
  let refusal: ReturnType<typeof rejected> | null = null;
  let isFull = false;
  const step = (name: string) => () => {
    if (isFull) throw new StorageFull("full");
    done.push(name);
  };
  const store = {
    ...STORE,
    writeCheckpoint: () => (step("write")(), written(9, 0)),
    deleteReplaced: () => (step("delete")(), false),
    close: step("close"),
  } as unknown as JournalStore;
  const guard = {
    ...UNGUARDED,
    get refusal() {
      return refusal;
    },
    close: () => void done.push("refuse"),
    stop: () => void done.push("stop"),
  };
  const options = { lastNumber: 9, checkpointNumber: 0, checkpointParts: 0, checkpointRecords: 1, guard };
  const writer = new JournalWriter(store, options);
  const checkpoint = { state: [], operations: () => [], time: 0 };
  refusal = rejected("storage_full", "full");
  expect([writer.isCheckpointDue, writer.saveCheckpoint(checkpoint), writer.deleteReplaced(), done])
    .toEqual([false, false, false, []]);
  refusal = null;
  isFull = true;
  expect([writer.saveCheckpoint(checkpoint), writer.deleteReplaced(), done.splice(0)])
    .toEqual([false, false, ["refuse", "refuse"]]);
  isFull = false;
  expect([writer.isCheckpointDue, writer.saveCheckpoint(checkpoint), writer.isCheckpointDue, done.splice(0)])
    .toEqual([true, true, false, ["write", "delete"]]);
  writer.close();
  expect(done).toEqual(["stop", "close"]);
});

test("a checkpoint at a stop replaces every record up to the last one, however many steps that takes", () => {
  const done: string[] = [];
  let stepsLeft = 3;
  const store = {
    ...STORE,
    writeCheckpoint: ({ upTo, time }: { upTo: number; time: number }) => {
      done.push(`write ${upTo} of ${time}`);
      return written(upTo, 2);
    },
    useCheckpoint: ({ upTo }: WrittenCheckpoint) => void done.push(`use ${upTo}`),
    deleteReplaced: () => (done.push("delete"), --stepsLeft > 0),
    removeReplacedFile: () => Promise.resolve(void done.push("remove")),
  } as unknown as JournalStore;
  const writer = new JournalWriter(store, { lastNumber: 5, checkpointNumber: 0, checkpointParts: 0 });
  writer.append(CALL);
  writer.commit();
  expect(writer.saveCheckpoint({ state: [], operations: () => [], time: 77 })).toBe(true);
  expect(done.splice(0)).toEqual(["write 6 of 77", "use 6", "delete", "delete", "delete"]);
  expect([writer.recordsSinceCheckpoint, writer.hasNewRecords]).toEqual([0, false]);
  stepsLeft = 2;
  expect([writer.deleteReplaced(), writer.deleteReplaced()]).toEqual([true, false]);
  void writer.removeReplacedFile();
  expect(done).toEqual(["delete", "delete", "remove"]);
});

test("each commit hands over the records since the one before, and is synced once it is written", () => {
  const done: unknown[] = [];
  const store = {
    ...STORE,
    append: (records: readonly { number: number; text: string }[]) => void done.push(records),
    sync: () => void done.push("sync"),
  } as unknown as JournalStore;
  const writer = new JournalWriter(store, { lastNumber: 5, checkpointNumber: 0, checkpointParts: 0 });
  writer.commit();
  expect(done).toEqual([]);
  const text = JSON.stringify(CALL);
  for (const numbers of [[6, 7], [8]]) {
    for (const _ of numbers) writer.append(CALL);
    writer.commit();
    expect(done.splice(0)).toEqual([numbers.map((number) => ({ number, text })), "sync"]);
  }
});
