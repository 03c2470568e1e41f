// The lock of an upgrade, and which files of the old journal go.

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exclusiveLock } from "../../../engine/journal/exclusive-lock.ts";
import {
  beginDraft,
  copyOldFiles,
  filesToRemove,
  removeLeftovers,
  withUpgradeLock,
} from "../../../engine/journal/upgrades/upgrade-files.ts";
import { openFilesIn, TELLS_OPEN_FILES } from "../support/open-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("the lock of an upgrade", () => {
  test.each([[false], [true]])("is held during the work, and is given back, also if the work fails: %p", (fails) => {
    const directory = temporaryDirectory();
    const lock = join(directory, "upgrade.lock");
    const work = () => {
      expect(() => exclusiveLock(lock)).toThrow("locked");
      if (fails) throw new Error("the work failed");
      return "done";
    };
    for (let time = 0; time < 2; time++) {
      if (fails) expect(() => withUpgradeLock(directory, work)).toThrow("the work failed");
      else expect(withUpgradeLock(directory, work)).toBe("done");
      expect(existsSync(lock)).toBe(false);
      if (TELLS_OPEN_FILES) expect(openFilesIn(directory)).toEqual([]);
    }
  });

  test("is left alone if another process has it", () => {
    const directory = temporaryDirectory();
    const held = exclusiveLock(join(directory, "upgrade.lock"));
    expect(() => withUpgradeLock(directory, () => expect.unreachable())).toThrow("locked");
    expect(existsSync(join(directory, "upgrade.lock"))).toBe(true);
    held.close();
    if (TELLS_OPEN_FILES) expect(openFilesIn(directory)).toEqual([]);
  });
});

describe("a draft", () => {
  test("has copies of the old files that exist, and in place of an old draft nothing else", () => {
    const directory = temporaryDirectory();
    for (const file of ["a", "b"]) writeFileSync(join(directory, file), file);
    const folder = beginDraft(directory);
    writeFileSync(join(folder, "left"), "over");
    copyOldFiles(directory, ["a", "b", "missing"]);
    const draft = join(directory, "upgrade.draft");
    expect(readdirSync(join(draft, "old")).toSorted()).toEqual(["a", "b"]);
    expect([beginDraft(directory), readdirSync(folder), readdirSync(join(draft, "old"))]).toEqual([folder, [], []]);
    writeFileSync(join(directory, "upgrade.lock"), "");
    removeLeftovers(directory);
    expect(readdirSync(directory).toSorted()).toEqual(["a", "b"]);
  });

  test("lets those files of the old journal go that exist and have no successor", () => {
    const directory = temporaryDirectory();
    const [old, added] = [["journal.sqlite", "journal.sqlite-wal", "checkpoint-7"], ["journal.sqlite", "checkpoint-9"]];
    for (const file of [...old, "audit.sqlite", "tokens"]) writeFileSync(join(directory, file), "");
    const folder = beginDraft(directory);
    for (const file of added) writeFileSync(join(folder, file), "");
    expect(filesToRemove(directory).toSorted()).toEqual(["checkpoint-7", "journal.sqlite-wal"]);
  });
});
