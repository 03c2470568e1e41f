// What a test or a test file has started ends with it, the last first, whether the tests pass or fail.

import { afterAll, afterEach, beforeEach } from "bun:test";

import { changesSince, globalState } from "./global-state.ts";

type Cleanup = () => unknown;

const ofTest: Cleanup[] = [];
const ofFile: Cleanup[] = [];
/** Tests that run now: more than one if they are concurrent. */
let runningTests = 0;

/**
 * Runs `cleanup` at the end of the running test, or at the end of the file if it is called at the top of the file or in
 * `beforeAll`. It runs before the file's own `afterEach` or `afterAll`. What concurrent tests have started ends with the
 * last of them.
 */
export function atEnd(cleanup: Cleanup): void {
  (runningTests > 0 ? ofTest : ofFile).push(cleanup);
}

let before = globalState();

/** The preload calls this at the top of each test file, so that these hooks come before those of the file. */
export function endWithFile(): void {
  before = globalState();
  beforeEach(() => void (runningTests += 1));
  afterEach(() => {
    runningTests -= 1;
    if (runningTests === 0) return endAll(ofTest);
  });
  afterAll(() => endAll(ofFile));
}

/** The preload calls this at the bottom of each test file, so that this hook comes after those of the file. */
export function leavesNothing(): void {
  afterAll(() => {
    const changes = changesSince(before);
    if (changes.length > 0) throw new Error(`this file changes what the next one finds: ${changes.join("; ")}`);
  });
}

/** A cleanup that fails does not keep the others from running. */
async function endAll(cleanups: Cleanup[]): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of cleanups.splice(0).reverse()) {
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}
