import { expect, test } from "bun:test";
import { join } from "node:path";
import { runTests } from "../../scripts/test-run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const GOOD = `import { test } from "bun:test"; test("holds", () => {}); test.skip("later", () => {});`;
const BROKEN = `import { test } from "bun:test"; test("fails", () => { throw new Error("always"); });`;

/** Fails the first time. */
const UNSTEADY = `import { test } from "bun:test"; import { existsSync, writeFileSync } from "node:fs";
test("fails once", () => {
  if (existsSync("been-here")) return;
  writeFileSync("been-here", "");
  throw new Error("the first time");
});`;

/** Its timer is set again and again, also after the file's end. */
const LEAVES_TIMER = `import { test } from "bun:test";
test("leaves a timer", () => { const again = () => void setTimeout(again, 0); again(); });`;

const STOPS_CLOCK = `import { expect, jest, test } from "bun:test";
test("counts timers", async () => {
  jest.useFakeTimers();
  for (let turn = 0; turn < 200; turn += 1) await Bun.file(import.meta.path).text();
  expect(jest.getTimerCount()).toBe(0);
});`;

async function outcomeOf(files: Readonly<Record<string, string>>, workers = 2) {
  const cwd = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) await Bun.write(join(cwd, name), text);
  return await runTests({ paths: ["."], workers, cwd, output: "ignore" });
}

test("counts what passed and what was skipped", async () => {
  expect(await outcomeOf({ "a.test.ts": GOOD, "b.test.ts": GOOD })).toEqual({
    isFine: true,
    unsteady: [],
    counts: "2 passed, 0 failed, 2 skipped",
  });
});

test("names a failed file that passes alone, and the run has failed nevertheless", async () => {
  expect(await outcomeOf({ "a.test.ts": GOOD, "broken.test.ts": BROKEN, "odd/unsteady.test.ts": UNSTEADY })).toEqual({
    isFine: false,
    unsteady: ["odd/unsteady.test.ts"],
    counts: "1 passed, 2 failed, 1 skipped",
  });
});

test("keeps a file that stops the clock from what others leave", async () => {
  expect(await outcomeOf({ "a.test.ts": LEAVES_TIMER, "b.test.ts": STOPS_CLOCK }, 1)).toEqual({
    isFine: true,
    unsteady: [],
    counts: "2 passed, 0 failed",
  });
});

test("has failed if there are no tests", async () => {
  expect(await outcomeOf({ "a.txt": "" })).toEqual({ isFine: false, unsteady: [], counts: "0 passed, 0 failed" });
});
