// The storage guard. Whole engines on a really full disk are in tests/e2e/full-disk.test.ts.

import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { existsSync, renameSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Logger, logger } from "../../../common/logger.ts";
import { JournalWriter } from "../../../engine/journal/journal-writer.ts";
import {
  type JournalRecord,
  type NewCheckpoint,
  StorageFull,
  type WrittenCheckpoint,
} from "../../../engine/journal/journal.ts";
import { newCheckpoint } from "../support/checkpoints.ts";
import { MemoryDisk, MemoryJournal } from "../support/memory-journal.ts";
import { DiskStorageGuard } from "../../../engine/journal/storage-guard.ts";
import { RESERVE_FILE, StorageReserve } from "../../../engine/journal/storage-reserve.ts";
import { atEnd } from "../../support/at-end.ts";
import { replaced } from "../../support/replaced.ts";
import { until } from "../../support/until.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;

beforeEach(() => {
  directory = temporaryDirectory();
});

function open(probeMs = 1_000_000): DiskStorageGuard {
  const guard = new DiskStorageGuard({ directory, files: () => [], log: logger("test"), probeMs });
  atEnd(() => guard.stop());
  return guard;
}

const reserve = () => statSync(join(directory, RESERVE_FILE)).size;
const WHOLE = 8 << 20;

/** Work that fails the first `times` times, because the disk is full. */
function fullFor(times: number) {
  let count = 0;
  return () => {
    if (count++ < times) throw new StorageFull("the disk is full");
  };
}

// The machine that runs the tests has a disk of more than 64 MB.
describe("the storage guard of a data directory", () => {
  test("makes a reserve at once, of stored bytes, which only its owner may read", () => {
    const guard = open();
    expect(reserve()).toBe(WHOLE);
    const { blocks, mode } = statSync(join(directory, RESERVE_FILE));
    expect(blocks * 512).toBeGreaterThanOrEqual(WHOLE);
    expect(mode & 0o777).toBe(0o600);
    expect(guard.refusal).toBeNull();
  });

  test("fills a reserve that is too small, and shortens one that is too large", () => {
    open();
    truncateSync(join(directory, RESERVE_FILE), 17);
    open();
    expect(reserve()).toBe(WHOLE);
    truncateSync(join(directory, RESERVE_FILE), WHOLE + 1);
    open();
    expect(reserve()).toBe(WHOLE);
  });

  test.each([[0, WHOLE, false], [1, WHOLE * 7 / 8, true], [3, WHOLE * 5 / 8, true], [8, 0, true]])(
    "gives up a step of the reserve each time the disk is full: %d times",
    (times, left, isRefused) => {
      const guard = open();
      guard.attempt(fullFor(times));
      expect(reserve()).toBe(left);
      expect(guard.refusal?.code ?? null).toBe(isRefused ? "storage_full" : null);
    },
  );

  test("passes another error on at once, and that of a full disk after the last step", () => {
    const guard = open();
    const fail = () => {
      throw new Error("the disk is broken");
    };
    expect(() => guard.attempt(fail)).toThrow("the disk is broken");
    expect([reserve(), guard.refusal]).toEqual([WHOLE, null]);
    expect(() => guard.attempt(fullFor(9))).toThrow(StorageFull);
    expect(reserve()).toBe(0);
  });

  test("accepts changes again, with a whole reserve, once there is free space", async () => {
    const guard = open(5);
    guard.attempt(fullFor(2));
    expect(guard.refusal?.code).toBe("storage_full");
    await until(() => guard.refusal === null);
    expect(reserve()).toBe(WHOLE);
    guard.attempt(fullFor(1));
    expect(guard.refusal?.code).toBe("storage_full");
    await until(() => guard.refusal === null);
  });

  test("accepts changes from the start if the reserve fits, and later only if as much is free besides", async () => {
    const answers = [true, false, false];
    const spares = replaced(StorageReserve.prototype, "refill", () => answers.shift() ?? true);
    const guard = open(1);
    expect([spares.flat(), guard.refusal]).toEqual([[0], null]);
    guard.close();
    await until(() => guard.refusal === null);
    expect(spares.flat()).toEqual([0, WHOLE, WHOLE, WHOLE]);
  });

  test("gives up nothing to start if there is free space, or no reserve", () => {
    StorageReserve.freeSpaceToStart(directory);
    expect(existsSync(join(directory, RESERVE_FILE))).toBe(false);
    open();
    StorageReserve.freeSpaceToStart(directory);
    expect(reserve()).toBe(WHOLE);
    expect(statfsSync(directory).bavail).toBeGreaterThan(0);
  });
});

class FullJournal extends MemoryJournal {
  /** Number of the next writes for which the disk is full. */
  full = 0;

  override append(records: readonly JournalRecord[]): void {
    if (this.full-- > 0) throw new StorageFull("the disk is full");
    super.append(records);
  }

