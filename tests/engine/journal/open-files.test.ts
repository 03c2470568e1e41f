import { beforeEach, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OpenFiles } from "../../../engine/journal/open-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let [directory, aside] = ["", ""];
beforeEach(() => {
  const folder = temporaryDirectory();
  [directory, aside] = [join(folder, "data"), join(folder, "aside")];
  make();
});

function make(): void {
  mkdirSync(directory);
  for (const name of ["journal", "log"]) writeFileSync(join(directory, name), "");
}

const opened = () => new OpenFiles(directory, () => ["journal", "log"]);

test("files that stay in their place are without fault, also if they grow", () => {
  const files = opened();
  writeFileSync(join(directory, "log"), "longer");
  expect(files.fault()).toBeNull();
});

test.each([
  ["a deleted file", () => rmSync(join(directory, "log")), "log is missing"],
  ["a moved file", () => renameSync(join(directory, "journal"), aside), "journal is missing"],
  [
    "a file in place of another",
    () => renameSync(join(directory, "journal"), join(directory, "log")),
    "journal is missing",
  ],
  ["a deleted directory", () => rmSync(directory, { recursive: true }), "the directory is missing"],
  ["another directory with files of the same names", () => {
    renameSync(directory, aside);
    make();
  }, "the directory is another one"],
  ["a copy in place of a file", () => {
    renameSync(join(directory, "log"), aside);
    writeFileSync(join(directory, "log"), "");
  }, "log is another one"],
  ["a file in place of the directory's parent", () => {
    const parent = join(directory, "..");
    rmSync(parent, { recursive: true });
    writeFileSync(parent, "");
  }, "the directory can't be looked at: part of the path is not a folder"],
])("%s is a fault", (_, harm, fault) => {
  const files = opened();
  expect(files.fault()).toBeNull();
  harm();
  expect(files.fault()).toBe(fault);
  expect(files.fault()).toBe(fault);
});

test("a file that comes later is known from then on", () => {
  rmSync(join(directory, "log"));
  const files = opened();
  expect(files.fault()).toBeNull();
  writeFileSync(join(directory, "log"), "");
  expect(files.fault()).toBeNull();
  rmSync(join(directory, "log"));
  expect(files.fault()).toBe("log is missing");
});

test("a directory that is back in its place is without fault", () => {
  const files = opened();
  renameSync(directory, aside);
  expect(files.fault()).toBe("the directory is missing");
  renameSync(aside, directory);
  expect(files.fault()).toBeNull();
});
