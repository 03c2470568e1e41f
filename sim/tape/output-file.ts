// A new file that is written from beginning to end, synchronously.

import { closeSync, openSync, writeSync } from "node:fs";

export class OutputFile {
  readonly #file: number;

  /** Throws if there is a file at the path already. */
  constructor(path: string) {
    this.#file = openSync(path, "wx");
  }

  write(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(this.#file, rest));
  }

  close(): void {
    closeSync(this.#file);
  }
}
