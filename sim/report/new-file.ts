// A file that a command makes, such as a picture. It is claimed before the work begins, so that nobody waits for a result that
// can't be written, and it never replaces another file.

import { rmSync } from "node:fs";
import { fileErrorReason } from "../../common/file-error.ts";
import { OutputFile } from "../tape/output-file.ts";

export class NewFile {
  readonly #file: OutputFile;
  #isOpen = true;

  /** Throws an Error of one line if there is a file already, or if it can't be made. `option`: what named the path. */
  constructor(readonly path: string, private readonly option: string) {
    try {
      this.#file = new OutputFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") {
        throw new Error(`${option}: ${path} exists already: choose another name`, { cause: error });
      }
      throw this.#failure(error);
    }
  }

  /** Throws an Error of one line if the disk refuses; then there is no file. */
  finish(text: string): void {
    try {
      this.#file.write(Buffer.from(text));
      this.#close();
    } catch (error) {
      this.abandon();
      throw this.#failure(error);
    }
  }

  /** Removes the file, because the work failed. */
  abandon(): void {
    this.#close();
    rmSync(this.path, { force: true });
  }

  #close(): void {
    if (this.#isOpen) this.#file.close();
    this.#isOpen = false;
  }

  #failure(error: unknown): Error {
    return new Error(`${this.option}: ${this.path} can't be written: ${fileErrorReason(error)}`, { cause: error });
  }
}
