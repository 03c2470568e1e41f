// Text files read and written line by line, with one chunk in memory at a time. Lines end with \n or \r\n; the last line
// may end with neither.

import { fileErrorReason } from "../../common/file-error.ts";
import { closeSync, openSync, writeSync } from "node:fs";

const CHUNK_CHARACTERS = 65_536;

export class LineReader {
  readonly #chunks: AsyncIterator<string>;
  #lines: string[] = [];
  #next = 0;
  #partial = "";
  #ended = false;
  /** Number of the last line read, from 1; 0 before the first. */
  lineNumber = 0;
  /** Bytes of the file read so far. */
  bytesRead = 0;

  constructor(readonly path: string) {
    this.#chunks = this.#decode(path);
  }

  /** The next line; null at the end. Throws if the file can't be read. */
  async read(): Promise<string | null> {
    while (this.#next === this.#lines.length) {
      if (this.#ended) return null;
      await this.#refill();
    }
    this.lineNumber++;
    return this.#lines[this.#next++] ?? null;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #refill(): Promise<void> {
    const chunk = await this.#chunks.next().catch((error: unknown) => {
      throw unreadable(this.path, error);
    });
    this.#next = 0;
    if (chunk.done) {
      this.#ended = true;
      this.#lines = this.#partial === "" ? [] : [withoutReturn(this.#partial)];
      return;
    }
    const pieces = (this.#partial + chunk.value).split("\n");
    this.#partial = pieces.pop() ?? "";
    this.#lines = pieces.map(withoutReturn);
  }

  async *#decode(path: string): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    for await (const bytes of Bun.file(path).stream()) {
      this.bytesRead += bytes.byteLength;
      yield decoder.decode(bytes, { stream: true });
    }
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Throws if the disk refuses a write. */
export class LineWriter {
  readonly #file: number;
  #pending: string[] = [];
  #pendingCharacters = 0;

  /** Empties an existing file. */
  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  write(line: string): void {
    this.#pending.push(`${line}\n`);
    this.#pendingCharacters += line.length + 1;
    if (this.#pendingCharacters >= CHUNK_CHARACTERS) this.#flush();
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #flush(): void {
    let chunk = Buffer.from(this.#pending.join(""));
    this.#pending = [];
    this.#pendingCharacters = 0;
    while (chunk.length > 0) chunk = chunk.subarray(writeSync(this.#file, chunk));
  }
}

/** The error of a file that can't be read, in one line that names the file: some system errors don't name it. */
export function unreadable(path: string, error: unknown): Error {
  return new Error(`${path}: ${fileErrorReason(error)}`, { cause: error });
}
