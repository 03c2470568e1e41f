// Damage to a journal's files. Rows are changed with another SQLite connection, after a close.

import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspectJournal } from "../../../engine/journal/inspect-journal.ts";
import { FORMAT_VERSION, JOURNAL_FILE, WAL_FILE } from "../../../engine/journal/journal-tables.ts";
import { WITNESS_FILE } from "../../../engine/journal/journal-witness.ts";
import { JournalDamage } from "../../../engine/journal/journal.ts";
import { rebuildJournal } from "../../../engine/journal/rebuild-journal.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";
import { newCheckpoint } from "../support/checkpoints.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;
let file: string;

beforeEach(() => {
  directory = temporaryDirectory();
  file = join(directory, JOURNAL_FILE);
});

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };

function writeRecords(count: number): void {
  const store = SqliteJournal.open(directory);
  store.create(HEADER);
  append(store, 1, count);
  store.close();
}

function reopen(): SqliteJournal {
  const store = SqliteJournal.open(directory);
  store.load();
  return store;
}

/** Opens the journal, changes it, and closes it. */
function change(work: (store: SqliteJournal) => void): void {
  const store = reopen();
  work(store);
  store.close();
}

function damage(statement: string): void {
  const database = new Database(file);
  database.run(statement);
  database.close();
}

/** The numbers of the loaded records, and the torn write. */
function load() {
  const store = SqliteJournal.open(directory);
  try {
    const loaded = store.load();
    return { numbers: [...loaded?.records ?? []].map(({ number }) => number), tornWrite: loaded?.tornWrite };
  } finally {
    store.close();
  }
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing was thrown";
}

/** Replaces the directory by a copy made while a journal is open, as a kill would leave it. */
function leftByKill(work: (store: SqliteJournal) => void): void {
  const store = reopen();
  work(store);
  const killed = temporaryDirectory();
  for (const name of readdirSync(directory)) writeFileSync(join(killed, name), readFileSync(join(directory, name)));
  store.close();
  rmSync(directory, { recursive: true });
  directory = killed;
  file = join(directory, JOURNAL_FILE);
}

/** Saves a checkpoint as a stop does. */
function replaceUpTo(store: SqliteJournal, upTo: number, parts: readonly string[]): void {
  store.useCheckpoint(store.writeCheckpoint(newCheckpoint(upTo, parts)));
  while (store.deleteReplaced());
}

/** Changes both copies. */
function changeCheckpoint(name: string, change: (text: string) => string): void {
  for (const path of [name, `${name}.copy`].map((each) => join(directory, each))) {
    writeFileSync(path, change(readFileSync(path, "utf8")));
  }
}

/** Each record in a commit of its own. */
function append(store: SqliteJournal, from: number, to: number): void {
  for (let number = from; number <= to; number++) {
    store.append([{ number, text: `record ${number}` }]);
    store.sync();
  }
}

function filesOf(): Map<string, string> {
  return new Map(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name)).toString("base64")]));
}

