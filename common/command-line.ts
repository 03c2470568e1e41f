// What commands have in common: how they read arguments, say that they were called wrongly, print, and wait for their end.

import { InvalidArgumentError } from "commander";
import { safeJsonLine, safeLines, safeText } from "./safe-text.ts";

/** The command line or the configuration is wrong: exit status 2. One line of its message for each fault. */
export class UsageError extends Error {}

/**
 * Prints lines for people. Characters that can't be seen are shown escaped, so no text from elsewhere can control the
 * terminal. Resolves when all of it is written, so that an exit cuts nothing off.
 */
export async function print(text: string): Promise<void> {
  await Bun.write(Bun.stdout, `${safeLines(text)}\n`);
}

/** Prints JSON text, of one line or more; otherwise as `print`. The value stays the same. */
export async function printJson(json: string): Promise<void> {
  await Bun.write(Bun.stdout, `${json.split("\n").map(safeJsonLine).join("\n")}\n`);
}

const LONGEST_LINE = 1000;
const MOST_LINES = 200;

/** Text from elsewhere (a backend, a file) as part of one line that is printed: nothing hidden, no further line. */
export function oneLine(text: string): string {
  return safeText(text, LONGEST_LINE);
}

/** What is written on stderr of an error that ends the program: one line for each of its message's. */
export function errorLines(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line) => `mkt: ${oneLine(line)}\n`);
  const more = lines.length - shown.length;
  return shown.join("") + (more > 0 ? `mkt: and ${more} more\n` : "");
}

/** Each of these reads one argument, and throws InvalidArgumentError saying what would be right. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("a whole number from 0 to 999999999");
  return Number(text);
}

export function atLeastOne(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("a whole number of at least 1");
  return value;
}

export function port(text: string): number {
  const value = wholeNumber(text);
  if (value > 65_535) throw new InvalidArgumentError("a port from 0 to 65535");
  return value;
}

/** Resolves on SIGTERM or SIGINT. A second signal ends the process at once, as the runtime does without a handler. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}
