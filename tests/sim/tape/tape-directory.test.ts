// The files of a tape: when rows are on disk, what a full disk leaves and says, and what a run that does not begin leaves.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as files from "node:fs";
import { join } from "node:path";
import { CsvTable } from "../../../sim/tape/csv-table.ts";
import { OutputFile } from "../../../sim/tape/output-file.ts";
import { TapeDirectory } from "../../../sim/tape/tape-directory.ts";
import { TABLE_NAMES, toAll } from "../../../sim/tape/tables.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const directory = temporaryDirectory();
let folders = 0;
const newPath = () => join(directory, `tape-${folders += 1}`);
const NOON = Date.parse("2026-03-02T12:00:00Z");
const spot = (time: number) => [time, "NORTH", 5, "base"];

test("rows of a table are on disk once there are 64 KB of them, and all at its end", () => {
  const path = join(directory, "rows.csv");
  const table = new CsvTable(path, { name: "text" });
  const size = () => readFileSync(path, "utf8").length;
  const row = "x".repeat(1_023);
  // The header takes 5 characters.
  for (let count = 1; count < 64; count++) table.append([row]);
  expect([size(), table.writtenRows]).toEqual([0, 0]);
  table.append([row]);
  expect([size(), table.writtenRows]).toEqual([5 + 64 * 1_024, 64]);
  table.append([row]);
  expect(table.writtenRows).toBe(64);
  table.close();
  expect([size(), table.writtenRows]).toEqual([5 + 65 * 1_024, 65]);
});

test("a file is written as a whole, also if the system takes a part at a time", () => {
  const path = join(directory, "parts");
  const { writeSync } = files;
  replaced(files, "writeSync", ((file: number, bytes: Uint8Array) => writeSync(file, bytes.subarray(0, 3))) as never);
  const file = new OutputFile(path);
  file.write(Buffer.from("0123456789"));
  file.write(Buffer.from(""));
  file.close();
  expect(readFileSync(path, "utf8")).toBe("0123456789");
  expect(() => new OutputFile(path)).toThrow("EEXIST");
});

test("the description of a run comes last, with the number of rows of each table", () => {
  const path = newPath();
  const tape = new TapeDirectory(path, "csv");
  const both = toAll([tape, tape]);
  both.append("spot", NOON, spot(NOON));
  expect(existsSync(join(path, "run.json"))).toBe(false);
  tape.finish({ seed: 3 }, { totals: 1 });
  const rows = Object.fromEntries(TABLE_NAMES.map((name) => [name, name === "spot" ? 2 : 0]));
  expect(JSON.parse(readFileSync(join(path, "run.json"), "utf8"))).toEqual({ seed: 3, format: "csv", rows });
  expect(readFileSync(join(path, "report.json"), "utf8")).toBe('{"totals":1}\n');
  const sizes = TABLE_NAMES.map((name) => readFileSync(join(path, `${name}.csv`)).length);
  expect(tape.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  expect(() => new TapeDirectory(path, "parquet")).toThrow("holds a tape already (run.json)");
});

test("a run that does not begin leaves no file, and no folder but one that was there before", () => {
  const made = newPath();
  new TapeDirectory(made, "csv").discard();
  expect(existsSync(made)).toBe(false);
  const before = newPath();
  mkdirSync(before);
  writeFileSync(join(before, "notes.txt"), "kept");
  new TapeDirectory(before, "parquet").discard();
  expect(readdirSync(before)).toEqual(["notes.txt"]);
});

test("a disk that is full is told with the file, the market time, and the rows of each table that are on disk", () => {
  const path = newPath();
  const tape = new TapeDirectory(path, "csv");
  tape.append("spot", NOON, spot(NOON));
  replaced(OutputFile.prototype, "write", () => {
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  const long = "x".repeat(70_000);
  expect(() => tape.append("spot", NOON + 1, [NOON + 1, long, 5, "base"])).toThrow(
    `tape ${path}: spot.csv can't be written at 2026-03-02T12:00:00.001Z of market time: `,
  );
  const rest = TABLE_NAMES.map((name) => `${name} 0`).join(", ");
  expect(() => tape.finish({}, {})).toThrow(`the tape is incomplete, with these rows on disk: ${rest}`);
  expect(existsSync(join(path, "run.json"))).toBe(false);
  const empty = newPath();
  expect(() => new TapeDirectory(empty, "csv").finish({}, {})).toThrow(
    /trades\.csv can't be written: .*; the tape is incomplete/,
  );
});
