// Changes of folders that another process may make at the same time: which failures mean that it was faster, and which do not.

import { describe, expect, test } from "bun:test";
import * as files from "node:fs";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, putFolder, removeIfEmpty, syncFile } from "../../../sim/study/shared-files.ts";
import { endedWorkFolders, newWorkFolder } from "../../../sim/study/work-folder.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const directory = temporaryDirectory();
let names = 0;
const newPath = () => join(directory, `${names += 1}`);
const failure = (code: string) => Object.assign(new Error(code), { code });

function folder(content: string): string {
  const path = newPath();
  mkdirSync(path);
  writeFileSync(join(path, content), content);
  return path;
}

describe("a folder", () => {
  test("is made once, without its parents, and is removed only if it is empty", () => {
    const path = newPath();
    makeFolder(path);
    makeFolder(path);
    expect(() => makeFolder(join(path, "a", "b"))).toThrow("ENOENT");
    writeFileSync(join(path, "file"), "");
    removeIfEmpty(path);
    expect(readdirSync(path)).toEqual(["file"]);
    const empty = newPath();
    makeFolder(empty);
    removeIfEmpty(empty);
    removeIfEmpty(empty);
    expect(files.existsSync(empty)).toBe(false);
    expect(() => removeIfEmpty(join(path, "file"))).toThrow("ENOTDIR");
    expect(() => syncFile(join(path, "nothing"))).toThrow("ENOENT");
    syncFile(join(path, "file"));
  });

  test("is put in the place of another, of which nothing is left, nor of what was replaced before", () => {
    const [made, target, old] = [folder("new"), folder("old"), folder("older")];
    putFolder(made, target, old);
    expect([readdirSync(target), files.existsSync(made), files.existsSync(old)]).toEqual([["new"], false, false]);
    const place = newPath();
    putFolder(target, place, old);
    expect(readdirSync(place)).toEqual(["new"]);
  });

  test.each(["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"])("is put again if another process was faster: %s", (code) => {
    const [made, target] = [folder("new"), folder("old")];
    const { renameSync } = files;
    let failures = 3;
    replaced(files, "renameSync", (from, to) => {
      if (failures-- > 0) throw failure(code);
      renameSync(from, to);
    });
    putFolder(made, target, newPath());
    expect(readdirSync(target)).toEqual(["new"]);
  });

  test("is not put for ever, and not again after another failure", () => {
    const [made, target] = [folder("new"), folder("old")];
    const attempts = replaced(files, "renameSync", () => {
      throw failure("ENOTEMPTY");
    });
    expect(() => putFolder(made, target, newPath())).toThrow("ENOTEMPTY");
    expect(attempts).toHaveLength(100);
    const others = replaced(files, "renameSync", () => {
      throw failure("EACCES");
    });
    others.length = 0;
    expect(() => putFolder(made, target, newPath())).toThrow("EACCES");
    expect(others).toHaveLength(1);
  });
});

describe("the work folder of a process", () => {
  test("is one of its own, made again if another process removes its parent meanwhile, but not for ever", () => {
    const parent = newPath();
    const [one, other] = [newWorkFolder(parent), newWorkFolder(parent)];
    expect(one).not.toBe(other);
    expect(readdirSync(parent)).toHaveLength(2);
    const { mkdtempSync } = files;
    let failures = 2;
    const attempts = replaced(
      files,
      "mkdtempSync",
      ((prefix: string) => {
        if (failures-- > 0) throw failure("ENOENT");
        return mkdtempSync(prefix);
      }) as never,
    );
    expect(files.existsSync(newWorkFolder(parent))).toBe(true);
    expect(attempts).toHaveLength(3);
    failures = Infinity;
    expect(() => newWorkFolder(parent)).toThrow("ENOENT");
    expect(attempts).toHaveLength(103);
    replaced(
      files,
      "mkdtempSync",
      (() => {
        throw failure("EACCES");
      }) as never,
    );
    expect(() => newWorkFolder(parent)).toThrow("EACCES");
  });

  test("has ended with its process, unless the process is another user's or another machine's", () => {
    const parent = newPath();
    const own = newWorkFolder(parent);
    const [machine] = own.slice(parent.length + 1).split("-") as [string];
    const ofProcess = (pid: number) => `${machine}-${pid}-abc`;
    for (const name of [ofProcess(11), ofProcess(12), ofProcess(13), "other-11-abc", "text"]) {
      mkdirSync(join(parent, name));
    }
    replaced(
      process,
      "kill",
      ((pid: number) => {
        if (pid === 11) throw failure("ESRCH");
        if (pid === 12) throw failure("EPERM");
        return true;
      }) as never,
    );
    expect(endedWorkFolders(parent)).toEqual([join(parent, ofProcess(11))]);
  });
});
