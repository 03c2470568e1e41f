// What a test or a test file has started ends with it, the last first, whether the tests pass or fail.

import { afterAll, afterEach, beforeEach } from "bun:test";

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

/** The preload calls this at the top of each test file, so that these hooks come before those of the file. */
export function endWithFile(): void {
  beforeEach(() => void (runningTests += 1));
  afterEach(() => {
    runningTests -= 1;
    if (runningTests === 0) return endAll(ofTest);
  });
  afterAll(() => endAll(ofFile));
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
