import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { UsageError } from "../../../../common/command-line.ts";
import * as privateFiles from "../../../../engine/journal/private-files.ts";
import { MarketIdentity } from "../../../../engine/server/recovery/market-identity.ts";
import { replaced } from "../../../support/replaced.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

let [folder, directory, path] = ["", "", ""];
beforeEach(() => {
  folder = temporaryDirectory();
  [directory, path] = [join(folder, "data"), join(folder, "market")];
});

describe("the identity of a market", () => {
  test.each([["data/market"], ["data/deep/market"], ["data"], ["data/..market"], ["other/../data/market"]])(
    "is not kept in the directory itself: %s",
    (name) => {
      const file = `${folder}/${name}`;
      expect(() => new MarketIdentity(file, directory)).toThrow(
        new UsageError(`--identity: ${file} would be lost together with ${directory}; name another`),
      );
      expect(() => new MarketIdentity(relative(process.cwd(), file), relative(process.cwd(), directory))).toThrow(
        UsageError,
      );
    },
  );

  test.each([["market"], ["data2"], ["data-market"], ["data/../market"], ["other/market"]])(
    "may be kept beside it: %s",
    (name) => {
      new MarketIdentity(`${folder}/${name}`, directory).check(directory, null);
      expect(existsSync(`${folder}/${name}`)).toBe(false);
    },
  );

  test.each<[string, string | null]>([["none", null], ["an empty one", ""], ["a blank one", " \n"]])(
    "is any market's, or none's, without a file: %s",
    (_, content) => {
      if (content !== null) writeFileSync(path, content);
      const identity = new MarketIdentity(path, directory);
      for (const found of [null, "M-1"]) identity.check(directory, found);
      identity.remember("M-1");
      expect(readFileSync(path, "utf8")).toStartWith("M-1\n");
      if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    },
  );

  test("is that of the file, without the space around it", () => {
    writeFileSync(path, " M-1\n\n");
    const identity = new MarketIdentity(path, directory);
    identity.check(directory, "M-1");
    const advice = (instead: string) =>
      `and ${path} expects M-1: name the directory of M-1, mount it, or restore a backup of it; ` +
      `to ${instead} instead, delete ${path}`;
    expect(() => identity.check("DIR", "M-2")).toThrow(
      new UsageError(`DIR holds the market M-2, ${advice("serve M-2")}`),
    );
    expect(() => identity.check("DIR", null)).toThrow(
      new UsageError(`DIR holds no market, ${advice("begin a new market")}`),
    );
  });

  test("is written once, durably, and not again", () => {
    const writes = replaced(privateFiles, "changeDurably", () => {});
    new MarketIdentity(path, directory).remember("M-1");
    expect(writes.map(([file, flags]) => [file, flags])).toEqual([[path, "r+"]]);
    writeFileSync(path, "M-1");
    new MarketIdentity(path, directory).remember("M-1");
    expect([writes.length, readFileSync(path, "utf8")]).toEqual([1, "M-1"]);
  });

  test("that can't be read or written is named in one line", () => {
    mkdirSync(path);
    expect(() => new MarketIdentity(path, directory)).toThrow(
      new UsageError(`--identity: ${path} can't be read: it is a folder`),
    );
    const other = join(folder, "missing", "market");
    expect(() => new MarketIdentity(other, directory).remember("M-1")).toThrow(
      `--identity: ${other} can't be written: no such file or folder`,
    );
  });
});
