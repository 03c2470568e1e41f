import { expect, test } from "bun:test";
import type { JournalStore, WrittenCheckpoint } from "../../../engine/journal/journal.ts";
import type { JournalCall } from "../../../engine/journal/journal-call.ts";
import { JournalWriter } from "../../../engine/journal/journal-writer.ts";

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
