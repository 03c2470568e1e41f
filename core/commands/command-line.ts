// What commands have in common: how they read arguments, say that they were called wrongly, print, and wait for their end.

import { InvalidArgumentError } from "commander";

/** The command line or the configuration is wrong: exit status 2. One line of its message for each fault. */
export class UsageError extends Error {}

/** Resolves when all of it is written, so that an exit cuts nothing off. */
export async function print(text: string): Promise<void> {
  await Bun.write(Bun.stdout, `${text}\n`);
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
