// Runs before the test files, however they are started: by scripts/test.ts, by `bun test` or one by one.

import { plugin } from "bun";
import { afterAll } from "bun:test";
import fc from "fast-check";
import { resolve } from "node:path";
import { endLeftProcesses } from "./processes.ts";
import { LONG } from "./sizes.ts";

/** A test that hangs ends after this time. Long enough for a busy machine. */
const TIMEOUT_MS = 60_000;
const FIRST_LINE = `import { setDefaultTimeout as limitTests } from "bun:test"; limitTests(${TIMEOUT_MS}); ` +
  `import { endWithFile } from ${JSON.stringify(resolve(import.meta.dir, "at-end.ts"))}; endWithFile(); `;

/** The runtime forgets a default timeout and hooks after each file, so every test file sets them on its own first line. */
plugin({
  name: "default timeout and hooks of each test file",
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
