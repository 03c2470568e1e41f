// Runs before the test files, with scripts/test.ts and with plain `bun test`.

import { plugin } from "bun";
import { afterAll } from "bun:test";
import fc from "fast-check";
import { resolve } from "node:path";
import { endLeftProcesses } from "./processes.ts";
import { SEED } from "./seed.ts";
import { size } from "./sizes.ts";

/** Of every test. It only ends a test that hangs, so it is far longer than a very busy machine takes. */
const TIMEOUT_MS = size(900_000, 3_600_000);
const FIRST_LINE = `import { setDefaultTimeout as limitTests } from "bun:test"; limitTests(${TIMEOUT_MS}); ` +
  `import { endWithFile, leavesNothing } from ${
    JSON.stringify(resolve(import.meta.dir, "at-end.ts"))
  }; endWithFile(); `;

/** Comes after the file's own hooks. */
const LAST_LINE = "\n;leavesNothing();\n";

/** The runtime forgets a default timeout and hooks after each file, so every test file sets them on its own first line. */
plugin({
  name: "default timeout and hooks of each test file",
  setup: (build) => {
    build.onLoad({ filter: /(\.test|\/fixtures\/[^/]*)\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: FIRST_LINE + await Bun.file(path).text() + LAST_LINE,
    }));
  },
});

/**
 * A property fails after this time, in its runs or while fast-check shrinks a failure. Without a bound, shrinking a slow
 * failure takes hours, and nothing interrupts synchronous work.
 */
fc.configureGlobal({
  seed: SEED,
  /** Of a property that names no other number. */
  numRuns: size(25, 100),
  interruptAfterTimeLimit: TIMEOUT_MS,
  markInterruptAsFailure: true,
});

afterAll(endLeftProcesses);
