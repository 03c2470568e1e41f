// A journal that is written at once, from content that waits in text files, is what a store reads.

import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { auditLine } from "../../../engine/api/audit-lines.ts";
import { recordedOf } from "../../../engine/audit/audit-events.ts";
import { AUDIT_FILE } from "../../../engine/audit/audit-tables.ts";
import { useRecordedTrail } from "../../../engine/audit/recorded-trail.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { SpooledJournal } from "../../../engine/backup/spooled-journal.ts";
import { inspectJournal } from "../../../engine/journal/inspect-journal.ts";
import { JOURNAL_FILE } from "../../../engine/journal/journal-tables.ts";
import { Unreadable } from "../../../engine/journal/read-only-database.ts";
import { readJournal } from "../../../engine/journal/read-journal.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { writeJournal } from "../../../engine/journal/upgrades/write-journal.ts";
import { EventMaker, NOW } from "../../common/audit/support/events.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

let directory: string;
beforeEach(() => void (directory = temporaryDirectory()));

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };
const records = (count: number, length = 0) =>
  Array.from({ length: count }, (_, at) => ({ n: at, text: "é".repeat(length) }));

function loaded() {
  const { faults, witness } = inspectJournal(directory);
  expect(faults).toEqual([]);
  const store = SqliteJournal.open(directory);
  const journal = store.load();
  const content = {
    header: journal?.header,
    upTo: journal?.checkpoint?.upTo ?? null,
    parts: [...journal?.checkpoint?.parts ?? []].map((text) => JSON.parse(text)),
    records: [...journal?.records ?? []].map(({ number, text }) => [number, JSON.parse(text)]),
    lastNumber: journal?.lastNumber,
    witnessed: witness.kind === "read" ? witness.witnessed.number : null,
  };
  store.close();
  return content;
}

const rows = () => {
  const database = new Database(join(directory, JOURNAL_FILE));
  const numbers = database.query<{ number: number }, []>("select number from record order by number").all();
  database.close();
  return numbers.map(({ number }) => number);
};

describe("a journal that is written at once", () => {
  test.each<[string, object[] | null, number, number]>([
    ["records alone", null, 3, 0],
    ["nothing", null, 0, 0],
    ["a checkpoint and records", [{ p: 1 }, { p: 2 }], 3, 7],
    ["a checkpoint alone", [{ p: 1 }], 0, 7],
  ])("has %s, numbered on from the checkpoint", (_, parts, count, upTo) => {
    writeJournal(directory, { header: HEADER as never, parts: parts as never, records: records(count) as never }, upTo);
    expect(loaded()).toEqual({
      header: HEADER,
      upTo: parts === null ? null : upTo,
      parts: parts ?? [],
      records: records(count).map((record, at) => [upTo + at + 1, record]),
      lastNumber: upTo + count,
      witnessed: upTo + count,
    });
    expect(statSync(join(directory, JOURNAL_FILE)).mode & 0o777).toBe(0o600);
  });

  test("has its records in rows of some length, a long one alone", () => {
    const length = (1 << 14) / 4;
    const content = { header: HEADER as never, parts: null };
    writeJournal(directory, { ...content, records: records(10, length) as never }, 0);
    expect(rows()).toEqual([4, 8, 10]);
    directory = temporaryDirectory();
    writeJournal(directory, { ...content, records: records(3, 1 << 14) as never }, 0);
    expect(rows()).toEqual([1, 2, 3]);
    expect(loaded().records).toHaveLength(3);
  });
});

