// What counts as a new journal, and what an inspection says of checkpoints and of its own errors. Damage to records and
// witness: sqlite-journal.test.ts.

import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspectDirectory, inspectJournal, journalError } from "../../../engine/journal/inspect-journal.ts";
import { FORMAT_VERSION, JOURNAL_FILE, WAL_FILE } from "../../../engine/journal/journal-tables.ts";
import { JournalWitness, readWitness, WITNESS_FILE } from "../../../engine/journal/journal-witness.ts";
import { refuseUnfinishedRestore, UNFINISHED_RESTORE } from "../../../engine/journal/unfinished-restore.ts";
import { writeOwner } from "../../../engine/journal/owner-file.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { newCheckpoint } from "../support/checkpoints.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

let directory: string;
beforeEach(() => void (directory = temporaryDirectory()));

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(directory, name), text);
const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };

/** Records 1 to `count`, of which a checkpoint replaces some; returns the witness after each of them. */
function begin(count: number, checkpoint = 0): Buffer[] {
  const store = SqliteJournal.open(directory);
  store.create(HEADER);
  const witnesses: Buffer[] = [];
  for (let number = 1; number <= count; number++) {
    store.append([{ number, text: `record ${number}` }]);
    store.sync();
    if (number === checkpoint) {
      store.useCheckpoint(store.writeCheckpoint(newCheckpoint(number, ["first", "second"])));
      while (store.deleteReplaced());
    }
    witnesses.push(readFileSync(join(directory, WITNESS_FILE)));
  }
  store.close();
  return witnesses;
}

function change(...statements: readonly string[]): void {
  const database = new Database(join(directory, JOURNAL_FILE));
  for (const statement of statements) database.run(statement);
  database.close();
}

const facts = () => {
  const { isNew, faults, committed, readable } = inspectJournal(directory);
  return [isNew, faults.map(({ file, fault }) => `${file} ${fault}`).join(), committed, readable?.lastNumber ?? null];
};
const MISSING = `${JOURNAL_FILE} is missing or empty`;

describe("a directory without a journal", () => {
  test.each<[string, () => void, string | null]>([
    ["that is empty", () => {}, null],
    ["with an empty file of it", () => write(JOURNAL_FILE, ""), null],
    ["with an empty log", () => write(WAL_FILE, ""), null],
    ["with other files", () => write("notes", "x"), null],
    ["with a log", () => write(WAL_FILE, "x"), MISSING],
    ["with a checkpoint", () => write("checkpoint-5-stop", ""), MISSING],
    ["with a damaged witness", () => write(WITNESS_FILE, ""), MISSING],
  ])("%s is new if nothing shows that there was one", (_, prepare, fault) => {
    prepare();
    expect(facts()).toEqual([fault === null, fault ?? "", null, null]);
  });

  test("says up to which record it is known to have been", () => {
    begin(3);
    rmSync(join(directory, JOURNAL_FILE));
    expect(facts()).toEqual([false, MISSING, 3, null]);
  });

  test.each([
    ["a rollback journal beside it", () => (write(JOURNAL_FILE, "half"), write(`${JOURNAL_FILE}-journal`, "x"))],
    ["no table", () => change("pragma journal_mode = wal", "create table a (b)", "drop table a")],
  ])("is one that was not made to its end: %s", (_, prepare) => {
    prepare();
    expect(facts()).toEqual([true, "", null, null]);
  });

  test("is made, if it is to be inspected", () => {
    const deeper = join(directory, "deep", "er");
    expect(inspectDirectory(deeper)).toMatchObject({
      directory: deeper,
      isNew: true,
      replaceable: [],
      tornWrite: null,
    });
    expect(existsSync(deeper)).toBe(true);
  });
});

