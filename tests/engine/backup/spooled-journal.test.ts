// The journal of a backup in text files, from the first line to the end of the files.

import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SpooledJournal } from "../../../engine/backup/spooled-journal.ts";
import { openFilesIn, TELLS_OPEN_FILES } from "../support/open-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("a spooled journal gives its header, parts and calls in their order, and leaves no file", () => {
  const directory = temporaryDirectory();
  const journal = new SpooledJournal(directory, '{"engineId":"M-1"}');
  // More than is written at once.
  const long = "x".repeat(1 << 19);
  const values = (kind: string) => Array.from({ length: 5 }, (_, number) => ({ kind, number, text: `${long}\n😀` }));
  for (const [at, part] of values("part").entries()) {
    journal.addPart(JSON.stringify(part));
    journal.addCall(JSON.stringify(values("call")[at]));
  }
  const content = journal.content(true);
  expect(content.header).toEqual({ engineId: "M-1" });
  expect([...content.parts ?? []]).toEqual(values("part"));
  expect([...content.records]).toEqual(values("call"));
  const files = readdirSync(directory).sort();
  expect(files).toEqual(["journal.sqlite-calls", "journal.sqlite-parts"]);
  for (const file of files) expect(statSync(join(directory, file)).mode & 0o77).toBe(0);
  journal.remove();
  expect(readdirSync(directory)).toEqual([]);
});

test.each([[true, []], [false, null]])("an empty one whose market has a checkpoint: %p has parts %p", (has, parts) => {
  const directory = temporaryDirectory();
  const journal = new SpooledJournal(directory, "{}");
  const content = journal.content(has);
  expect([content.parts && [...content.parts], [...content.records]]).toEqual([parts, []]);
  journal.remove();
});

test.skipIf(!TELLS_OPEN_FILES)("its files are open until they are deleted", () => {
  const directory = temporaryDirectory();
  const journal = new SpooledJournal(directory, "{}");
  expect(openFilesIn(directory)).toEqual(["journal.sqlite-calls", "journal.sqlite-parts"]);
  journal.remove();
  expect(openFilesIn(directory)).toEqual([]);
});
