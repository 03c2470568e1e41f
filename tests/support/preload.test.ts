import { expect, test } from "bun:test";
import fc from "fast-check";
import { resolve } from "node:path";
import { run } from "./processes.ts";
import { LONG } from "./sizes.ts";

test("bounds every property in time, unless a test says otherwise", () => {
  const { interruptAfterTimeLimit, markInterruptAsFailure } = fc.readConfigureGlobal() ?? {};
  expect(interruptAfterTimeLimit).toBe(LONG ? 3_600_000 : 900_000);
  expect(markInterruptAsFailure).toBe(true);
});

test("the bound ends the shrinking of a failing property, and reports the smallest failure so far", () => {
  let runs = 0;
  // Fails slowly for every array, so shrinking a hundred numbers would take minutes.
  const slow = fc.property(fc.array(fc.nat(), { minLength: 100 }), () => {
    runs += 1;
    Bun.sleepSync(10);
    throw new Error("always wrong");
  });
  const { failed, interrupted, counterexample } = fc.check(slow, { interruptAfterTimeLimit: 100 });
  expect({ failed, interrupted }).toEqual({ failed: true, interrupted: true });
  expect(counterexample).toEqual([expect.any(Array)]);
  // Each run takes at least 10 ms, and a started run is completed.
  expect(runs).toBeLessThanOrEqual(11);
});

test("fails a property that takes too long without a failure", () => {
  const slow = fc.property(fc.nat(), () => Bun.sleepSync(10));
  expect(fc.check(slow, { interruptAfterTimeLimit: 100 })).toMatchObject({ failed: true, interrupted: true });
});

test("a test of any file has our timeout, not that of the runtime or the command line", async () => {
  const files = ["quick", "slow"].map((name) => `./tests/support/fixtures/${name}.ts`);
  const cwd = resolve(import.meta.dir, "../..");
  const { exitCode, stderr } = await run([process.execPath, "test", "--timeout=100", ...files], { cwd });
  expect(stderr).toContain("2 pass");
  expect(exitCode).toBe(0);
});
