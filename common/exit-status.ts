// How a process ends: 0 success, 1 the work failed, 2 the command line or the configuration is invalid.

import { errorLines, UsageError } from "./command-line.ts";
import { coloured, OutputClosed } from "./output.ts";

/** Does the work and returns the exit status. Errors are printed on stderr, one line each, without a stack trace. */
export async function exitStatusOf(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof OutputClosed) return Number(process.exitCode ?? 0);
    process.stderr.write(errorText(errorLines(error)));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** The lines as mkt prints them on stderr. */
export function errorText(lines: readonly string[]): string {
  return lines.map((line) => `${coloured("mkt:", "red", process.stderr)} ${line}\n`).join("");
}
