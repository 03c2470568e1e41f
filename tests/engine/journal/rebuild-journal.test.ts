// What a damaged journal is copied to, and what the journal of its readable part has.

import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspectJournal } from "../../../engine/journal/inspect-journal.ts";
import { JOURNAL_FILE, WAL_FILE } from "../../../engine/journal/journal-tables.ts";
import { WITNESS_FILE } from "../../../engine/journal/journal-witness.ts";
import * as privateFiles from "../../../engine/journal/private-files.ts";
import {
  backUpFiles,
  copyFiles,
  journalFiles,
  rebuildJournal,
  removeFiles,
} from "../../../engine/journal/rebuild-journal.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { newCheckpoint, stateFilesIn } from "../support/checkpoints.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 7);
const NAME = "damaged-2026-03-03T04-05-06-007Z";

let directory: string;
beforeEach(() => void (directory = temporaryDirectory()));

const write = (name: string, text: string) => writeFileSync(join(directory, name), text, { mode: 0o644 });
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("the files of a damaged directory", () => {
  test("are those of the journal, whether they exist or not, and all files of checkpoints", () => {
    const always = [JOURNAL_FILE, WAL_FILE, `${JOURNAL_FILE}-journal`, WITNESS_FILE];
    expect(journalFiles(directory)).toEqual(always);
    for (const name of ["checkpoint-5-stop", "checkpoint-5-stop.copy", "audit.sqlite", "notes"]) write(name, "");
    expect(journalFiles(directory).toSorted()).toEqual(
      [...always, "checkpoint-5-stop", "checkpoint-5-stop.copy"].toSorted(),
    );
  });

  test("are copied to a private folder of their own each time, durably, and stay as they are", () => {
    for (const name of ["a", "b", "c"]) write(name, name);
    const { changeDurably } = privateFiles;
    const synced: unknown[] = [];
    replaced(privateFiles, "changeDurably", (path, flags, change) => {
      synced.push(path);
      changeDurably(path, flags, change);
    });
    replaced(privateFiles, "syncDirectory", (path) => void synced.push(path));
    const copies = [1, 2, 3].map(() => backUpFiles(directory, ["a", "missing", "c"], NOW));
    expect(copies).toEqual([NAME, `${NAME}-2`, `${NAME}-3`].map((name) => join(directory, name)));
    for (const copy of copies) {
      expect(readdirSync(copy).toSorted().map((name) => [name, readFileSync(join(copy, name), "utf8")])).toEqual([
        ["a", "a"],
        ["c", "c"],
      ]);
      expect([modeOf(copy), modeOf(join(copy, "a"))]).toEqual([0o700, 0o600]);
    }
    const [copy = ""] = copies;
    expect(synced.slice(0, 4)).toEqual([join(copy, "a"), join(copy, "c"), copy, directory]);
    expect(readFileSync(join(directory, "a"), "utf8")).toBe("a");
  });

  test("are copied into a folder that exists, in the order of their names", () => {
    write("a", "1");
    write("b", "2");
    const folder = join(directory, "folder");
    mkdirSync(folder);
    expect(copyFiles(directory, ["b", "a", "missing"], folder)).toEqual([join(folder, "b"), join(folder, "a")]);
  });

  test("are removed, durably, and others stay", () => {
    for (const name of ["a", "b", "c"]) write(name, name);
    const synced = replaced(privateFiles, "syncDirectory", () => {});
    removeFiles(directory, ["a", "missing", "b"]);
    expect([readdirSync(directory), synced]).toEqual([["c"], [[directory]]]);
  });
});

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };

/** A journal of single records from 1 to `count`, of which a checkpoint replaces some. */
function begin(count: number, checkpoint = 0): void {
  const store = SqliteJournal.open(directory);
  store.create(HEADER);
  for (let number = 1; number <= count; number++) {
    store.append([{ number, text: `record ${number}` }]);
    store.sync();
    if (number !== checkpoint) continue;
    store.useCheckpoint(store.writeCheckpoint(newCheckpoint(number, [`{"state":${number}}`])));
    while (store.deleteReplaced());
  }
  store.close();
}

