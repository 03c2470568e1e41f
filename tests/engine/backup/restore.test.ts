import { Database } from "bun:sqlite";
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../../common/command-line.ts";
import { BackupEncoder } from "../../../engine/backup/backup-encoder.ts";
import type { BackupEntry } from "../../../engine/backup/backup-format.ts";
import { buildRestoredData } from "../../../engine/backup/restored-data.ts";
import { checkBackup, restoreBackup } from "../../../engine/backup/restore.ts";
import { FORMAT_VERSION } from "../../../engine/journal/journal-tables.ts";
import type { UpgradeSteps } from "../../../engine/journal/upgrades/journal-upgrades.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { canMakeSmallDisks, smallDisk } from "../../e2e/support/small-disk.ts";
import { contentOf } from "../../e2e/support/storage-harm.ts";
import {
  earlierHeader,
  earlierPart,
  earlierRecord,
  MADE_UP_FORMAT,
  MADE_UP_STEPS,
} from "../journal/fixtures/made-up-format.ts";
import { run } from "../server/checkpoints/running-engine.ts";
import { backupsOf, beginBackup, bytesIn, entriesIn, stateAt } from "./backup-of.ts";

const ORDERS = 100;

/** The directory of an engine that has gone on after the backup. Nothing uses it any more. */
let directory: string;
/** A checkpoint and the calls after it. */
let backup: Uint8Array;
/** Number of the last event that clients have seen. */
let lastEvent: number;
beforeAll(async () => {
  directory = temporaryDirectory();
  const first = await run(directory, Infinity);
  first.buy(ORDERS / 2);
  await first.stop();
  const engine = await run(directory, Infinity, undefined, ORDERS / 2);
  engine.buy(ORDERS / 2);
  backup = await bytesIn(beginBackup(backupsOf(engine)));
  engine.buy(10);
  lastEvent = engine.host.engine.sequence;
  await engine.abandon();
});

let [folder, file, target] = ["", "", ""];
beforeEach(() => {
  folder = temporaryDirectory();
  [file, target] = [join(folder, "backup"), join(folder, "data")];
  writeFileSync(file, backup);
});

async function* inTurn(entries: readonly BackupEntry[]): AsyncGenerator<BackupEntry, void, undefined> {
  yield* entries;
}

const restored = () => restoreBackup(file, target, Date.now);

async function failureOf(restore: Promise<unknown>): Promise<Error> {
  return await restore.then(() => new Error("none"), (error) => error);
}

const hasDisks = canMakeSmallDisks("the tests of a restore on a full disk");

