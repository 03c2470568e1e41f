import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Logger, logger } from "../../../../common/logger.ts";
import { AUDIT_FILE } from "../../../../engine/audit/audit-tables.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { JOURNAL_FILE } from "../../../../engine/journal/journal-tables.ts";
import { SqliteJournal } from "../../../../engine/journal/sqlite-journal.ts";
import { openDataDirectory } from "../../../../engine/server/recovery/data-directory.ts";
import { EventMaker } from "../../../common/audit/support/events.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { newCheckpoint } from "../../support/checkpoints.ts";
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

/** A directory with 20 audit events, all of which the checkpoint of its journal counts, and a call after it. */
function wholeDirectory(): string {
  const directory = temporaryDirectory();
  const journal = SqliteJournal.open(directory);
  journal.create({ engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() });
  const append = (number: number) => {
    journal.append([{ number, text: JSON.stringify(advance(number)) }]);
    journal.sync();
  };
  append(1);
  const host = { kind: "host", watchedOrders: [], secretDigest: null, auditPosition: 20 };
  journal.useCheckpoint(journal.writeCheckpoint(newCheckpoint(1, [JSON.stringify(host)])));
  append(2);
  journal.close();
  const trail = SqliteAuditStore.open(directory, { now: () => START });
  trail.append(new EventMaker().many(20));
  trail.sync();
  trail.close();
  return directory;
}

/** Opens a directory; gives what is in it, the lines of its log, and what `look` finds while it is open. */
async function opened<Found>(directory: string, acceptDataLoss = false, look?: (at: Opened) => Promise<Found>) {
  const lines: string[] = [];
  const note = (line: string, facts: Readonly<Record<string, unknown>> = {}) =>
    void lines.push(line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name])));
  const log = { debug: note, info: note, warn: note, error: note } as unknown as Logger;
  const at = await openDataDirectory(directory, { now: () => START + YEAR_MS, log, acceptDataLoss });
  try {
    const calls = [...at.store.load()?.records ?? []].map(({ text }) => JSON.parse(text));
    return { lines, calls, position: at.audit.lastPosition, found: await look?.(at) };
  } finally {
    at.guard.stop();
    at.store.close();
    await at.audit.close();
  }
}
type Opened = Awaited<ReturnType<typeof openDataDirectory>>;

test("a whole directory is opened as it is", async () => {
  expect(await opened(wholeDirectory())).toMatchObject({ lines: [], calls: [advance(2)], position: 20 });
});

test("a directory whose journal is gone is refused for its audit trail, and begins anew only if the loss is accepted", async () => {
  const directory = wholeDirectory();
  for (const name of readdirSync(directory)) if (!name.startsWith("audit")) rmSync(join(directory, name));
  await expect(opened(directory)).rejects.toThrow(
    "damaged: journal.sqlite is missing or empty, and there is an audit trail\nreadable: nothing of the journal\n",
  );
  expect(await opened(directory, true)).toMatchObject({ calls: [], position: 0 });
  const copy = readdirSync(directory).find((name) => name.startsWith("damaged-")) ?? "";
  expect(readdirSync(join(directory, copy))).toContain(AUDIT_FILE);
});

test("a lost audit trail begins anew after the events that the checkpoint counts, and the journal stays", async () => {
  const directory = wholeDirectory();
  rmSync(join(directory, AUDIT_FILE));
  await expect(opened(directory)).rejects.toThrow(
    "damaged: audit.sqlite is missing or empty, but had events 1 to 20\nreadable: records 1 to 2 of 2, up to " +
      "2026-01-14T15:00:00.000Z\nreadable: of the audit trail, the events after the journal's last checkpoint\n",
  );
  const { lines, calls, position } = await opened(directory, true);
  expect([calls, position]).toEqual([[advance(2)], 20]);
  expect(lines).toEqual([
    expect.stringMatching(/^data loss accepted: audit\.sqlite is missing .*; the damaged files are in /),
  ]);
  expect(await opened(directory)).toMatchObject({ lines: [], calls: [advance(2)], position: 20 });
});

test.each(["checkpoint-1-stop", "checkpoint-1-stop.copy", "checkpoint-1-stop-operations"])(
  "a damaged %s is replaced by its other copy, which is said once",
  async (name) => {
    const directory = wholeDirectory();
    writeFileSync(join(directory, name), "nonsense\n");
    const { lines } = await opened(directory);
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^replaced ${name}, which is damaged: .*, by its other copy; nothing is lost`)),
    ]);
    expect((await opened(directory)).lines).toEqual([]);
  },
);

test("changes are refused while any file that is open is not in its place, the checkpoint in use included", async () => {
  const directory = wholeDirectory();
  await opened(directory, false, async ({ store, audit, guard }) => {
    store.append([{ number: 3, text: JSON.stringify(advance(3)) }]);
    store.sync();
    await audit.sync();
    const files = ["journal.sqlite", "journal.sqlite-wal", "journal.witness", "audit.sqlite", "checkpoint-1-stop"];
    const aside = join(temporaryDirectory(), "aside");
    /** What the guard says once its last look is so long ago that it looks again. */
    const refusal = async () => {
      const began = performance.now();
      await until(() => performance.now() - began > 20);
      return guard.refusal?.code ?? null;
    };
    for (const name of [...files, "checkpoint-1-stop-operations"]) {
      const path = join(directory, name);
      expect([name, existsSync(path), await refusal()]).toEqual([name, true, null]);
      renameSync(path, aside);
      expect([name, await refusal()]).toEqual([name, "storage_missing"]);
      renameSync(aside, path);
    }
    expect(await refusal()).toBeNull();
  });
});
