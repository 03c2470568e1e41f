import { expect, test } from "bun:test";
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  CheckpointDamage,
  damagedCopies,
  linesOf,
  readCheckpointFile,
  replaceByCopy,
  writeCheckpointFile,
} from "../../../engine/journal/checkpoint-file.ts";
import { StorageFull } from "../../../engine/journal/journal.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HEADER = 7;
const PARTS = ["one", "two", "three", "four"];

/** A file of four parts. `damage` changes one of them in one copy. */
function written() {
  const directory = temporaryDirectory();
  const described = writeCheckpointFile(directory, "file", PARTS, HEADER);
  const damage = (name: "file" | "file.copy", part: string) => {
    const path = join(directory, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(part, part.toUpperCase()));
  };
  return { read: (header = HEADER) => readCheckpointFile(directory, described, header), damage };
}

test.each(PARTS)("a file whose part %s is damaged gives each part once, the rest from its copy", (part) => {
  const { read, damage } = written();
  damage("file", part);
  expect([...read()]).toEqual(PARTS);
  damage("file.copy", "four");
  const given: string[] = [];
  expect(() => {
    for (const each of read()) given.push(each);
  }).toThrow(CheckpointDamage);
  expect(given).toEqual(PARTS.slice(0, 3));
});

test("a file is of one journal alone", () => {
  expect([...written().read()]).toEqual(PARTS);
  expect(() => [...written().read(HEADER + 1)]).toThrow("part 1 of the checkpoint has the wrong checksum");
});

/** How many files of a directory this process has open. Linux tells. */
function openFilesIn(directory: string): number {
  return readdirSync("/proc/self/fd").filter((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`).startsWith(directory);
    } catch {
      return false;
    }
  }).length;
}

test("an open file is read also after it has lost its name, and stays open", () => {
  const directory = temporaryDirectory();
  const described = writeCheckpointFile(directory, "file", PARTS, HEADER);
  const handle = openSync(join(directory, "file"), "r");
  for (const name of ["file", "file.copy"]) rmSync(join(directory, name));
  for (let time = 0; time < 2; time++) {
    expect([...readCheckpointFile(directory, described, HEADER, handle)]).toEqual(PARTS);
    expect(fstatSync(handle).isFile()).toBe(true);
  }
  closeSync(handle);
});

test.skipIf(process.platform !== "linux")(
  "whoever writes and reads a file leaves nothing open, also if it stops early",
  () => {
    const directory = temporaryDirectory();
    const described = writeCheckpointFile(directory, "file", PARTS, HEADER);
    expect([...readCheckpointFile(directory, described, HEADER)]).toEqual(PARTS);
    expect([...readCheckpointFile(directory, described, HEADER).take(1)]).toEqual(["one"]);
    expect(damagedCopies(directory, described, HEADER)).toEqual([]);
    expect(openFilesIn(directory)).toBe(0);
  },
);

test.each([
  ["ENOSPC", true],
  ["EDQUOT", true],
  ["EFBIG", true],
  ["EIO", false],
])("a file that can't be written for %s is deleted, with its copy; a full disk: %p", (code, isFull) => {
  const directory = temporaryDirectory();
  const parts = function* () {
    yield "one";
    throw Object.assign(new Error("can't write"), { code });
  };
  let thrown: unknown;
  try {
    writeCheckpointFile(directory, "file", parts(), HEADER);
  } catch (error) {
    thrown = error;
  }
  expect([thrown instanceof StorageFull, (thrown as Error).message]).toEqual([isFull, "can't write"]);
  expect(readdirSync(directory)).toEqual([]);
});

test.each(["file", "file.copy"])("a damaged or lost %s is named, and replaced by the other copy", (name) => {
  const directory = temporaryDirectory();
  const described = writeCheckpointFile(directory, "file", PARTS, HEADER);
  const faults = () => damagedCopies(directory, described, HEADER);
  const path = join(directory, name);
  const whole = readFileSync(path, "utf8");
  for (
    const [text, fault] of [
      [whole.replace("three", "four"), "is damaged: part 3 of the checkpoint has the wrong checksum"],
      [
        whole.slice(0, whole.lastIndexOf("\n", whole.length - 2) + 1),
        "is damaged: the checkpoint has 3 parts instead of 4",
      ],
      ["", "is damaged: the checkpoint has 0 parts instead of 4"],
      [`${whole}1 more\n`, "is damaged: part 5 of the checkpoint has the wrong checksum"],
      [null, "is missing"],
    ] as const
  ) {
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
    expect(faults()).toEqual([{ file: name, fault }]);
    replaceByCopy(directory, name);
    expect([faults(), readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual([[], whole, 0o600]);
  }
});

test("the lines of a file are whole, however long they are, and the last needs no line break", () => {
  const path = join(temporaryDirectory(), "file");
  const lines = ["short", "é".repeat(1_500_000), "", "x".repeat((1 << 20) - 1), "end"];
  writeFileSync(path, lines.join("\n"));
  // The comparison of long texts prints them.
  const read = [...linesOf(path)];
  expect(read.map((line, at) => line === lines[at])).toEqual(lines.map(() => true));
  writeFileSync(path, "one\ntwo\n");
  expect([...linesOf(path)]).toEqual(["one", "two"]);
  writeFileSync(path, "");
  expect([...linesOf(path)]).toEqual([]);
});