describe("restoreBackup", () => {
  test("makes a directory with the state and the audit trail of the point, which begins a new epoch", async () => {
    const { description, epoch } = await restored();
    const { upTo } = description;
    expect(upTo).toBe(ORDERS);
    expect(readdirSync(target).toSorted()).toEqual([
      "audit.sqlite",
      `checkpoint-${ORDERS / 2}-stop`,
      `checkpoint-${ORDERS / 2}-stop.copy`,
      "journal.sqlite",
      "journal.witness",
    ]);
    if (process.platform !== "win32") {
      for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o777).toBe(0o600);
    }
    expect(stateAt(target, upTo)).toEqual(stateAt(directory, upTo));

    const engine = await run(target, Infinity, undefined, ORDERS);
    expect(engine.orders()).toHaveLength(ORDERS);
    expect(engine.host.engine.epoch).toBe(epoch);
    expect(epoch).toBeGreaterThan(lastEvent);
    // The operationIds of the orders are known: a repeat makes no order.
    const { response } = engine.host.execute({
      userId: "riverbend-trader-1",
      operationId: "b-1",
      action: "order.cancel",
      payload: { orderId: "ORD-1" },
    });
    expect(response).toMatchObject({ status: "rejected", code: "operation_conflict" });
    const audited = await engine.backupSource.audit.after(0, ORDERS + 1);
    expect(audited).toHaveLength(ORDERS);
    engine.buy(1);
    expect(engine.orders()).toHaveLength(ORDERS + 1);
    // And again, with the record of a new epoch among the calls.
    writeFileSync(file, await bytesIn(beginBackup(backupsOf(engine))));
    const again = join(folder, "again");
    const { description: { epoch: second, upTo: last } } = await restoreBackup(file, again, Date.now);
    expect(second).toBe(epoch);
    await engine.stop();
    expect(stateAt(again, last).length).toBeGreaterThan(1);
    const original = await run(directory, Infinity, undefined, ORDERS + 10);
    expect(audited).toEqual(await original.backupSource.audit.after(0, ORDERS));
    await original.stop();
  });

  test("gives no number twice, even if the clock is wrong", async () => {
    const { epoch } = await restoreBackup(file, target, () => 0);
    expect(epoch).toBeGreaterThan(lastEvent);
  });

  test("upgrades a journal of an earlier format", async () => {
    const entries = (await entriesIn(backup)).map((entry): BackupEntry => {
      if (entry.kind === "events") return entry;
      if (entry.kind === "header") return { ...entry, text: earlierHeader(entry.text) };
      if (entry.kind === "part") return { ...entry, text: earlierPart(entry.text) };
      if (entry.kind === "call") return { ...entry, text: earlierRecord(entry.text) };
      return { ...entry, description: { ...entry.description, journalFormat: MADE_UP_FORMAT } };
    });
    const built = async (steps?: UpgradeSteps) => {
      mkdirSync(target, { recursive: true });
      return await buildRestoredData(target, inTurn(entries), Date.now, steps);
    };
    const { description, epoch } = await built(MADE_UP_STEPS);
    expect(epoch).toBeGreaterThan(lastEvent);
    const present = join(folder, "present");
    await restoreBackup(file, present, Date.now);
    expect(stateAt(target, description.upTo)).toEqual(stateAt(present, description.upTo));
    rmSync(target, { recursive: true });
    expect((await failureOf(built())).message).toBe(
      `can't be restored: it has format version ${MADE_UP_FORMAT}, and the oldest that this mkt reads is ${FORMAT_VERSION}`,
    );
  });

  test("refuses calls that have another outcome than the audit trail has recorded", async () => {
    const entries = await entriesIn(backup);
    const encoder = new BackupEncoder();
    for (const entry of entries) {
      if (entry.kind === "description") encoder.describe({ ...entry.description, mkt: "0.0.9" });
      else if (entry.kind === "header") encoder.addHeader(entry.text);
      else if (entry.kind === "part") encoder.addPart(entry.text);
      else if (entry.kind === "events") encoder.addEvents(entry.first, entry.last, entry.lines);
      else encoder.addCall(entry.number, entry.text.replace('"quantity":5,', '"quantity":10,'));
    }
    writeFileSync(file, encoder.lastFrame());
    const { message } = await failureOf(restored());
    expect(message).toContain(
      "backup can't be restored: under the rules of this version its calls have another outcome",
    );
    expect(message).toEndWith("; restore it with mkt 0.0.9, which made it");
    expect(existsSync(target)).toBe(false);
  });

  test("refuses a forged backup with one line that names it, wherever what it holds can't be used", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const forgeries = [["header", "{}"], ["part", deep], ["call", "null"], ["call", deep]] as const;
    // Each deep value takes seconds, until the stack is full.
    for (const [kind, value] of forgeries.slice(0, size(3, 4))) {
      const encoder = new BackupEncoder();
      const entries = await entriesIn(backup);
      const forged = entries.find((entry) => entry.kind === kind);
      for (const entry of entries) {
        if (entry.kind === "description") encoder.describe(entry.description);
        else if (entry.kind === "header") encoder.addHeader(entry === forged ? value : entry.text);
        else if (entry.kind === "part") encoder.addPart(entry === forged ? value : entry.text);
        else if (entry.kind === "events") encoder.addEvents(entry.first, entry.last, entry.lines);
        else encoder.addCall(entry.number, entry === forged ? value : entry.text);
      }
      writeFileSync(file, encoder.lastFrame());
      const { message } = await failureOf(restored());
      expect(message).toStartWith(`${file} can't be restored: `);
      expect(message).not.toContain("\n");
      expect(existsSync(target)).toBe(false);
    }
  });

  test("restores a backup whose audit trail has lost its oldest events", async () => {
    const lost = temporaryDirectory();
    const engine = await run(lost, Infinity);
    engine.buy(ORDERS);
    await engine.backupSource.audit.sync();
    const blocksAfter = engine.backupSource.audit.blocksAfter.bind(engine.backupSource.audit);
    engine.backupSource.audit.blocksAfter = async (position) => await blocksAfter(Math.max(position, ORDERS - 1));
    writeFileSync(file, await bytesIn(beginBackup(backupsOf(engine))));
    await engine.stop();
    expect((await restored()).description.upTo).toBe(ORDERS);
  });

  test("refuses a directory with files, and leaves it as it was", async () => {
    mkdirSync(target);
    writeFileSync(join(target, "notes.txt"), "mine");
    const failure = await failureOf(restored());
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure.message).toBe(`--data: ${target} is not empty: a backup is restored into a new or empty directory`);
    expect(readdirSync(target)).toEqual(["notes.txt"]);
  });

  test("restores into a file system of its own, which has a folder lost+found", async () => {
    mkdirSync(join(target, "lost+found"), { recursive: true });
    await restored();
    expect(readdirSync(target)).toContain("journal.sqlite");
  });

  test("says which directory can't be used, and why", async () => {
    writeFileSync(target, "a file");
    expect((await failureOf(restored())).message).toBe(`--data: ${target} is not a folder`);
    const below = join(target, "below");
    const second = await failureOf(restoreBackup(file, below, Date.now));
    expect(second.message).toBe(`--data: ${below} can't be used: part of the path is not a folder`);
  });

  test.skipIf(!hasDisks)("says that the disk is full, and leaves nothing", async () => {
    for (let free = 20; free < 80; free += 20) {
      const disk = smallDisk(1);
      try {
        disk.fill();
        truncateSync(join(disk.path, "filler"), (1 << 20) - free * 1024);
        const full = join(disk.path, "data");
        const failure = await failureOf(restoreBackup(file, full, Date.now));
        expect(failure.message).toStartWith(`--data: the disk of ${full} is full, so nothing was restored; free some`);
        expect(existsSync(full)).toBe(false);
      } finally {
        disk.remove();
      }
    }
  });

  test.each([false, true])(
    "refuses a damaged backup, and leaves the directory as it was; it exists: %p",
    async (exists) => {
      if (exists) mkdirSync(target);
      writeFileSync(file, backup.subarray(0, backup.length / 2));
      expect((await failureOf(restored())).message).toMatch(/^\S+backup is not whole: /);
      expect(readdirSync(folder)).toHaveLength(exists ? 2 : 1);
      if (exists) expect(readdirSync(target)).toEqual([]);
    },
  );

  test("leaves the directory as it was if the files can't be put in place", async () => {
    mkdirSync(target);
    // Comes into being while the data are built.
    const now = () => {
      mkdirSync(join(target, "journal.witness"), { recursive: true });
      return Date.now();
    };
    const failure = await failureOf(restoreBackup(file, target, now));
    expect(failure.message).toContain("has come into being meanwhile");
    expect(readdirSync(target)).toEqual(["journal.witness"]);
  });

  test("refuses a directory into which another process restores, and does not disturb it", async () => {
    const unfinished = join(target, "restore-unfinished");
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, "begun"), "");
    const other = new Database(join(unfinished, "lock"), { create: true });
    other.run("pragma journal_mode = memory");
    other.run("begin exclusive");
    expect((await failureOf(restored())).message).toContain("another mkt restore is under way");
    expect(readdirSync(unfinished).toSorted()).toEqual(["begun", "lock"]);
    other.close();
    await restored();
    expect(readdirSync(target)).toContain("journal.sqlite");
  });

  test("that was killed keeps engines away, and is repeated from its beginning", async () => {
    await restored();
    const content = contentOf(target);
    const unfinished = join(target, "restore-unfinished");
    const names = readdirSync(target);
    // After steps of the move into place.
    for (let moved = 0; moved <= names.length; moved += size(2, 1)) {
      mkdirSync(unfinished);
      for (const name of names.slice(moved)) renameSync(join(target, name), join(unfinished, name));
      expect((await failureOf(run(target, Infinity))).message).toContain("holds a restore that is not finished");
      await restored();
      expect([...contentOf(target).keys()]).toEqual([...content.keys()]);
    }
  });

  test.each<[string, (path: string) => void, string]>([
    ["that is missing", (path) => rmSync(path), "no such file or folder"],
    ["that is a folder", (path) => (rmSync(path), mkdirSync(path)), "is not a file"],
  ])("refuses a backup %s", async (_, change, message) => {
    change(file);
    for (const work of [checkBackup(file, Date.now), restored()]) {
      expect((await failureOf(work)).message).toStartWith(`${file}`);
      expect((await failureOf(work)).message).toContain(message);
    }
  });
});
