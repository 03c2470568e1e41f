// Which market time a journal has come to, as far as it can be read.

import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Engine } from "../../../engine/engine.ts";
import { inspectJournal } from "../../../engine/journal/inspect-journal.ts";
import { JOURNAL_FILE } from "../../../engine/journal/journal-tables.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { checkpointOf } from "../../../engine/server/host/checkpoint-saver.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let directory: string;
beforeEach(() => void (directory = temporaryDirectory()));

/** Commits of two calls each: call n is made n minutes after the start. */
function write(...commits: readonly (readonly [number, number])[]): void {
  const store = SqliteJournal.open(directory);
  if (store.load() === null) store.create(HEADER);
  for (const numbers of commits) {
    store.append(numbers.map((number) => {
      return { number, text: JSON.stringify({ kind: "advance", now: START + number * MINUTE_MS }) };
    }));
    store.sync();
  }
  store.close();
}

/** As an engine writes it whose market time is `upTo` minutes after the start. */
function saveCheckpoint(upTo: number): void {
  const engine = new Engine(smallMarket(), { ...HEADER, now: START, secret: null });
  engine.advance(START + upTo * MINUTE_MS, START + HOUR_MS);
  const host = { watchedOrders: [], secretDigest: null, auditPosition: 0 };
  const store = SqliteJournal.open(directory);
  store.load();
  store.useCheckpoint(store.writeCheckpoint({ ...checkpointOf(engine, host), upTo }));
  while (store.deleteReplaced());
  store.close();
}

function damageCommit(last: number): void {
  const database = new Database(join(directory, JOURNAL_FILE));
  expect(database.run("update record set text = upper(text) where number = ?", [last]).changes).toBe(1);
  database.close();
}

/** The last record that can be read, and its time in minutes after the start. */
function readable() {
  const { lastNumber, lastTime = null } = inspectJournal(directory).readable ?? {};
  return [lastNumber, lastTime === null ? null : (lastTime - START) / MINUTE_MS];
}

describe("the market time of a journal", () => {
  test("is that of the last call of its last commit", () => {
    write([1, 2], [3, 4]);
    expect(readable()).toEqual([4, 4]);
  });

  test("is that of the last call before a damaged commit, though a checkpoint is before it", () => {
    write([1, 2]);
    saveCheckpoint(2);
    write([3, 4], [5, 6], [7, 8]);
    damageCommit(8);
    expect(readable()).toEqual([6, 6]);
    damageCommit(6);
    expect(readable()).toEqual([4, 4]);
  });

  test("is that of the checkpoint if no commit after it can be read, or there is none", () => {
    write([1, 2]);
    saveCheckpoint(2);
    expect(readable()).toEqual([2, 2]);
    write([3, 4]);
    damageCommit(4);
    expect(readable()).toEqual([2, 2]);
  });

  test("is unknown without a checkpoint if no commit can be read", () => {
    write([1, 2]);
    damageCommit(2);
    expect(readable()).toEqual([0, null]);
  });
});
