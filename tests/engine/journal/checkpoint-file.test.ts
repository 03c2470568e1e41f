import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CheckpointDamage, readCheckpointFile, writeCheckpointFile } from "../../../engine/journal/checkpoint-file.ts";
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
