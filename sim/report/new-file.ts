// A file that a command makes, such as a picture. Whether it can be made is tried before the work begins, so that nobody waits
// for a result that can't be written. It never replaces another file.
//
// Until the work is finished there is no file, so a command that is ended early leaves nothing behind. A handler of signals
// could not remove one, because no handler runs while a simulation computes.

import { rmSync } from "node:fs";
import { fileErrorReason } from "../../common/file-error.ts";
import { OutputFile } from "../tape/output-file.ts";

export class NewFile {
  /** Throws an Error of one line if there is a file already, or if it can't be made. `option`: what named the path. */
  constructor(readonly path: string, private readonly option: string) {
    this.#open().close();
    rmSync(path);
  }

  /** Throws an Error of one line if there is a file by now, or if the disk refuses; then nothing of the text is left. */
  finish(text: string): void {
    const file = this.#open();
    try {
      file.write(Buffer.from(text));
      file.close();
    } catch (error) {
      rmSync(this.path, { force: true });
      throw this.#failure(error);
    }
  }

  #open(): OutputFile {
    try {
      return new OutputFile(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") {
        throw new Error(`${this.option}: ${this.path} exists already: choose another name`, { cause: error });
      }
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): Error {
    return new Error(`${this.option}: ${this.path} can't be written: ${fileErrorReason(error)}`, { cause: error });
  }
}
