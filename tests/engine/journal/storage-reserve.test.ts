// The reserve of disk space, on disks of all sizes: the test says what the file system answers.

import { beforeEach, describe, expect, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { RESERVE_FILE, StorageReserve } from "../../../engine/journal/storage-reserve.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const [KB, MB] = [1 << 10, 1 << 20];
const BLOCK = 4 * KB;

let directory: string;
/** Bytes of the file system, and those that are free for users. */
let disk: { size: number; free: number };

beforeEach(() => {
  directory = temporaryDirectory();
  disk = { size: 16 * MB, free: 16 * MB };
  const answer = () => ({ bsize: BLOCK, blocks: disk.size / BLOCK, bavail: disk.free / BLOCK, bfree: 1e9 });
  replaced(fs, "statfsSync", answer as never);
});

const left = () => fs.statSync(join(directory, RESERVE_FILE), { throwIfNoEntry: false })?.size ?? null;
const leave = (bytes: number) => fs.writeFileSync(join(directory, RESERVE_FILE), new Uint8Array(bytes));

function filled(): StorageReserve {
  const reserve = new StorageReserve(directory);
  expect(reserve.refill(0)).toBe(true);
  return reserve;
}

describe("the reserve of disk space", () => {
  test.each([
    [1 * MB, 256 * KB],
    [2 * MB, 256 * KB],
    [4 * MB, 512 * KB],
    [16 * MB, 2 * MB],
    [64 * MB, 8 * MB],
    [1000 * MB, 8 * MB],
  ])("on a disk of %d bytes has %d", (size, expected) => {
    disk = { size, free: 100 * MB };
    const reserve = new StorageReserve(directory);
    expect([reserve.size, reserve.isUsedUp, left()]).toEqual([expected, true, null]);
    expect(reserve.refill(0)).toBe(true);
    expect([reserve.isUsedUp, left()]).toEqual([false, expected]);
  });

  test("is given up in eight steps, and made whole again", () => {
    const reserve = filled();
    for (let steps = 1; steps <= 8; steps++) {
      expect(reserve.isUsedUp).toBe(false);
      reserve.giveUpStep();
      expect(left()).toBe(2 * MB - steps * 256 * KB);
    }
    expect(reserve.isUsedUp).toBe(true);
    reserve.giveUpStep();
    expect([reserve.isUsedUp, left()]).toEqual([true, 0]);
    expect([reserve.refill(0), reserve.isUsedUp, left()]).toEqual([true, false, 2 * MB]);
  });

  test.each([
    [0, 2 * MB, true],
    [0, 2 * MB - BLOCK, false],
    [MB, 3 * MB, true],
    [MB, 3 * MB - BLOCK, false],
  ])("is made whole if %d bytes stay free, with %d free: %p", (spare, free, isWhole) => {
    const reserve = new StorageReserve(directory);
    disk.free = free;
    expect([reserve.refill(spare), left()]).toEqual([isWhole, isWhole ? 2 * MB : null]);
  });

  test("needs free space only for what is missing of it, and nothing but the spare space if it is whole", () => {
    const reserve = filled();
    reserve.giveUpStep();
    disk.free = 256 * KB - BLOCK;
    expect([reserve.refill(0), left()]).toEqual([false, 2 * MB - 256 * KB]);
    disk.free = 256 * KB;
    expect([reserve.refill(0), left()]).toEqual([true, 2 * MB]);
    disk.free = 0;
    expect([reserve.refill(0), reserve.refill(1)]).toEqual([true, false]);
  });

  test.each([
    ["keeps what a former process left", MB, MB],
    ["is shortened to what this disk takes", 3 * MB, 2 * MB],
  ])("%s", (_, before, after) => {
    leave(before);
    const reserve = new StorageReserve(directory);
    expect([left(), reserve.isUsedUp]).toEqual([after, false]);
    expect([reserve.refill(0), left()]).toEqual([true, 2 * MB]);
  });

  test.each<[string, boolean]>([["ENOSPC", true], ["EDQUOT", true], ["EIO", false]])(
    "gives up all of it if it can't be written: %s",
    (code, isFull) => {
      const reserve = filled();
      reserve.giveUpStep();
      replaced(fs, "writeSync", () => {
        throw Object.assign(new Error(code), { code });
      });
      if (isFull) expect(reserve.refill(0)).toBe(false);
      else expect(() => reserve.refill(0)).toThrow(code);
      expect([reserve.isUsedUp, left()]).toEqual([true, 0]);
    },
  );
});

describe("a start on a full disk", () => {
  const NEEDED = 128 * KB;

  test.each([
    ["takes an eighth of a large reserve", 8 * MB, 0, 7 * MB],
    ["takes what it needs of a small one", 512 * KB, NEEDED - BLOCK, 512 * KB - NEEDED],
    ["takes all of less", 100 * KB, 0, 0],
    ["takes nothing if enough is free", 8 * MB, NEEDED, 8 * MB],
    ["takes nothing of an empty one", 0, 0, 0],
  ])("%s", (_, before, free, after) => {
    leave(before);
    disk.free = free;
    StorageReserve.freeSpaceToStart(directory);
    expect(left()).toBe(after);
  });

  test("makes no reserve", () => {
    disk.free = 0;
    StorageReserve.freeSpaceToStart(directory);
    expect(left()).toBeNull();
  });
});
