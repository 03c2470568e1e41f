// Writes the early answers to stdout. A synchronous write is the fastest: process.stdout alone takes 2 ms to set up. It takes
// at most what an empty pipe holds, so it does not wait for a client that does not read yet. process.stdout writes the rest.

import { writeSync } from "node:fs";

const STDOUT = 1;
/** What a pipe holds on Linux. */
const PIPE_BYTES = 65_536;

export class EarlyOutput {
  #free = PIPE_BYTES;
  #hasFailed = false;

  /** False if nothing was written. The SDK's transport then meets the same error, and handles it. */
  readonly write = (text: string): boolean => {
    if (this.#hasFailed) return false;
    const bytes = Buffer.from(text);
    const written = this.#writtenAtOnce(bytes);
    if (written === null) return false;
    if (written < bytes.length) this.#writeLater(bytes.subarray(written));
    return true;
  };

  /** From now on only process.stdout writes, because the SDK's transport does, too. */
  handOver(): void {
    this.#free = 0;
  }

  /** The number of bytes, or null on an error. */
  #writtenAtOnce(bytes: Buffer): number | null {
    const length = Math.min(bytes.length, this.#free);
    try {
      const written = length === 0 ? 0 : writeSync(STDOUT, bytes, 0, length);
      this.#free = written < bytes.length ? 0 : this.#free - written;
      return written;
    } catch (error) {
      this.#free = 0;
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
      this.#hasFailed = true;
      return null;
    }
  }

  #writeLater(bytes: Buffer): void {
    process.stdout.once("error", () => this.#hasFailed = true);
    process.stdout.write(bytes);
  }
}
