import { expect, test } from "bun:test";
import { chmodSync, fstatSync, mkdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { changeDurably, makePrivateDirectory, makePrivateFile } from "../../../engine/journal/private-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

test("only the owner can read a file, a new one or one that others could read; its content stays", () => {
  const path = join(temporaryDirectory(), "file");
  makePrivateFile(path);
  expect([modeOf(path), readFileSync(path, "utf8")]).toEqual([0o600, ""]);
  writeFileSync(path, "content");
  for (const mode of [0o644, 0o640, 0o604, 0o666]) {
    chmodSync(path, mode);
    makePrivateFile(path);
    expect([modeOf(path), readFileSync(path, "utf8")]).toEqual([0o600, "content"]);
  }
});

test("only the owner can read a new directory and its new parents; one that exists keeps its mode", () => {
  const parent = join(temporaryDirectory(), "parent");
  makePrivateDirectory(join(parent, "child"));
  expect([parent, join(parent, "child")].map(modeOf)).toEqual([0o700, 0o700]);
  const open = join(parent, "open");
  mkdirSync(open);
  chmodSync(open, 0o755);
  makePrivateDirectory(open);
  expect(modeOf(open)).toBe(0o755);
});

test("a file that was changed is closed, also if the change fails", () => {
  const path = join(temporaryDirectory(), "file");
  const opened: number[] = [];
  changeDurably(path, "a", (file) => {
    opened.push(file);
    writeSync(file, "one");
  });
  expect(() =>
    changeDurably(path, "r+", (file) => {
      opened.push(file);
      throw new Error("can't change");
    })
  ).toThrow("can't change");
  expect(readFileSync(path, "utf8")).toBe("one");
  // A number of a closed file may be another file's by now.
  const isStillOpen = (file: number) => {
    try {
      return fstatSync(file).ino === statSync(path).ino;
    } catch {
      return false;
    }
  };
  expect(opened.map(isStillOpen)).toEqual([false, false]);
});
