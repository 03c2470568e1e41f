// The gate for changes on a full disk. A whole engine on a disk that is really full: tests/e2e/full-disk.test.ts.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statfsSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logger } from "../../../common/logger.ts";
import { JournalWriter } from "../../../sim/journal/journal-writer.ts";
import { type JournalCheckpoint, type JournalRecord, StorageFull } from "../../../sim/journal/journal.ts";
import { MemoryDisk, MemoryJournal } from "../../../sim/journal/memory-journal.ts";
import { DiskGate, RESERVE_FILE } from "../../../sim/journal/storage-gate.ts";
import { until } from "../../support/until.ts";

let directory: string;
let gates: DiskGate[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "mkt-gate-"));
});

afterEach(() => {
  for (const gate of gates) gate.stop();
  gates = [];
  rmSync(directory, { recursive: true });
});

function open(probeMs = 1_000_000): DiskGate {
  const gate = new DiskGate({ directory, log: logger("test"), probeMs });
  gates.push(gate);
  return gate;
}

const reserve = () => statSync(join(directory, RESERVE_FILE)).size;
const WHOLE = 8 << 20;

/** Work that finds no room so many times. */
function fullFor(times: number) {
  let count = 0;
  return () => {
    if (count++ < times) throw new StorageFull("no room");
  };
}

// The machine that runs the tests has a disk of more than 64 MB.
describe("the gate of a data directory", () => {
  test("has a reserve from the beginning, made of stored bytes, for its owner alone", () => {
    const gate = open();
    expect(reserve()).toBe(WHOLE);
    const { blocks, mode } = statSync(join(directory, RESERVE_FILE));
    expect(blocks * 512).toBeGreaterThanOrEqual(WHOLE);
    expect(mode & 0o777).toBe(0o600);
    expect(gate.refusal).toBeNull();
  });

  test("makes a reserve whole that is too small, and shortens one that is too large", () => {
    open();
    truncateSync(join(directory, RESERVE_FILE), 17);
    open();
    expect(reserve()).toBe(WHOLE);
    truncateSync(join(directory, RESERVE_FILE), WHOLE + 1);
    open();
    expect(reserve()).toBe(WHOLE);
  });

  test.each([[0, WHOLE, false], [1, WHOLE * 7 / 8, true], [3, WHOLE * 5 / 8, true], [8, 0, true]])(
    "gives up a step of the reserve each time that work finds no room: %d times",
    (times, left, isRefused) => {
      const gate = open();
      gate.attempt(fullFor(times));
      expect(reserve()).toBe(left);
      expect(gate.refusal?.code ?? null).toBe(isRefused ? "storage_full" : null);
    },
  );

  test("gives up after the last step, with what the work failed with", () => {
    const gate = open();
    expect(() => gate.attempt(fullFor(9))).toThrow(StorageFull);
    expect(reserve()).toBe(0);
  });

  test("leaves any other failure alone", () => {
    const gate = open();
    expect(() =>
      gate.attempt(() => {
        throw new Error("the disk is broken");
      })
    ).toThrow("the disk is broken");
    expect([reserve(), gate.refusal]).toEqual([WHOLE, null]);
  });

  test("opens again by itself, with a whole reserve, once there is room", async () => {
    const gate = open(5);
    gate.attempt(fullFor(2));
    expect(gate.refusal?.code).toBe("storage_full");
    await until(() => gate.refusal === null);
    expect(reserve()).toBe(WHOLE);
    gate.attempt(fullFor(1));
    expect(gate.refusal?.code).toBe("storage_full");
    await until(() => gate.refusal === null);
  });

  test("makes no room to start where there is some, or no reserve", () => {
    DiskGate.makeRoomToStart(directory);
    expect(existsSync(join(directory, RESERVE_FILE))).toBe(false);
    open();
    DiskGate.makeRoomToStart(directory);
    expect(reserve()).toBe(WHOLE);
    expect(statfsSync(directory).bavail).toBeGreaterThan(0);
  });
});

/** Has no room for so many writes. */
class FullJournal extends MemoryJournal {
  full = 0;

  override append(records: readonly JournalRecord[]): void {
    if (this.full-- > 0) throw new StorageFull("no room");
    super.append(records);
  }

  override saveCheckpoint(checkpoint: JournalCheckpoint): void {
    if (this.full-- > 0) throw new StorageFull("no room");
    super.saveCheckpoint(checkpoint);
  }
}

describe("a journal's writer", () => {
  const START = { lastNumber: 0, checkpointNumber: 0, checkpointParts: 0, checkpointRecords: 1 };

  test("commits everything noted, once, though there was no room at first", () => {
    const disk = new MemoryDisk();
    const store = new FullJournal(disk);
    const gate = open();
    const writer = new JournalWriter(store, { ...START, gate });
    writer.note({ kind: "advance", now: 1 });
    writer.note({ kind: "advance", now: 2 });
    store.full = 2;
    writer.commit();
    expect(disk.records.map(({ number, text }) => [number, text])).toEqual([
      [1, '{"kind":"advance","now":1}'],
      [2, '{"kind":"advance","now":2}'],
    ]);
    expect(writer.refusal?.code).toBe("storage_full");
  });

  test("puts a checkpoint off while there is no room, and keeps the calls", async () => {
    const disk = new MemoryDisk();
    const store = new FullJournal(disk);
    const gate = open(5);
    const writer = new JournalWriter(store, { ...START, gate });
    writer.note({ kind: "advance", now: 1 });
    writer.commit();
    expect(writer.checkpointDue).toBe(true);
    store.full = 1;
    expect(writer.saveCheckpoint([{ kind: "part" }])).toBe(false);
    expect([disk.checkpoint, disk.records.length, writer.checkpointDue, reserve()]).toEqual([null, 1, false, WHOLE]);
    await until(() => writer.checkpointDue);
    expect(writer.saveCheckpoint([{ kind: "part" }])).toBe(true);
    expect([disk.checkpoint?.upTo, disk.records.length, writer.checkpointDue]).toEqual([1, 0, false]);
    writer.close();
  });
});
