import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { logger } from "../../../../common/logger.ts";
import { JOURNAL_FILE } from "../../../../engine/journal/journal-tables.ts";
import { SqliteJournal } from "../../../../engine/journal/sqlite-journal.ts";
import { openDataDirectory } from "../../../../engine/server/recovery/data-directory.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { EPOCH, smallMarket, START } from "../../support/market.ts";

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Two commits of two calls each, an hour apart, of which one is damaged. Gives the refusal, and the calls that remain. */
async function lossOf(commit: 1 | 2) {
  const directory = temporaryDirectory();
  const journal = SqliteJournal.open(directory);
  journal.create({ engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() });
  for (const numbers of [[1, 2], [3, 4]]) {
    journal.append(numbers.map((number) => ({ number, text: JSON.stringify(advance(number)) })));
    journal.sync();
  }
  journal.close();
  const database = new Database(join(directory, JOURNAL_FILE));
  expect(database.run("update record set text = upper(text) where number = ?", [commit * 2]).changes).toBe(1);
  database.close();
  const options = { now: () => START + YEAR_MS, log: logger("test") };
  const refusal = await openDataDirectory(directory, { ...options, acceptDataLoss: false }).catch(String);
  const { store, audit, guard } = await openDataDirectory(directory, { ...options, acceptDataLoss: true });
  try {
    return { refusal, calls: [...store.load()?.records ?? []].map(({ text }) => JSON.parse(text)) };
  } finally {
    guard.stop();
    store.close();
    await audit.close();
  }
}

const advance = (number: number) => ({ kind: "advance", now: START + number * HOUR_MS });

const newEpoch = { kind: "newEpoch", epoch: (START + YEAR_MS) * 1000, realNow: START + YEAR_MS };

test("a damaged journal is refused with the market time of its last readable call, at which a new epoch begins", async () => {
  const { refusal, calls } = await lossOf(2);
  expect(refusal).toContain("readable: records 1 to 2 of 4, up to 2026-01-14T15:00:00.000Z\n");
  expect(calls).toEqual([advance(1), advance(2), { ...newEpoch, now: START + 2 * HOUR_MS }]);
});

test("a journal without a readable call is refused without a time, and a new epoch begins at the market's start", async () => {
  const { refusal, calls } = await lossOf(1);
  expect(refusal).toContain("readable: none of the journal's 4 records\n");
  expect(calls).toEqual([{ ...newEpoch, now: START }]);
});
