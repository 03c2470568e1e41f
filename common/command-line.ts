// What commands share: usage errors, error lines, waiting for a signal. Options are in options.ts, printing in output.ts.

import { errorMessage } from "./error-message.ts";
import { nearestName } from "./nearest-name.ts";
import { safeText } from "./safe-text.ts";

/** The command line or the configuration is invalid: exit status 2. The message has one line for each fault. */
export class UsageError extends Error {}

/** Names every wrong variable. */
export function settingsError(faults: readonly { readonly variable: string; readonly message: string }[]): UsageError {
  return new UsageError(faults.map(({ variable, message }) => `${variable}: ${message}`).join("\n"));
}

const MAX_LINE_LENGTH = 1000;
const MAX_LINES = 200;
const MAX_NAME_LENGTH = 60;

/** External text (from a backend or a file) as part of one printed line, with invisible characters escaped. */
export function oneLine(text: string): string {
  return safeText(text, MAX_LINE_LENGTH);
}

/** The lines on stderr for an error that ends the program, one for each line of the message. */
export function errorLines(error: unknown): string[] {
  const lines = errorMessage(error).split("\n");
  const more = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES).map(oneLine), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** For the end of a message about a mistyped name: ` (did you mean engine?)`, or nothing. */
export function didYouMean(given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names);
  return nearest === null ? "" : ` (did you mean ${nearest}?)`;
}

/** What is wrong with a text that is none of the names: the value, the nearest name, then all of them. */
export function choiceFault(text: string, names: readonly string[]): string {
  const given = safeText(JSON.stringify(text), MAX_NAME_LENGTH);
  return `there is no ${given}${didYouMean(text, names)}; give one of ${names.join(", ")}`;
}

type Checks<Values extends readonly unknown[]> = { readonly [Index in keyof Values]: () => Values[Index] };

/**
 * Runs every check and returns their results. A check throws UsageError if it finds faults. The faults of all checks are thrown
 * together, so one run names them all; a fault that two checks find is named once.
 */
export function checkAll<Values extends readonly unknown[]>(...checks: Checks<Values>): Values {
  const faults = new Set<string>();
  const values = checks.map((check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      for (const fault of error.message.split("\n")) faults.add(fault);
      return undefined;
    }
  });
  if (faults.size > 0) throw new UsageError([...faults].join("\n"));
  return values as unknown as Values;
}

/**
 * Signals within this time count as one. A terminal or a service manager sends a signal to a launcher and to mkt, and the
 * launcher forwards its own, so mkt gets it twice.
 */
const SAME_SIGNAL_MS = 500;

/** Resolves on SIGTERM or SIGINT. A second signal ends the process at once, since the handlers are then removed. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const stop = () => {
        resolve();
        setTimeout(() => process.off(signal, stop), SAME_SIGNAL_MS).unref();
      };
      process.on(signal, stop);
    }
  });
}