describe("damage to committed records stops the load and changes nothing:", () => {
  test.each([
    ["a changed text", "update record set text = 'recorD 5' where number = 5", "record 5 has the wrong checksum", 4],
    ["a longer text", "update record set text = 'record 5, more' where number = 5", "record 5 has the wrong length", 4],
    ["a text changed earlier", "update record set text = 'recorD 3' where number = 3", "record 3 has the wrong", 2],
    ["a changed checksum", "update record set checksum = checksum + 1 where number = 2", "record 2 has the wrong", 1],
    ["a missing record", "delete from record where number = 4", "record 4 is missing", 3],
    ["a missing first record", "delete from record where number = 1", "record 1 is missing", 0],
    ["a missing last record", "delete from record where number = 5", "ends at record 4, but record 5 was committed", 4],
    ["no records", "delete from record", "ends at record 0, but record 5 was committed", 0],
    ["no header", "delete from header", "the header is missing", null],
    ["a changed header", "update header set text = upper(text)", "the header has the wrong checksum", null],
    ["a missing table", "drop table record", "no such table: record", 0],
    ["another version", "pragma user_version = 20", `version reads 20 instead of ${FORMAT_VERSION}`, null],
  ])("%s", (_, statement, fault, readable) => {
    writeRecords(5);
    damage(statement);
    const before = filesOf();
    const inspection = inspectJournal(directory);
    expect(inspection.faults.map((each) => `${each.file} ${each.fault}`).join()).toContain(fault);
    expect(inspection.readable?.lastNumber ?? null).toBe(readable);
    expect(() => load()).toThrow(JournalDamage);
    expect(filesOf()).toEqual(before);
  });

  test("a changed part of a checkpoint, or a missing record after it", () => {
    writeRecords(5);
    change((store) => {
      replaceUpTo(store, 5, ["a part"]);
      append(store, 6, 6);
    });
    changeCheckpoint("checkpoint-5-stop", (text) => text.replace("a part", "A part"));
    expect(messageOf(load)).toContain("part 1 of the checkpoint has the wrong checksum");
    changeCheckpoint("checkpoint-5-stop", (text) => text.replace("A part", "a part"));
    damage("delete from record where number = 6");
    expect(messageOf(load)).toContain("ends at record 5, but record 6 was committed");
  });

  test("a part left over from an earlier checkpoint", () => {
    writeRecords(5);
    change((store) => {
      replaceUpTo(store, 5, ["first", "old"]);
      append(store, 6, 6);
    });
    const old = readFileSync(join(directory, "checkpoint-5-stop"), "utf8").split("\n")[1];
    change((store) => replaceUpTo(store, 6, ["first", "new"]));
    changeCheckpoint("checkpoint-6-stop", (text) => text.replace(/\n.*\n$/, `\n${old}\n`));
    expect(messageOf(load)).toContain("part 2 of the checkpoint has the wrong checksum");
  });

  test("a write-ahead log with one flipped bit, which SQLite reads as a shorter one", () => {
    writeRecords(0);
    leftByKill((store) => append(store, 1, 200));
    const log = readFileSync(join(directory, WAL_FILE));
    const at = Math.floor(log.length / 10);
    log[at] = (log[at] ?? 0) ^ 1;
    writeFileSync(join(directory, WAL_FILE), log);
    const before = filesOf();
    expect(messageOf(load)).toMatch(/ends at record \d+, but record 200 was committed/);
    expect(filesOf()).toEqual(before);
  });

  test("a missing write-ahead log", () => {
    writeRecords(0);
    leftByKill((store) => append(store, 1, 200));
    rmSync(join(directory, WAL_FILE));
    expect(messageOf(load)).toContain("ends at record 0, but record 200 was committed");
  });

  test("a missing journal beside its witness", () => {
    writeRecords(5);
    rmSync(file);
    expect(messageOf(load)).toContain("journal.sqlite is missing or empty");
  });

  test("another market's journal", () => {
    writeRecords(5);
    const witness = readFileSync(join(directory, WITNESS_FILE));
    rmSync(file);
    rmSync(join(directory, WITNESS_FILE));
    const store = SqliteJournal.open(directory);
    store.create({ ...HEADER, epoch: EPOCH + 1 });
    append(store, 1, 9);
    store.close();
    writeFileSync(join(directory, WITNESS_FILE), witness);
    expect(messageOf(load)).toContain("is of another market than journal.witness");
  });

  test("an older copy of the journal with other later records", () => {
    writeRecords(5);
    const copy = readFileSync(file);
    change((store) => append(store, 6, 6));
    const witness = readFileSync(join(directory, WITNESS_FILE));
    writeFileSync(file, copy);
    rmSync(join(directory, WITNESS_FILE));
    const { readable } = inspectJournal(directory);
    if (readable === null) throw new Error("nothing is readable");
    rebuildJournal(directory, readable, "another record 6");
    writeFileSync(join(directory, WITNESS_FILE), witness);
    expect(messageOf(load)).toContain("has a record 6 that differs from the committed one");
  });
});

describe("the witness", () => {
  const slot = (at: number, change: (bytes: Buffer) => void) => {
    const bytes = readFileSync(join(directory, WITNESS_FILE));
    change(bytes.subarray(at * 4096, (at + 1) * 4096));
    writeFileSync(join(directory, WITNESS_FILE), bytes);
  };
  const wipe = (bytes: Buffer) => void bytes.fill(0, 0, 100);

  test.each([
    ["is missing", () => rmSync(join(directory, WITNESS_FILE)), "is missing: nothing shows that record 5 was the last"],
    ["is empty", () => writeFileSync(join(directory, WITNESS_FILE), ""), "is damaged: nothing shows that record 5"],
    ["is zeroed", () => [0, 1].forEach((at) => slot(at, wipe)), "is damaged: nothing shows that record 5 was"],
    ["has lost its older slot", () => slot(0, wipe), "is damaged in one of its two slots: nothing shows"],
  ])("stops the load if it %s", (_, harm, fault) => {
    writeRecords(0);
    leftByKill((store) => append(store, 1, 5));
    harm();
    expect(messageOf(load)).toContain(`journal.witness ${fault}`);
  });

  test("is not needed if a journal has no commits, because its creation was interrupted", () => {
    writeRecords(0);
    rmSync(join(directory, WITNESS_FILE));
    expect(load()).toEqual({ numbers: [], tornWrite: null });
    expect(readdirSync(directory)).toContain(WITNESS_FILE);
  });

  test("may be one commit behind, and is then updated", () => {
    writeRecords(4);
    const behind = readFileSync(join(directory, WITNESS_FILE));
    change((store) => append(store, 5, 5));
    writeFileSync(join(directory, WITNESS_FILE), behind);
    expect(load().numbers).toEqual([1, 2, 3, 4, 5]);
    damage("delete from record where number = 5");
    expect(messageOf(load)).toContain("ends at record 4, but record 5 was committed");
  });

  test("with a torn slot is repaired if the journal is ahead of the other slot", () => {
    writeRecords(0);
    leftByKill((store) => append(store, 1, 5));
    slot(1, wipe);
    slot(0, (bytes) => expect(bytes.toString("latin1")).toContain("record 4 "));
    expect(load().numbers).toEqual([1, 2, 3, 4, 5]);
    slot(1, (bytes) => expect(bytes.toString("latin1")).toContain("record 5 "));
    slot(0, wipe);
    expect(messageOf(load)).toContain("journal.witness is damaged in one of its two slots");
  });
});

