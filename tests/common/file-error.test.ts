import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const folder = temporaryDirectory();

function reasonFor(path: string): string {
  try {
    readFileSync(path);
  } catch (error) {
    return fileErrorReason(error);
  }
  return "read";
}

test("says in words why a file can't be read", () => {
  expect(reasonFor(join(folder, "none"))).toBe("no such file or folder");
  expect(reasonFor(folder)).toBe("it is a folder");
  expect(reasonFor("/dev/null/x")).toBe("part of the path is not a folder");
});

test("any other reason is one line", () => {
  expect(fileErrorReason(new Error("the disk\n is gone "))).toBe("the disk is gone");
  expect(() => fileErrorReason("thrown")).toThrow("thrown");
});
