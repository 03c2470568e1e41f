import { beforeEach, expect, test } from "bun:test";
import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtExecutable } from "./built-executable.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let root: string;

/** Sources that are a minute old, and a build script that records how often it ran. */
beforeEach(async () => {
  root = temporaryDirectory();
  const sources = ["main.ts", "core/market/book.ts", "core/market/left.ts"];
  for (const path of sources) await Bun.write(join(root, path), "");
  await Bun.write(
    join(root, "scripts/build.ts"),
    `const builds = await Bun.file("dist/mkt").text().catch(() => "");
     await Bun.write("dist/mkt", builds + "built ");`,
  );
  for (const path of [...sources, "core/market", "core"]) await age(path, 60);
});

async function age(path: string, seconds: number): Promise<void> {
  const then = Date.now() / 1000 - seconds;
  await utimes(join(root, path), then, then);
}

/** Builds if needed, and returns how often it was built so far. */
async function builds(): Promise<number> {
  const text = await Bun.file(builtExecutable(root)).text();
  return text.trim().split(" ").length;
}

test("builds a missing executable once", async () => {
  expect(await builds()).toBe(1);
  expect(await builds()).toBe(1);
});

test("builds again if a source is newer or equally old", async () => {
  expect(await builds()).toBe(1);
  const { lastModified } = Bun.file(join(root, "dist/mkt"));
  await utimes(join(root, "core/market/book.ts"), lastModified / 1000, lastModified / 1000);
  await utimes(join(root, "dist/mkt"), lastModified / 1000, lastModified / 1000);
  expect(await builds()).toBe(2);
  await age("dist/mkt", 30);
  await age("core/market/book.ts", 29);
  expect(await builds()).toBe(3);
});

test("builds again if a source was removed", async () => {
  expect(await builds()).toBe(1);
  await age("dist/mkt", 30);
  await rm(join(root, "core/market/left.ts"));
  expect(await builds()).toBe(2);
});

test("throws the output of a build that fails", async () => {
  await writeFile(join(root, "scripts/build.ts"), `throw new Error("no such module");`);
  expect(() => builtExecutable(root)).toThrow(/out of date.*no such module/s);
});
