// Runs before the test files, however they are started: by scripts/test.ts, by `bun test` or one by one.

import { plugin } from "bun";
import { afterAll } from "bun:test";
import fc from "fast-check";
import { endLeftProcesses } from "./processes.ts";
import { LONG } from "./sizes.ts";

/** A test that hangs ends after this time. Long enough for a busy machine. */
const TIMEOUT_MS = 60_000;
const FIRST_LINE = `import { setDefaultTimeout as limitTests } from "bun:test"; limitTests(${TIMEOUT_MS}); `;

/** The runtime forgets a default timeout after each file, so every test file sets it on its own first line. */
plugin({
  name: "default timeout of each test file",
  setup: (build) => {
    build.onLoad({ filter: /(\.test|\/fixtures\/[^/]*)\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: FIRST_LINE + await Bun.file(path).text(),
    }));
  },
});

/**
 * A property ends after this time, in its runs or while a failing one is made smaller, and fails then. Without a bound,
 * making a slow failure smaller takes hours, and nothing interrupts synchronous work.
 */
fc.configureGlobal({ interruptAfterTimeLimit: LONG ? 3_600_000 : 180_000, markInterruptAsFailure: true });

afterAll(endLeftProcesses);