  override writeCheckpoint(checkpoint: NewCheckpoint): WrittenCheckpoint {
    if (this.full-- > 0) throw new StorageFull("the disk is full");
    return super.writeCheckpoint(checkpoint);
  }
}

describe("a journal's writer", () => {
  /** A writer with one call to commit. */
  function started(probeMs?: number) {
    const disk = new MemoryDisk();
    const store = new FullJournal(disk);
    const start = { lastNumber: 0, checkpointNumber: 0, checkpointParts: 0, checkpointRecords: 1 };
    const writer = new JournalWriter(store, { ...start, guard: open(probeMs) });
    writer.append({ kind: "advance", now: 1 });
    return { disk, store, writer };
  }

  test("commits every call once, though the disk was full at first", () => {
    const { disk, store, writer } = started();
    writer.append({ kind: "advance", now: 2 });
    store.full = 2;
    writer.commit();
    expect(disk.records.map(({ number, text }) => [number, text])).toEqual([
      [1, '{"kind":"advance","now":1}'],
      [2, '{"kind":"advance","now":2}'],
    ]);
    expect(writer.refusal?.code).toBe("storage_full");
  });

  test("delays a checkpoint while the disk is full, and keeps the calls", async () => {
    const { disk, store, writer } = started(5);
    writer.commit();
    expect(writer.isCheckpointDue).toBe(true);
    store.full = 1;
    expect(writer.saveCheckpoint(newCheckpoint(1, ["a part"]))).toBe(false);
    expect([disk.checkpoint, disk.records.length, writer.isCheckpointDue, reserve()]).toEqual([null, 1, false, WHOLE]);
    await until(() => writer.isCheckpointDue);
    expect(writer.saveCheckpoint(newCheckpoint(1, ["a part"]))).toBe(true);
    expect([disk.checkpoint?.upTo, disk.records.length, writer.isCheckpointDue]).toEqual([1, 0, false]);
    writer.close();
  });
});

describe("the files of a data directory", () => {
  /** A guard whose own looks are far between, on a clock that the test moves. */
  function watching(probeMs = 1_000_000) {
    jest.useFakeTimers();
    const file = join(directory, "journal");
    writeFileSync(file, "");
    const said: string[] = [];
    const note = (text: string, { fault }: { fault?: string }) => void said.push(fault ?? text);
    const log = { warn: note, error: note } as unknown as Logger;
    return { guard: new DiskStorageGuard({ directory, files: () => ["journal"], log, probeMs }), file, said };
  }
  const BACK = "the files in {directory} are in their place again";
  afterEach(() => void jest.useRealTimers());

  test("are looked at for a change, but not for each one of a busy engine", () => {
    const { guard, file } = watching();
    rmSync(file);
    jest.advanceTimersByTime(10);
    expect(guard.refusal).toBeNull();
    jest.advanceTimersByTime(1);
    expect(guard.refusal?.code).toBe("storage_missing");
    guard.stop();
  });

  test("let changes through again as soon as they are back, and the log has each change of their state once", () => {
    const { guard, file, said } = watching();
    const aside = `${file}-aside`;
    const looked = (change = () => {}) => {
      change();
      jest.advanceTimersByTime(11);
      return guard.refusal?.code ?? null;
    };
    for (let times = 1; times <= 2; times++) {
      expect(looked(() => renameSync(file, aside))).toBe("storage_missing");
      expect(looked()).toBe("storage_missing");
      expect(looked(() => renameSync(aside, file))).toBeNull();
      expect(looked()).toBeNull();
    }
    expect(said.splice(0)).toEqual(["journal is missing", BACK, "journal is missing", BACK]);
    expect(looked(() => renameSync(file, aside))).toBe("storage_missing");
    expect(looked(() => writeFileSync(file, ""))).toBe("storage_missing");
    rmSync(file);
    expect(looked(() => renameSync(aside, file))).toBeNull();
    expect(said).toEqual(["journal is missing", "journal is another one", BACK]);
    guard.stop();
  });

  test("are noticed as gone and as back though nobody asks for a change", () => {
    const { guard, file, said } = watching(2000);
    renameSync(file, `${file}-aside`);
    jest.advanceTimersByTime(2000);
    renameSync(`${file}-aside`, file);
    jest.advanceTimersByTime(2000);
    expect(said).toEqual(["journal is missing", BACK]);
    guard.stop();
  });

  test("are looked at by nobody after the stop, which leaves no timer", () => {
    const { guard, file } = watching();
    expect(jest.getTimerCount()).toBe(1);
    guard.stop();
    rmSync(file);
    jest.advanceTimersByTime(10_000_000);
    expect([guard.refusal, jest.getTimerCount()]).toEqual([null, 0]);
  });
});
