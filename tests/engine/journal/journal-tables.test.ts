import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  commitFault,
  deleteRows,
  insertRow,
  makeTables,
  nameCheckpoint,
  rowFault,
  rowsOf,
  someRows,
} from "../../../engine/journal/journal-tables.ts";
import { atEnd } from "../../support/at-end.ts";

const SEED = 7;

/** Commits with the records of these numbers, each a row under its last number. */
function withCommits(commits: readonly number[], textOf = (number: number) => `record ${number}`) {
  const database = new Database(":memory:", { strict: true });
  atEnd(() => database.close());
  makeTables(database);
  let [number, checksum] = [0, SEED];
  database.transaction(() => {
    for (const records of commits) {
      const texts = Array.from({ length: records }, (_, at) => textOf(number + at + 1));
      number += records;
      checksum = insertRow(database, "record", number, texts.join("\n"), checksum);
    }
  })();
  return database;
}

const numbersIn = (database: Database, after = 0) => [...rowsOf(database, "record", after)].map(({ number }) => number);

describe("the commits after a record", () => {
  test.each([1, 3])("are read once each, in order, over several pages of commits of %d records", (size) => {
    const commits = Array.from({ length: 2001 }, () => size);
    const database = withCommits(commits);
    const all = commits.map((_, at) => (at + 1) * size);
    expect(numbersIn(database)).toEqual(all);
    expect(numbersIn(database, 1000 * size)).toEqual(all.slice(1000));
    expect(numbersIn(database, all.at(-1))).toEqual([]);
  });

  test.each([999, 1000, 1001])("are all read if there are %d", (count) => {
    const database = withCommits(Array.from({ length: count }, () => 2));
    expect(numbersIn(database)).toHaveLength(count);
  });
});

test("a slice has at least one commit, and further ones until it has the wanted characters", () => {
  const database = withCommits([1, 2, 1, 3], (number) => `${number}`.repeat(10));
  const numbers = (after: number, characters: number) =>
    someRows(database, after, characters).map(({ number }) => number);
  expect(numbers(0, 1)).toEqual([1]);
  expect(numbers(0, 10)).toEqual([1]);
  expect(numbers(0, 11)).toEqual([1, 3]);
  // A commit of two records has 21 characters, the line break included.
  expect(numbers(0, 31)).toEqual([1, 3]);
  expect(numbers(0, 32)).toEqual([1, 3, 4]);
  expect(numbers(3, 1000)).toEqual([4, 7]);
  expect(numbers(7, 1000)).toEqual([]);
});

test("replaced commits are deleted in steps, oldest first, and none after the checkpoint's record", () => {
  const database = withCommits([1, 2, 1, 3], (number) => `${number}`.repeat(10));
  expect(deleteRows(database, 0, 100)).toBe(false);
  expect(numbersIn(database)).toEqual([1, 3, 4, 7]);
  expect(deleteRows(database, 4, 1)).toBe(true);
  expect(numbersIn(database)).toEqual([3, 4, 7]);
  expect(deleteRows(database, 4, 22)).toBe(false);
  expect(numbersIn(database)).toEqual([7]);
  expect(deleteRows(database, 4, 22)).toBe(false);
  expect(numbersIn(database)).toEqual([7]);
});

test("a step deletes at most 200 commits, however short they are", () => {
  const database = withCommits(Array.from({ length: 500 }, () => 1));
  expect(deleteRows(database, 500, 1e9)).toBe(true);
  expect(numbersIn(database)[0]).toBe(201);
  expect([deleteRows(database, 500, 1e9), deleteRows(database, 500, 1e9)]).toEqual([true, false]);
  expect(numbersIn(database)).toEqual([]);
});

describe("a row", () => {
  const database = withCommits([1, 3]);
  const [first, second] = [...rowsOf(database, "record", 0)] as [
    ReturnType<typeof someRows>[0],
    ReturnType<typeof someRows>[0],
  ];

  test("is whole if it follows the row before, with as many records as its number says", () => {
    expect(commitFault(first, 0, SEED)).toBeNull();
    expect(commitFault(second, 1, first.checksum)).toBeNull();
    expect(rowFault(second, 4, first.checksum)).toBeNull();
  });

  test.each([
    ["is missing", second, 0, first.checksum],
    ["is missing", second, 2, first.checksum],
    ["is missing", { ...second, text: second.text.replace("\n", " ") }, 1, first.checksum],
    ["has the wrong length", { ...second, text: `${second.text} ` }, 1, first.checksum],
    ["has the wrong length", { ...second, text: second.text.slice(1) }, 1, first.checksum],
    ["has the wrong length", { ...second, text: null as unknown as string }, 1, first.checksum],
    ["has the wrong checksum", { ...second, text: second.text.toUpperCase() }, 1, first.checksum],
    ["has the wrong checksum", { ...second, checksum: second.checksum + 1 }, 1, first.checksum],
    ["has the wrong checksum", second, 1, SEED],
  ])("%s otherwise (%#)", (fault, row, last, previous) => expect(commitFault(row, last, previous)).toBe(fault));
});

test("a journal names one checkpoint, the newest, in the chain of its header", () => {
  const database = withCommits([1]);
  const named = (upTo: number) => {
    return { upTo, state: { file: `checkpoint-${upTo}`, parts: 1, checksum: 2 }, operations: [], recordChecksum: 3 };
  };
  nameCheckpoint(database, named(1), SEED);
  nameCheckpoint(database, named(2), SEED);
  const rows = [...rowsOf(database, "checkpoint", 0)];
  expect(rows.map(({ text }) => JSON.parse(text))).toEqual([named(2)]);
  expect(rowFault(rows[0]!, 1, SEED)).toBeNull();
});
