// Lines in a file that may be moved away, be missing, or be longer than the buffer.

import { expect, test } from "bun:test";
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
