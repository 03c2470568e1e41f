// Runs what must all be done, one after the other: work, and then the end of everything that it used.

import { errorMessage } from "./error-message.ts";
import { logger } from "./logger.ts";

/** Runs every step, whatever the steps before did. Rejects with the first error after the last step; logs the others. */
export async function inOrder(...steps: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  const [first, ...others] = errors;
  for (const error of others) logger("end").error("another fault at the end: {error}", { error: errorMessage(error) });
  if (errors.length > 0) throw first;
}
