// A text file line by line, holding one piece of it at a time. Lines end with \n or \r\n; the last may end with neither.

import { unreadable } from "./unreadable.ts";

export class LineReader {
  readonly #chunks: AsyncIterator<string>;
  #lines: string[] = [];
  #next = 0;
  #partial = "";
  #ended = false;
  /** The number of the line that was read last, from 1; 0 before the first. */
  lineNumber = 0;
  /** How much of the file has been taken in. */
  bytesRead = 0;

  constructor(readonly path: string) {
    this.#chunks = this.#decode(path);
  }

  /** The next line; null at the end. Throws where the file can't be read. */
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
