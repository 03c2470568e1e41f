// The files of checkpoints that a later one has replaced: how long they stay open, and when they are deleted.

import { expect, test } from "bun:test";
import { fstatSync } from "node:fs";
import type { NewCheckpoint } from "../../../engine/journal/journal.ts";
import { checkpointFilesIn } from "../../../engine/journal/checkpoint-files.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };

/** A journal in which each `save` adds a record and a checkpoint up to it. */
function journalOf(directory: string) {
  const journal = SqliteJournal.open(directory);
  if (journal.load() === null) journal.create(HEADER);
  const save = (number: number) => {
    journal.append([{ number, text: `record ${number}` }]);
    journal.sync();
    const checkpoint: NewCheckpoint = { upTo: number, state: ["{}"], operations: () => [], time: number };
    journal.useCheckpoint(journal.writeCheckpoint(checkpoint));
  };
  const open = () => [...journal.origin!.handles.keys()].toSorted();
  const inUse = () => {
    const { state, operations } = journal.origin!.inUse!;
    return [state, ...operations].map(({ file }) => file).toSorted();
  };
  return { journal, save, open, inUse };
}

/** Whether a number is that of an open file. */
function isOpen(handle: number): boolean {
  try {
    fstatSync(handle);
    return true;
  } catch {
    return false;
  }
}

test("the files of a replaced checkpoint stay open until they are removed, however many checkpoints follow", async () => {
  const directory = temporaryDirectory();
  const { journal, save, open, inUse } = journalOf(directory);
  save(1);
  for (let number = 2; number <= 35; number++) {
    const before = new Map(journal.origin!.handles);
    save(number);
    // A thread may still read them.
    const replaced = [...before].filter(([file]) => !inUse().includes(file)).map(([, handle]) => handle);
    expect([open(), replaced.every(isOpen)]).toEqual([[...new Set([...before.keys(), ...inUse()])].toSorted(), true]);
    await journal.removeReplacedFile();
    expect([open(), replaced.some(isOpen)]).toEqual([inUse(), false]);
    const kept = inUse().flatMap((file) => [file, `${file}.copy`]);
    expect(checkpointFilesIn(directory).toSorted()).toEqual(kept.toSorted());
  }
  // The operations of earlier checkpoints were put together on the way.
  expect(inUse().length).toBeLessThan(33);
  const last = [...journal.origin!.handles.values()];
  journal.close();
  expect(last.some(isOpen)).toBe(false);
});

test("a journal that is opened again opens the files of its checkpoint, and deletes those that were left", () => {
  const directory = temporaryDirectory();
  const first = journalOf(directory);
  for (const number of [1, 2]) first.save(number);
  expect(checkpointFilesIn(directory).some((file) => file.startsWith("checkpoint-1-stop") && !file.includes("oper")))
    .toBe(true);
  first.journal.close();
  const again = journalOf(directory);
  expect(again.open()).toEqual(again.inUse());
  expect(checkpointFilesIn(directory).filter((file) => !file.endsWith(".copy")).toSorted()).toEqual(again.inUse());
  again.journal.close();
});
