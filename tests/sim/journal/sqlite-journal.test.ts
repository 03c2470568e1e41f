// What can befall a journal's file. Damage is done with another SQLite connection, after a close.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FORMAT_VERSION, JOURNAL_FILE, SqliteJournal } from "../../../sim/journal/sqlite-journal.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "mkt-journal-"));
  file = join(directory, JOURNAL_FILE);
});

afterEach(() => rmSync(directory, { recursive: true }));

function writeRecords(count: number): void {
  const store = SqliteJournal.open(directory);
  store.create({ engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() });
  store.append(Array.from({ length: count }, (_, at) => ({ number: at + 1, text: `record ${at + 1}` })));
  store.sync();
  store.close();
}

function damage(statement: string): void {
  const database = new Database(file);
  database.run(statement);
  database.close();
}

/** Numbers left after loading, and the cut. */
function load() {
  const store = SqliteJournal.open(directory);
  try {
    const loaded = store.load();
    return { numbers: [...loaded?.records ?? []].map(({ number }) => number), cut: loaded?.cut };
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

describe("a damaged journal is cut at the last whole record", () => {
  test.each([
    ["the last record's text", "update record set text = 'recorD 5' where number = 5", 5, 1, "its checksum"],
    ["the last record's length", "update record set text = 'record 5 and more' where number = 5", 5, 1, "its length"],
    ["a text in the middle", "update record set text = 'recorD 3' where number = 3", 3, 3, "its checksum"],
    ["a checksum in the middle", "update record set checksum = checksum + 1 where number = 2", 2, 4, "its checksum"],
    ["a hole", "delete from record where number = 4", 4, 1, "record 4 is missing"],
    ["a first record that is gone", "delete from record where number = 1", 1, 4, "record 1 is missing"],
  ])("%s", (_, statement, from, records, reason) => {
    writeRecords(5);
    damage(statement);
    const { numbers, cut } = load();
    expect(numbers).toEqual(Array.from({ length: from - 1 }, (_, at) => at + 1));
    expect(cut).toEqual({ from, records, reason: expect.stringContaining(reason) });
    expect(load()).toEqual({ numbers, cut: null });
  });

  test("and goes on from there", () => {
    writeRecords(5);
    damage("update record set text = '' where number = 3");
    const store = SqliteJournal.open(directory);
    store.load();
    store.append([{ number: 3, text: "another third" }]);
    store.sync();
    store.close();
    expect(load()).toEqual({ numbers: [1, 2, 3], cut: null });
  });
});

describe("a journal is refused with one line", () => {
  test("when an image in it is damaged, since nothing could take its place", () => {
    writeRecords(5);
    const store = SqliteJournal.open(directory);
    store.load();
    store.saveImage({ upTo: 5, parts: ["a part"] });
    store.close();
    damage("update image set text = 'A part'");
    const opened = SqliteJournal.open(directory);
    const message = messageOf(() => [...opened.load()?.image?.parts ?? []]);
    opened.close();
    expect(message).toBe(`journal in ${directory}: part 1 of its image has not its checksum`);
  });

  test("when its format version is unknown, and nothing is touched", () => {
    writeRecords(2);
    damage("pragma journal_mode = delete");
    damage("pragma user_version = 7");
    const before = readFileSync(file);
    expect(messageOf(() => SqliteJournal.open(directory)))
      .toBe(`journal in ${directory}: it has format version 7, this mkt reads version ${FORMAT_VERSION}`);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(directory)).toEqual([JOURNAL_FILE]);
  });

  test.each([
    ["holds another program's tables", () => damage("create table notes (text)"), "it is not a journal of mkt"],
    ["is no SQLite file", () => writeFileSync(file, "a letter to a friend\n".repeat(100)), "file is not a database"],
  ])("when it %s", (_, prepare, reason) => {
    prepare();
    expect(messageOf(() => SqliteJournal.open(directory))).toBe(`journal in ${directory}: ${reason}`);
  });

  test("while another engine has it", () => {
    const first = SqliteJournal.open(directory);
    expect(messageOf(() => SqliteJournal.open(directory)))
      .toBe(`journal in ${directory}: another engine is using it`);
    first.close();
    SqliteJournal.open(directory).close();
  });

  test("where its directory is a file", () => {
    writeFileSync(join(directory, "taken"), "");
    const message = messageOf(() => SqliteJournal.open(join(directory, "taken")));
    expect(message).toStartWith(`journal in ${join(directory, "taken")}: `);
    expect(message).not.toContain("\n");
  });

  // Not by permissions: whoever runs the tests as root may write anywhere.
  test("where its directory can't be made, because a file stands in its way", async () => {
    const file = join(directory, "file");
    await Bun.write(file, "");
    const message = messageOf(() => SqliteJournal.open(join(file, "data")));
    expect(message).toStartWith(`journal in ${join(file, "data")}: `);
    expect(message).not.toContain("\n");
  });
});
