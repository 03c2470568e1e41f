// A text file written line by line, in pieces. Throws where the disk does not take it.

import { closeSync, openSync, writeSync } from "node:fs";

const PIECE_CHARACTERS = 65_536;

export class LineWriter {
  readonly #file: number;
  #pending: string[] = [];
  #pendingCharacters = 0;

  /** Empties the file where there is one. */
  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  write(line: string): void {
    this.#pending.push(`${line}\n`);
    this.#pendingCharacters += line.length + 1;
    if (this.#pendingCharacters >= PIECE_CHARACTERS) this.#flush();
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #flush(): void {
    let piece = Buffer.from(this.#pending.join(""));
    this.#pending = [];
    this.#pendingCharacters = 0;
    while (piece.length > 0) piece = piece.subarray(writeSync(this.#file, piece));
  }
}
