// What commands share: reading arguments, usage errors, printing, waiting for a signal.

import { InvalidArgumentError } from "commander";
import { safeJsonLine, safeLines, safeText } from "./safe-text.ts";

/** The command line or the configuration is invalid: exit status 2. The message has one line for each fault. */
export class UsageError extends Error {}

/**
 * Prints lines for people. Invisible characters are escaped, so external text can't control the terminal. Resolves when
 * everything is written, so an exit cuts nothing off.
 */
export async function print(text: string): Promise<void> {
  await Bun.write(Bun.stdout, `${safeLines(text)}\n`);
}

/** Prints JSON text of one or more lines, like `print`, without changing its value. */
export async function printJson(json: string): Promise<void> {
  await Bun.write(Bun.stdout, `${json.split("\n").map(safeJsonLine).join("\n")}\n`);
}

const MAX_LINE_LENGTH = 1000;
const MAX_LINES = 200;

/** External text (from a backend or a file) as part of one printed line, with invisible characters escaped. */
export function oneLine(text: string): string {
  return safeText(text, MAX_LINE_LENGTH);
}

/** The text on stderr for an error that ends the program: one line for each line of the message. */
export function errorLines(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const shown = lines.slice(0, MAX_LINES).map((line) => `mkt: ${oneLine(line)}\n`);
  const more = lines.length - shown.length;
  return shown.join("") + (more > 0 ? `mkt: and ${more} more\n` : "");
}

/** Reads an argument. Throws InvalidArgumentError with what would be valid, as the functions below do. */
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

/** Resolves on SIGTERM or SIGINT. A second signal ends the process at once, since the handlers are removed. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}
