// Runs before the test files, however they are started: by scripts/test.ts, by `bun test` or one by one.

import { afterAll, setDefaultTimeout } from "bun:test";
import fc from "fast-check";
import { endLeftProcesses } from "./processes.ts";
import { LONG } from "./sizes.ts";

/** A test that hangs ends after this time. Long enough for a busy machine. */
setDefaultTimeout(60_000);

/**
 * A property ends after this time, in its runs or while a failing one is made smaller, and fails then. Without a bound,
 * making a slow failure smaller takes hours, and nothing interrupts synchronous work.
 */
fc.configureGlobal({ interruptAfterTimeLimit: LONG ? 3_600_000 : 180_000, markInterruptAsFailure: true });

afterAll(endLeftProcesses);
