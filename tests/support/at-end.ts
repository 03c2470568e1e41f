// What a test or a test file has started ends with it, the last first, whether the tests pass or fail.

import { afterAll, onTestFinished } from "bun:test";

type Cleanup = () => unknown;

const ofTest: Cleanup[] = [];
const ofFile: Cleanup[] = [];

/**
 * Runs `cleanup` at the end of the running test, or at the end of the file if no test is running. Call it in a test, in
 * `beforeEach` or at the top of a file, not in `beforeAll`: the runner would end there what has just been started.
 */
export function atEnd(cleanup: Cleanup): void {
  if (ofTest.length > 0 || isInTest()) {
    ofTest.push(cleanup);
    return;
  }
  if (ofFile.length === 0) afterAll(() => endAll(ofFile));
  ofFile.push(cleanup);
}

/** Tells by registering: the runner has no other way to ask it. */
function isInTest(): boolean {
  try {
    onTestFinished(() => endAll(ofTest));
    return true;
  } catch {
    // "Cannot call onTestFinished() outside of a test."
    return false;
  }
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
