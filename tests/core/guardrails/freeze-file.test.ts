import { beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FreezeFile } from "../../../core/guardrails/freeze-file.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let folder: string;
let file: FreezeFile;

beforeEach(() => {
  folder = temporaryDirectory();
  file = new FreezeFile(join(folder, "freeze"));
});

describe("a freeze file", () => {
  test("has the reason as its text and the time of the freeze as its modification time", () => {
    const before = Date.now();
    file.freeze("prices look wrong");
    const freeze = file.read();
    expect(freeze?.reason).toBe("prices look wrong");
    expect(Date.parse(freeze?.since ?? "")).toBeGreaterThanOrEqual(before - 1000);
  });

  test("that is empty freezes without a reason", () => {
    writeFileSync(file.path, "");
    expect(file.read()).toMatchObject({ reason: null });
  });

  test("is written atomically: no other file remains, even if it was frozen before", () => {
    file.freeze("first");
    file.freeze("second");
    expect(file.read()?.reason).toBe("second");
    expect(readdirSync(folder)).toEqual(["freeze"]);
  });

  test("is removed by a thaw, which says whether it was frozen", () => {
    file.freeze("");
    expect(file.thaw()).toBe(true);
    expect(file.read()).toBeNull();
    expect(file.thaw()).toBe(false);
  });

  test("of any size gives a reason of at most 1000 bytes", () => {
    writeFileSync(file.path, "x".repeat(5_000_000));
    expect(file.read()?.reason).toHaveLength(1000);
  });

  test("whose folder is not there is neither frozen nor thawed, and says so", () => {
    const lost = new FreezeFile(join(folder, "nowhere", "freeze"));
    expect(() => lost.thaw()).toThrow(/^still frozen: .*its folder is not there; mend that, or correct the variable$/);
  });

  test.each<[string, string, string]>([
    ["its folder is not there", "nowhere/freeze", "no such file or folder"],
    ["a part of its path is a file", "plain/freeze", "part of the path is not a folder"],
    ["a folder is in its place", "folder", "it is a folder"],
  ])("is not written if %s: the message says why and what to do, and nothing is left", (_what, name, why) => {
    writeFileSync(join(folder, "plain"), "");
    mkdirSync(join(folder, "folder"));
    const path = join(folder, name);
    expect(() => new FreezeFile(path).freeze("now")).toThrow(
      `NOT frozen: ${path} can't be written: ${why}; mend that, or correct MKT_FREEZE_FILE`,
    );
    expect(readdirSync(folder).toSorted()).toEqual(["folder", "plain"]);
  });
});

describe("a file that can't be read counts as frozen, and says so:", () => {
  test.each<[string, string, () => void]>([
    ["a folder in its place", "freeze", () => mkdirSync(file.path)],
    ["a link that leads nowhere", "freeze", () => symlinkSync(join(folder, "nowhere"), file.path)],
    ["a link to itself", "freeze", () => symlinkSync(file.path, file.path)],
    ["a folder that is not there", "gone/freeze", () => {}],
    ["a file where its folder should be", "plain/freeze", () => writeFileSync(join(folder, "plain"), "")],
  ])("%s", (_name, path, arrange) => {
    arrange();
    const freeze = new FreezeFile(join(folder, path)).read();
    expect(freeze?.reason).toContain("counts as frozen");
    expect(freeze?.since).toBeNull();
  });
});
