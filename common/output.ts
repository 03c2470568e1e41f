// What commands print. stdout carries results, stderr messages for people.
//
// Colour is for terminals only: never in pipes, in files or in JSON. NO_COLOR, FORCE_COLOR and TERM=dumb are respected.

import { styleText } from "node:util";
import { PLATFORM } from "./environment.ts";
import { safeJsonLine, safeLines } from "./safe-text.ts";

/** The reader of stdout, for example `head`, has closed the pipe. This is not a fault: the command ends quietly. */
export class OutputClosed extends Error {}

/**
 * Writes text or bytes to stdout as they are. Resolves when everything is written, so an exit cuts nothing off. Throws
 * OutputClosed if nobody reads stdout any more.
 *
 * Not by Bun.write: on a pipe that doesn't block it loses and repeats bytes if the reader is slow (Bun 1.4.5), and any use of
 * process.stdout makes the pipe such a one. So does another process that has the same pipe.
 */
export async function write(text: string | Uint8Array): Promise<void> {
  // The callback gets the error. Without a listener the same error would end the process.
  if (process.stdout.listenerCount("error") === 0) process.stdout.on("error", () => {});
  const written = Promise.withResolvers<void>();
  process.stdout.write(text, (error) => error ? written.reject(error) : written.resolve());
  try {
    await written.promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPIPE") throw new OutputClosed();
    throw error;
  }
}

/** Prints lines for people. Invisible characters are escaped, so external text can't control the terminal. */
export async function print(text: string): Promise<void> {
  await write(`${safeLines(text)}\n`);
}

/** Prints JSON text of one or more lines, like `print`, without changing its value. */
export async function printJson(json: string): Promise<void> {
  await write(`${json.split("\n").map(safeJsonLine).join("\n")}\n`);
}

/** Writes a line for people to stderr. */
export function printNote(text: string): void {
  process.stderr.write(`${safeLines(text)}\n`);
}

type Colour = "red" | "yellow" | "green" | "dim" | "bold";

/** The text in this colour if the stream shows colours. The text must be safe already: its escapes are kept. */
export function coloured(text: string, colour: Colour, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(colour, text, { stream });
}

/** The address as a link (OSC 8) if the stream is a terminal, and as text otherwise. The address must be safe already. */
export function linked(address: string, stream: NodeJS.WriteStream): string {
  if (!stream.isTTY || PLATFORM.TERM === "dumb") return address;
  return `\u001b]8;;${address}\u001b\\${address}\u001b]8;;\u001b\\`;
}