describe("a journal with a checkpoint", () => {
  test("may have a witness of a record before, in or after it", () => {
    const witnesses = begin(5, 3);
    for (const committed of [1, 2, 3, 4, 5]) {
      write(WITNESS_FILE, witnesses[committed - 1]!);
      expect(facts()).toEqual([false, "", committed, 5]);
    }
  });

  test.each([[2, true], [3, false], [4, false], [5, false]])(
    "is damaged if its witness names another record, which only the records before the checkpoint can't tell: %d",
    (number, isWhole) => {
      begin(5, 3);
      const witness = readWitness(directory);
      if (witness.kind !== "read") expect.unreachable();
      JournalWitness.begin(directory, { ...witness.witnessed, number, checksum: 1 }).close();
      const fault = `${JOURNAL_FILE} has a record ${number} that differs from the committed one`;
      expect(facts()).toEqual([false, isWhole ? "" : fault, number, 5]);
    },
  );

  test.each([[[""], 1, 0], [[".copy"], 1, 0], [["", ".copy"], 0, 2]])(
    "is whole as long as one of the copies is: damaged are %p",
    (damaged, replaceable, faults) => {
      begin(4, 3);
      for (const end of damaged) write(`checkpoint-3-stop${end}`, "damaged");
      const inspection = inspectJournal(directory);
      expect([inspection.replaceable.length, inspection.faults.length]).toEqual([replaceable, faults]);
      expect(inspection.readable?.lastNumber).toBe(faults === 0 ? 4 : 0);
      expect(inspection.readable?.firstPart ?? null).toBe(faults === 0 ? "first" : null);
    },
  );
});

describe("a journal of another format", () => {
  const ofFormat = (format: number) => {
    begin(2);
    change(`pragma user_version = ${format}`);
  };

  test("is damaged if its witness has the expected one", () => {
    ofFormat(FORMAT_VERSION - 1);
    expect(facts()[1]).toContain(`its format version reads ${FORMAT_VERSION - 1} instead of ${FORMAT_VERSION}`);
  });

  test.each([
    [FORMAT_VERSION - 1, `it has format version ${FORMAT_VERSION - 1}, this mkt reads version ${FORMAT_VERSION}`],
    [FORMAT_VERSION + 1, `it was written by a newer mkt: it has format version ${FORMAT_VERSION + 1}, this mkt reads`],
    [0, "it is not a journal of mkt"],
  ])("is refused without a witness: %d", (format, message) => {
    ofFormat(format);
    rmSync(join(directory, WITNESS_FILE));
    expect(() => inspectJournal(directory)).toThrow(message);
    expect(() => inspectDirectory(directory)).toThrow(`journal in ${directory}: ${message}`);
  });

  test("is read if that format is asked for", () => {
    ofFormat(FORMAT_VERSION - 1);
    rmSync(join(directory, WITNESS_FILE));
    expect(inspectJournal(directory, FORMAT_VERSION - 1).readable?.lastNumber).toBe(2);
  });
});

describe("the error of a journal", () => {
  test("is one line that names the directory once", () => {
    const named = journalError("DIR", new Error("no\nspace"));
    expect(named.message).toBe("journal in DIR: no space");
    expect(journalError("DIR", named)).toBe(named);
    expect(journalError("OTHER", named).message).toBe("journal in OTHER: journal in DIR: no space");
    expect(named.cause).toBeInstanceOf(Error);
  });

  test("names the process that uses the directory", () => {
    const busy = Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
    expect(journalError(directory, busy).message).toBe(`journal in ${directory}: another engine is using it`);
    writeOwner(directory);
    expect(journalError(directory, busy).message).toContain(`: another engine, process ${process.pid} on `);
    const other = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR" });
    expect(journalError(directory, other).message).toBe(`journal in ${directory}: disk I/O error`);
  });
});

test("a directory in which a restore was begun and not finished is refused", () => {
  refuseUnfinishedRestore(directory);
  write(UNFINISHED_RESTORE, "");
  expect(() => refuseUnfinishedRestore(directory)).toThrow(`${directory} holds a restore that is not finished`);
});
