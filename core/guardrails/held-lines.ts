// Lines that wait for the end of the current turn of the event loop and are then written together. A write costs as much as
// making some lines, and a busy server ends several calls in each turn.

export class HeldLines {
  #lines: string[] = [];
  #written: Promise<void> | null = null;

  /** `write` gets one line or more, without the last line feed. It must not throw. */
  constructor(private readonly write: (lines: string) => void) {}

  /** Holds the line. Resolves when it is written. */
  hold(line: string): Promise<void> {
    this.#lines.push(line);
    return this.#written ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#written = null;
        if (this.#lines.length > 0) this.#writeAll();
        resolve();
      })
    );
  }

  /** Writes the line now, after all held ones. */
  writeNow(line: string): void {
    this.#lines.push(line);
    this.#writeAll();
  }

  #writeAll(): void {
    const lines = this.#lines.join("\n");
    this.#lines = [];
    this.write(lines);
  }
}
