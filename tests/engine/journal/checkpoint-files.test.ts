import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkpointFile,
  checkpointFilesIn,
  keptOperations,
  readCheckpoint,
  removeOtherCheckpoints,
  writeCheckpoint,
} from "../../../engine/journal/checkpoint-files.ts";
import { type NewCheckpoint, StorageFull, type WrittenCheckpoint } from "../../../engine/journal/journal.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HEADER = 7;

const OURS = [
  "checkpoint-1",
  "checkpoint-1-operations",
  "checkpoint-1-operations.copy",
  "checkpoint-1-stop",
  "checkpoint-1-stop-operations",
  "checkpoint-1-stop-operations.copy",
  "checkpoint-1-stop.copy",
  "checkpoint-1.copy",
  "checkpoint-1234567890",
];
const OTHERS = [
  "checkpoint-",
  "checkpoint-1-operations-stop",
  "checkpoint-1.bak",
  "checkpoint-1.copy.bak",
  "checkpoint-x",
  "my-checkpoint-1",
  "journal.sqlite",
];

/** Which operations a checkpoint was asked for. */
function written(directory: string, upTo: number, time: number, inUse: WrittenCheckpoint | null) {
  let asked = NaN;
  const operations = (since: number) => {
    asked = since;
    return [`operations of ${upTo}`];
  };
  const next: NewCheckpoint = { upTo, time, operations, state: [`state of ${upTo}`] };
  return { checkpoint: writeCheckpoint(directory, checkpointFile(upTo, "beside calls"), next, inUse, HEADER), asked };
}

test("the names of a checkpoint that is made at a stop and of one beside calls differ", () => {
  expect([checkpointFile(5, "beside calls"), checkpointFile(5, "at a stop")]).toEqual([
    "checkpoint-5",
    "checkpoint-5-stop",
  ]);
});

test("files of other names are no checkpoints, and stay when those that are not kept are deleted", async () => {
  const directory = temporaryDirectory();
  for (const name of [...OURS, ...OTHERS]) writeFileSync(join(directory, name), "");
  expect(checkpointFilesIn(directory).toSorted()).toEqual(OURS.toSorted());
  const file = (name: string) => ({ file: name, parts: 0, checksum: 0 });
  const operations = [{ ...file("checkpoint-1-stop-operations"), until: 0 }];
  await removeOtherCheckpoints(directory, { upTo: 1, state: file("checkpoint-1"), operations });
  const kept = [
    "checkpoint-1",
    "checkpoint-1.copy",
    "checkpoint-1-stop-operations",
    "checkpoint-1-stop-operations.copy",
  ];
  expect(readdirSync(directory).toSorted()).toEqual([...kept, ...OTHERS].toSorted());
  await removeOtherCheckpoints(directory, null);
  expect(readdirSync(directory).toSorted()).toEqual(OTHERS.toSorted());
});

describe("a checkpoint", () => {
  test("keeps the operations of those before it, oldest first, and asks only for those since the newest of them", () => {
    const directory = temporaryDirectory();
    const first = written(directory, 1, 100, null);
    const second = written(directory, 2, 200, first.checkpoint);
    const third = written(directory, 3, 300, second.checkpoint);
    expect([first, second, third].map(({ asked }) => asked)).toEqual([-Infinity, 100, 200]);
    expect(third.checkpoint).toMatchObject({
      upTo: 3,
      state: { file: "checkpoint-3", parts: 1 },
      operations: [1, 2, 3].map((number) => ({ file: `checkpoint-${number}-operations`, until: number * 100 })),
    });
    expect([...readCheckpoint(directory, third.checkpoint, HEADER)])
      .toEqual(["state of 3", "operations of 1", "operations of 2", "operations of 3"]);
  });

  test.each([[31, 31], [32, 0], [33, 0]])("after one with %d files of operations keeps %d of them", (count, kept) => {
    const operations = Array.from({ length: count }, (_, at) => ({ file: `${at}`, parts: 1, checksum: 1, until: at }));
    expect(keptOperations({ upTo: 1, state: operations[0]!, operations })).toEqual(kept === 0 ? [] : operations);
    expect(keptOperations(null)).toEqual([]);
  });

  test("that can't be written leaves no file", () => {
    const directory = temporaryDirectory();
    const state = function* () {
      yield "one";
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    const next: NewCheckpoint = { upTo: 1, time: 1, operations: () => ["operations"], state: state() };
    expect(() => writeCheckpoint(directory, "checkpoint-1", next, null, HEADER)).toThrow(StorageFull);
    expect(readdirSync(directory)).toEqual([]);
  });
});