function damage(...statements: readonly string[]): void {
  const database = new Database(join(directory, JOURNAL_FILE));
  for (const statement of statements) database.run(statement);
  database.close();
}

/** What the journal has after it was rebuilt with one more record. */
function rebuilt() {
  const { readable } = inspectJournal(directory);
  if (readable === null) throw new Error("nothing can be read");
  // As if a process had ended in the middle of this before.
  write("journal.rebuilt", "left over");
  write(`${WAL_FILE}`, "an old log");
  write(`${JOURNAL_FILE}-journal`, "");
  rebuildJournal(directory, readable, "the next one");
  const { faults, tornWrite, witness } = inspectJournal(directory);
  expect([faults, tornWrite]).toEqual([[], null]);
  const store = SqliteJournal.open(directory);
  const loaded = store.load();
  const content = {
    header: loaded?.header,
    upTo: loaded?.checkpoint?.upTo ?? null,
    parts: [...loaded?.checkpoint?.parts ?? []],
    records: [...loaded?.records ?? []].map(({ number, text }) => `${number} ${text}`),
  };
  // It goes on after the last record.
  store.append([{ number: (loaded?.lastNumber ?? 0) + 1, text: "later" }]);
  store.sync();
  store.close();
  expect(inspectJournal(directory).faults).toEqual([]);
  return { ...content, witnessed: witness.kind === "read" ? witness.witnessed.number : null };
}

describe("a rebuilt journal", () => {
  test.each<[string, number, number, string, object]>([
    ["of records", 5, 0, "number = 4", { upTo: null, parts: [], records: ["1", "2", "3"], next: 4 }],
    ["of no record", 3, 0, "number = 1", { upTo: null, parts: [], records: [], next: 1 }],
    ["of a checkpoint and records", 8, 3, "number = 7", { upTo: 3, parts: [3], records: ["4", "5", "6"], next: 7 }],
    ["of a checkpoint alone", 5, 3, "number = 4", { upTo: 3, parts: [3], records: [], next: 4 }],
  ])("has the readable part %s, and the next record", (_, count, checkpoint, where, expected) => {
    begin(count, checkpoint);
    const files = stateFilesIn(directory);
    damage(`update record set text = text || 'x' where ${where}`);
    const { upTo, parts, records, next } = expected as {
      readonly upTo: number | null;
      readonly parts: readonly number[];
      readonly records: readonly string[];
      readonly next: number;
    };
    expect(rebuilt()).toEqual({
      header: HEADER,
      upTo,
      parts: parts.map((part) => `{"state":${part}}`),
      records: [...records.map((number) => `${number} record ${number}`), `${next} the next one`],
      witnessed: next,
    });
    expect(stateFilesIn(directory)).toEqual(files);
    expect(["journal.rebuilt", "journal.rebuilt-journal"].map((name) => existsSync(join(directory, name)))).toEqual([
      false,
      false,
    ]);
    if (process.platform !== "win32") {
      expect([JOURNAL_FILE, WITNESS_FILE].map((name) => modeOf(join(directory, name)))).toEqual([0o600, 0o600]);
    }
  });

  test("leaves out records that a checkpoint replaces and that were not deleted yet", () => {
    const store = SqliteJournal.open(directory);
    store.create(HEADER);
    for (let number = 1; number <= 4; number++) {
      store.append([{ number, text: `record ${number}` }]);
      store.sync();
      if (number === 2) store.useCheckpoint(store.writeCheckpoint(newCheckpoint(2, ["{}"])));
    }
    store.close();
    damage("delete from record where number = 4");
    expect(rebuilt().records).toEqual(["3 record 3", "4 the next one"]);
  });
});
