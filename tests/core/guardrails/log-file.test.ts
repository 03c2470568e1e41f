// Lines in a file that may be moved away, be missing, or be longer than the buffer.

import { expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LogFile } from "../../../core/guardrails/log-file.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

function logFile() {
  const path = join(temporaryDirectory(), "calls.log");
  return { path, file: new LogFile(path), text: (at = path) => readFileSync(at, "utf8") };
}

test("lines of any length and script are each in the file at once, whole and in order", () => {
  const { file, text } = logFile();
  const lines = [
    "one",
    "",
    "ä€𝄞",
    "x".repeat(1364),
    "y".repeat(1365),
    "€".repeat(1365),
    "€".repeat(1366),
    "z".repeat(5000),
    "last",
  ];
  for (const [index, line] of lines.entries()) {
    file.append(line, 1);
    expect(text()).toBe(lines.slice(0, index + 1).map((each) => `${each}\n`).join(""));
  }
  file.close();
});

test("a file that is opened is there, readable by its owner only, and keeps what it has", () => {
  const { path, file, text } = logFile();
  file.open();
  expect([existsSync(path), statSync(path).mode & 0o777]).toEqual([true, 0o600]);
  file.append("one", 1);
  file.open();
  file.close();
  file.close();
  file.append("two", 1);
  expect(text()).toBe("one\ntwo\n");
  file.close();
});

test.each(["moved", "removed"])("once the file is %s, lines of later milliseconds go to a new one", (what) => {
  const { path, file, text } = logFile();
  file.append("one", 1);
  if (what === "moved") renameSync(path, `${path}.1`);
  else rmSync(path);
  file.append("same", 1);
  expect(existsSync(path)).toBe(false);
  file.append("two", 2);
  file.append("three", 3);
  expect(text()).toBe("two\nthree\n");
  if (what === "moved") expect(text(`${path}.1`)).toBe("one\nsame\n");
  file.close();
});

test("lines go to the file that another one was put in the place of", () => {
  const { path, file, text } = logFile();
  file.append("one", 1);
  renameSync(path, `${path}.1`);
  writeFileSync(path, "new\n");
  file.append("two", 2);
  expect([text(), text(`${path}.1`)]).toEqual(["new\ntwo\n", "one\n"]);
  file.close();
});

test("a line that can't be written is an error, and the next ones are written once they can be", () => {
  const directory = join(temporaryDirectory(), "later");
  const file = new LogFile(join(directory, "calls.log"));
  expect(() => file.append("one", 1)).toThrow("ENOENT");
  expect(() => file.open()).toThrow("ENOENT");
  mkdirSync(directory);
  file.append("two", 1);
  expect(readFileSync(file.path, "utf8")).toBe("two\n");
  file.close();
});

/** Writes at most `most` bytes at a time, and fails once none of `room` are left. */
function onSmallDisk(most: number, room: number, write: () => void): number {
  const real = fs.writeSync.bind(fs);
  let [left, writes] = [room, 0];
  const partly = (descriptor: number, bytes: Uint8Array, offset: number, length: number) => {
    if (left === 0) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    const written = real(descriptor, bytes, offset, Math.min(length, most, left));
    left -= written;
    writes += 1;
    return written;
  };
  const disk = spyOn(fs, "writeSync").mockImplementation(partly as never);
  try {
    write();
  } finally {
    disk.mockRestore();
  }
  return writes;
}

test.each(["short", "x".repeat(5_000)])("a line of which the disk takes a part at a time is whole", (line) => {
  const { file, text } = logFile();
  const writes = onSmallDisk(Math.floor(line.length / 2), Infinity, () => file.append(line, 1));
  expect([text(), writes]).toEqual([`${line}\n`, 3]);
  onSmallDisk(1, Infinity, () => file.append("two", 1));
  expect(text()).toBe(`${line}\ntwo\n`);
  file.close();
});

test("a line that the disk takes only the beginning of is an error, and the next one goes to the path again", () => {
  const { path, file, text } = logFile();
  file.append("one", 1);
  expect(() => onSmallDisk(2, 3, () => file.append("second", 1))).toThrow("ENOSPC");
  expect(text()).toBe("one\nsec");
  // Of the same millisecond: only a path that is opened again leads to the new file.
  renameSync(path, `${path}.1`);
  file.append("three", 1);
  expect([text(), text(`${path}.1`)]).toEqual(["three\n", "one\nsec"]);
  file.close();
});
