// A process may end at any step while a checkpoint replaces records. Each step leaves a journal that begins with the old
// checkpoint or with the new one, and has every record after it.

import { describe, expect, test } from "bun:test";
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { checkpointFilesIn, filesOf, writeCheckpoint } from "../../../engine/journal/checkpoint-files.ts";
import { inspectJournal } from "../../../engine/journal/inspect-journal.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";
import { newCheckpoint } from "../support/checkpoints.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };
/** Characters of a record: a few of them are one step of deletion. */
const LONG = 60_000;
const RECORDS = 40;

const textOf = (number: number) => `record ${number} ${"x".repeat(LONG)}`;

function append(store: SqliteJournal, from: number, to: number): void {
  for (let number = from; number <= to; number++) {
    store.append([{ number, text: textOf(number) }]);
    store.sync();
  }
}

/** A copy of the files, as a kill would leave them. */
function leftByKill(directory: string): string {
  const copy = temporaryDirectory();
  cpSync(directory, copy, { recursive: true });
  return copy;
}

interface Left {
  readonly step: string;
  readonly directory: string;
}

/** Replaces the records up to RECORDS while one more comes, and copies the directory after each step. */
async function everyStep(): Promise<Left[]> {
  const directory = temporaryDirectory();
  const store = SqliteJournal.open(directory);
  const left: Left[] = [];
  const after = (step: string) => void left.push({ step, directory: leftByKill(directory) });
  store.create(HEADER);
  append(store, 1, 1);
  store.useCheckpoint(store.writeCheckpoint({ ...newCheckpoint(1, ["old"]), operations: () => ["operations"] }));
  store.deleteReplaced();
  append(store, 2, RECORDS);
  after("before");
  const { inUse = null, headerChecksum = 0 } = store.origin ?? {};
  const next = { ...newCheckpoint(RECORDS, ["new", "state"]), operations: () => ["newer"] };
  const written = writeCheckpoint(directory, `checkpoint-${RECORDS}`, next, inUse, headerChecksum);
  append(store, RECORDS + 1, RECORDS + 1);
  after("half written");
  truncateSync(join(left.at(-1)?.directory ?? "", written.state.file), 7);
  after("written");
  store.useCheckpoint(written);
  after("named");
  for (let step = 1; store.deleteReplaced(); step++) after(`deletion ${step}`);
  after("records deleted");
  await store.removeReplacedFile();
  after("file deleted");
  store.close();
  return left;
}

function contentOf(directory: string) {
  const store = SqliteJournal.open(directory);
  try {
    const loaded = store.load();
    if (loaded === null) throw new Error("the journal is new");
    const { checkpoint, records, lastNumber, tornWrite } = loaded;
    return {
      parts: [...checkpoint?.parts ?? []],
      records: [...records].map(({ number, text }) => [number, text === textOf(number)]),
      lastNumber,
      tornWrite,
    };
  } finally {
    store.close();
  }
}

const whole = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => [from + at, true]);

describe("a process that ends while a checkpoint replaces records", () => {
  test("leaves the old checkpoint or the new one, with every record after it, and nothing that the next one keeps", async () => {
    const left = await everyStep();
    expect(left.length).toBeGreaterThan(8);
    const named = left.findIndex(({ step }) => step === "named");
    for (const [at, { step, directory }] of left.entries()) {
      const isNew = at >= named;
      const last = step === "before" ? RECORDS : RECORDS + 1;
      expect([step, inspectJournal(directory).faults]).toEqual([step, []]);
      expect([step, contentOf(directory)]).toEqual([step, {
        parts: isNew ? ["new", "state", "operations", "newer"] : ["old", "operations"],
        records: isNew ? whole(RECORDS + 1, RECORDS + 1) : whole(2, last),
        lastNumber: last,
        tornWrite: null,
      }]);
      // The next process deletes what is left over.
      const store = SqliteJournal.open(directory);
      while (store.deleteReplaced());
      expect([step, checkpointFilesIn(directory).toSorted()])
        .toEqual([step, filesOf(store.origin?.inUse ?? null).toSorted()]);
      expect([step, store.recordsAfter(0).texts.startsWith("record 1 ")]).toEqual([step, false]);
      store.close();
    }
  });
});