describe("a journal that is read", () => {
  test("is checked again: a commit or a part that has changed since its inspection ends the reading", () => {
    writeJournal(directory, { header: HEADER as never, parts: [{ p: 1 }] as never, records: records(2) as never }, 7);
    const { readable } = inspectJournal(directory);
    const database = new Database(join(directory, JOURNAL_FILE));
    const { checkpoint, records: read } = readJournal(directory, database, readable!);
    database.run("update record set text = text || ' '");
    expect(() => [...read]).toThrow(`journal in ${directory}: record 8 has the wrong length`);
    for (const end of ["", ".copy"]) writeFileSync(join(directory, `checkpoint-7-stop${end}`), "x\n");
    expect(() => [...checkpoint!.parts]).toThrow(
      `journal in ${directory}: checkpoint-7-stop or one of its files`,
    );
    database.close();
  });
});

describe("the journal of a backup", () => {
  const names = () => readdirSync(directory).toSorted();

  test("waits in two private files, in its order, until it is removed", () => {
    const spooled = new SpooledJournal(directory, '{"h":1}');
    expect(names()).toEqual([`${JOURNAL_FILE}-calls`, `${JOURNAL_FILE}-parts`]);
    for (const name of names()) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    for (const number of [1, 2, 3]) {
      spooled.addCall(`{"call":${number}}`);
      spooled.addPart(`{"part":${number},"text":"\\u2028 é"}`);
    }
    const { header, parts, records } = spooled.content(true);
    expect([header, [...parts!], [...records]] as unknown).toEqual([
      { h: 1 },
      [1, 2, 3].map((part) => ({ part, text: "\u2028 é" })),
      [1, 2, 3].map((call) => ({ call })),
    ]);
    spooled.remove();
    expect(names()).toEqual([]);
  });

  test("has no parts without a checkpoint, and nothing of what another one has left", () => {
    writeFileSync(join(directory, `${JOURNAL_FILE}-calls`), '{"former":1}\n');
    const spooled = new SpooledJournal(directory, "{}");
    expect(spooled.content(false).parts).toBeNull();
    expect([...spooled.content(false).records]).toEqual([]);
    spooled.remove();
  });

  test("is written whenever enough of it waits", () => {
    const spooled = new SpooledJournal(directory, "{}");
    const sizes = () => names().map((name) => readFileSync(join(directory, name)).length);
    spooled.addCall(`"${"x".repeat((1 << 20) - 3)}"`);
    expect(sizes()).toEqual([0, 0]);
    spooled.addCall("1");
    expect(sizes()).toEqual([(1 << 20) + 2, 0]);
    spooled.addCall("2");
    expect(sizes()).toEqual([(1 << 20) + 2, 0]);
    expect([...spooled.content(false).records].slice(1) as unknown[]).toEqual([1, 2]);
    spooled.remove();
  });
});

describe("the recorded trail of a directory", () => {
  const positionsAfter = (position: number) =>
    useRecordedTrail(directory, (eventsAfter) => [...eventsAfter(position)].map(({ id }) => Number(id.slice(-12))));

  test("has no events without a file or a table", () => {
    expect(positionsAfter(0)).toEqual([]);
    new Database(join(directory, AUDIT_FILE)).run("pragma user_version = 1");
    expect(positionsAfter(0)).toEqual([]);
  });

  test("has the events after a position, oldest first, also within a block, and none of a damaged block", () => {
    const store = SqliteAuditStore.open(directory, { now: () => NOW });
    const maker = new EventMaker();
    for (const count of [3, 4]) {
      store.record(maker.many(count).map((event) => auditLine(recordedOf(event))).join(""));
      store.write();
    }
    store.sync();
    store.close();
    const expected = [[0, [1, 2, 3, 4, 5, 6, 7]], [2, [3, 4, 5, 6, 7]], [3, [4, 5, 6, 7]], [5, [6, 7]], [7, []], [
      9,
      [],
    ]] as const;
    for (const [position, positions] of expected) expect(positionsAfter(position)).toEqual([...positions]);
    const database = new Database(join(directory, AUDIT_FILE));
    database.run("update block set checksum = checksum + 1 where last_position = 7");
    database.close();
    expect(() => positionsAfter(0)).toThrow(Unreadable);
    expect(() => positionsAfter(0)).toThrow("events 4 to 7 have the wrong checksum");
  });
});
