// How a journal's files are opened, and that each is closed again.

import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";
import { newCheckpoint } from "../support/checkpoints.ts";
import { atEnd } from "../../support/at-end.ts";
import { openFilesIn, TELLS_OPEN_FILES } from "../support/open-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };
const checkpointsOpenIn = (directory: string) => openFilesIn(directory).filter((file) => file.startsWith("checkpoint"));

function append(journal: SqliteJournal, number: number): void {
  journal.append([{ number, text: "{}" }]);
  journal.sync();
}

test("a journal is locked before anything else, has a log, and each commit is on the disk when it is synced", () => {
  const run = spyOn(Database.prototype, "run");
  atEnd(() => run.mockRestore());
  const journal = SqliteJournal.open(temporaryDirectory());
  expect(run.mock.calls.map(([statement]) => statement)).toEqual([
    "pragma locking_mode = exclusive",
    "begin exclusive",
    "commit",
    "pragma journal_mode = wal",
    "pragma synchronous = full",
  ]);
  journal.close();
});

test("a checkpoint in use is open, those before it until they are removed, and none after a close", async () => {
  const directory = temporaryDirectory();
  const journal = SqliteJournal.open(directory);
  journal.create(HEADER);
  const filesOf = (upTo: number) => [`checkpoint-${upTo}-stop`, `checkpoint-${upTo}-stop-operations`];
  const expectOpen = (files: readonly string[]) => {
    expect([...journal.origin!.handles.keys()].toSorted()).toEqual(files.toSorted());
    if (TELLS_OPEN_FILES) expect(checkpointsOpenIn(directory)).toEqual(files.toSorted());
  };
  const save = (upTo: number) => {
    append(journal, upTo);
    journal.useCheckpoint(journal.writeCheckpoint(newCheckpoint(upTo, ["{}"])));
  };
  save(1);
  expectOpen(filesOf(1));
  save(2);
  expectOpen([...filesOf(1), ...filesOf(2)]);
  for (let time = 0; time < 2; time++) {
    await journal.removeReplacedFile();
    // The second checkpoint has the operations of the first one, too.
    expectOpen(["checkpoint-1-stop-operations", ...filesOf(2)]);
  }
  journal.close();
  if (TELLS_OPEN_FILES) expect(openFilesIn(directory)).toEqual([]);
});