test("a step of deletion, and a slice of records, do not grow with the journal", () => {
  const directory = temporaryDirectory();
  const store = SqliteJournal.open(directory);
  store.create(HEADER);
  append(store, 1, RECORDS);
  const slices: number[] = [];
  for (let after = 0; after < RECORDS;) {
    const { texts, last } = store.recordsAfter(after);
    slices.push(texts.length);
    after = last;
  }
  store.useCheckpoint(store.writeCheckpoint(newCheckpoint(RECORDS, ["all"])));
  let steps = 1;
  while (store.deleteReplaced()) steps += 1;
  expect(Math.max(...slices)).toBeLessThan(2 ** 18 + 2 * LONG);
  expect(slices.length).toBe(Math.ceil(RECORDS / 5));
  expect(steps).toBe(slices.length);
  store.close();
});

test("a checkpoint writes only operations that are new, until there are 32 files of them; then it writes all to one", () => {
  const directory = temporaryDirectory();
  const store = SqliteJournal.open(directory);
  store.create(HEADER);
  const kept: string[] = [];
  for (let number = 1; number <= 70; number++) {
    append(store, number, number);
    const operations = (since: number) => {
      if (since === -Infinity) kept.length = 0;
      kept.push(`from ${since} to ${number}`);
      return kept.slice(-1);
    };
    store.useCheckpoint(store.writeCheckpoint({ upTo: number, state: ["state"], operations, time: number }));
  }
  expect(kept).toEqual(Array.from({ length: 6 }, (_, at) => `from ${at === 0 ? -Infinity : 64 + at} to ${65 + at}`));
  store.close();
  expect(contentOf(directory).parts).toEqual(["state", ...kept]);
  expect(checkpointFilesIn(directory)).toHaveLength(2 * (1 + 6));
});

describe("a checkpoint file", () => {
  const parts = ["first", "zweiter Teil ⚡", "x".repeat(3_000_000), ""];

  /** A journal whose checkpoint has these parts. */
  function saved(): string {
    const directory = temporaryDirectory();
    const store = SqliteJournal.open(directory);
    store.create(HEADER);
    append(store, 1, 1);
    store.useCheckpoint(store.writeCheckpoint(newCheckpoint(1, parts)));
    store.close();
    return directory;
  }

  test("has its parts again, however long they are, and only its owner may read it", () => {
    const directory = saved();
    expect(contentOf(directory).parts).toEqual(parts);
    expect(statSync(join(directory, "checkpoint-1-stop")).mode & 0o777).toBe(0o600);
  });

  test.each<[string, string, (path: string) => void]>([
    ["cut at a part", "the checkpoint has 2 parts instead of 4", (path) => cutAfterPart(path, 2)],
    ["cut within a part", "part 3 of the checkpoint has the wrong checksum", (path) => truncateSync(path, 1000)],
    ["longer", "part 5 of the checkpoint has the wrong checksum", (path) => appendFileSync(path, "1 more\n")],
  ])("that is %s is damaged", (_, fault, harm) => {
    const directory = saved();
    const files = ["checkpoint-1-stop", "checkpoint-1-stop.copy"];
    for (const file of files) harm(join(directory, file));
    expect(inspectJournal(directory).faults).toEqual(files.map((file) => ({ file, fault: `is damaged: ${fault}` })));
    expect(readdirSync(directory)).toContain("checkpoint-1-stop");
  });

  test.each(["checkpoint-1-stop", "checkpoint-1-stop.copy"])(
    "%s that is damaged is replaced by the other copy",
    (file) => {
      for (const harm of [(path: string) => cutAfterPart(path, 2), (path: string) => rmSync(path)]) {
        const directory = saved();
        const before = readFileSync(join(directory, file));
        harm(join(directory, file));
        const { faults, replaceable } = inspectJournal(directory);
        expect([faults, replaceable.map((each) => each.file)]).toEqual([[], [file]]);
        expect(contentOf(directory).parts).toEqual(parts);
        expect(readFileSync(join(directory, file))).toEqual(before);
        expect(inspectJournal(directory).replaceable).toEqual([]);
      }
    },
  );
});

function cutAfterPart(path: string, count: number): void {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, count);
  truncateSync(path, Buffer.byteLength(`${lines.join("\n")}\n`));
}
