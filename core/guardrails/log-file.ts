// A file to which lines are appended with one write, so they are in the file when `append` returns and survive a kill.
//
// The file is kept open. In each millisecond the first line checks whether the path still names that file, and otherwise
// opens the path again. So the file can be rotated by moving it away: lines of the same millisecond may still go to the
// moved file, all later ones go to a new file. After a failed write the path is opened again, too.
// Cost: one write. Opening and closing each time would cost four times as much, and a check each time twice as much.

import { closeSync, fstatSync, openSync, statSync, writeSync } from "node:fs";

/** Which file it is, on this machine. */
interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

interface OpenFile extends Identity {
  readonly descriptor: number;
}

/** Bytes of the buffer for one write. Longer lines get one of their own. */
const BUFFER_SIZE = 4_096;
const LINE_FEED = 0x0a;

export class LogFile {
  readonly #buffer = Buffer.alloc(BUFFER_SIZE);
  #open: OpenFile | null = null;
  /** The millisecond of the last check. */
  #checked = NaN;

  constructor(readonly path: string) {}

  /** `now`: milliseconds. Throws if not all can be written. */
  append(line: string, now: number): void {
    try {
      this.#write(this.#descriptorAt(now), line);
    } catch (error) {
      this.close();
      throw error;
    }
    // Windows refuses to move a file that is open.
    if (process.platform === "win32") this.close();
  }

  /** Creates the file, readable by its owner only, if it is missing. Throws if it can't be opened. */
  open(): void {
    this.#open ??= opened(this.path);
  }

  close(): void {
    const file = this.#open;
    this.#open = null;
    if (file !== null) closeSync(file.descriptor);
  }

  #descriptorAt(now: number): number {
    if (this.#open !== null && now !== this.#checked && !isAt(this.path, this.#open)) this.close();
    this.#checked = now;
    this.#open ??= opened(this.path);
    return this.#open.descriptor;
  }

  /** A full disk may take only the beginning of a line; the next write then throws the reason. */
  #write(descriptor: number, line: string): void {
    // A character takes at most three bytes for each UTF-16 unit.
    const isShort = line.length * 3 < BUFFER_SIZE;
    const bytes = isShort ? this.#buffer : Buffer.from(`${line}\n`);
    const length = isShort ? bytes.write(line) + 1 : bytes.length;
    bytes[length - 1] = LINE_FEED;
    let written = 0;
    while (written < length) written += writeSync(descriptor, bytes, written, length - written);
  }
}

function opened(path: string): OpenFile {
  const descriptor = openSync(path, "a", 0o600);
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return { descriptor, dev, ino };
}

function isAt(path: string, { dev, ino }: Identity): boolean {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found !== undefined && found.dev === dev && found.ino === ino;
}