describe("an incomplete last write", () => {
  test.each([["half of its frame", -2000], ["all but one byte", -1]])(
    "with %s on the disk is discarded and reported",
    (_, at) => {
      writeRecords(3);
      let witness: Buffer = Buffer.alloc(0);
      leftByKill((store) => {
        append(store, 4, 4);
        witness = readFileSync(join(directory, WITNESS_FILE));
        append(store, 5, 5);
      });
      // As after a power failure during the commit of record 5: its last frame and the witness are incomplete.
      const log = readFileSync(join(directory, WAL_FILE));
      writeFileSync(join(directory, WAL_FILE), log.subarray(0, at));
      writeFileSync(join(directory, WITNESS_FILE), witness);
      const { numbers, tornWrite } = load();
      expect(numbers).toEqual([1, 2, 3, 4]);
      expect(tornWrite).toEqual({ after: 4, reason: expect.stringMatching(/^\d+ bytes of an incomplete last write/) });
      expect(load()).toEqual({ numbers: [1, 2, 3, 4], tornWrite: null });
    },
  );

  test("is not reported if the log ends with a commit", () => {
    writeRecords(3);
    leftByKill((store) => append(store, 4, 5));
    expect(load()).toEqual({ numbers: [1, 2, 3, 4, 5], tornWrite: null });
  });
});

test.skipIf(process.platform === "win32")("the directory and its files are private to their owner", () => {
  const deeper = join(directory, "made", "here");
  const store = SqliteJournal.open(deeper);
  store.create(HEADER);
  append(store, 1, 1);
  const modes = readdirSync(deeper).map((name) => [name, statSync(join(deeper, name)).mode & 0o777]);
  expect(modes.sort()).toEqual([[JOURNAL_FILE, 0o600], [WAL_FILE, 0o600], [WITNESS_FILE, 0o600]]);
  for (const path of [deeper, join(directory, "made")]) expect(statSync(path).mode & 0o777).toBe(0o700);
  store.close();
  chmodSync(join(deeper, JOURNAL_FILE), 0o644);
  SqliteJournal.open(deeper).close();
  expect(statSync(join(deeper, JOURNAL_FILE)).mode & 0o777).toBe(0o600);
});

describe("a journal is refused with one line", () => {
  test("if its format version is unknown, and nothing is changed", () => {
    writeRecords(2);
    damage("pragma journal_mode = delete");
    damage("pragma user_version = 98");
    rmSync(join(directory, WITNESS_FILE));
    const before = readFileSync(file);
    expect(messageOf(() => SqliteJournal.open(directory)))
      .toBe(
        `journal in ${directory}: it was written by a newer mkt: it has format version 98, this mkt reads versions up to ` +
          `${FORMAT_VERSION}; start the version of mkt that wrote it, or a later one`,
      );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(directory)).toEqual([JOURNAL_FILE]);
  });

  test.each([
    ["holds another program's tables", () => damage("create table notes (text)"), "it is not a journal of mkt"],
    ["is not a SQLite file", () => writeFileSync(file, "a letter to a friend\n".repeat(100)), "file is not a database"],
  ])("if it %s", (_, prepare, reason) => {
    prepare();
    expect(messageOf(() => SqliteJournal.open(directory))).toBe(`journal in ${directory}: ${reason}`);
  });

  test("while another engine uses it", () => {
    const first = SqliteJournal.open(directory);
    expect(messageOf(() => SqliteJournal.open(directory)))
      .toBe(`journal in ${directory}: another engine is using it`);
    first.close();
    SqliteJournal.open(directory).close();
  });

  // A directory without permissions would not do: root may write anywhere.
  test.each([["is a file", "file"], ["can't be made, because its parent is a file", "file/data"]])(
    "if its directory %s",
    (_, name) => {
      writeFileSync(join(directory, "file"), "");
      const path = join(directory, name);
      const message = messageOf(() => SqliteJournal.open(path));
      expect(message).toStartWith(`journal in ${path}: `);
      expect(message).not.toContain("\n");
    },
  );
});
