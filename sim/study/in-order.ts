// Results that come in any order, written in the order of the jobs. A result waits in memory until those before it have come.

import type { Job } from "./study-jobs.ts";

export class InOrder {
  readonly #waiting = new Map<Job, string>();
  readonly #left: Job[];
  #writing: Promise<void> = Promise.resolve();

  /** `write`: its calls don't overlap. */
  constructor(jobs: readonly Job[], private readonly write: (text: string) => Promise<void>) {
    this.#left = jobs.toReversed();
  }

  /** Every job comes once. Resolves when what could be written is written. `text`: empty if the job has no result. */
  put(job: Job, text: string): Promise<void> {
    this.#waiting.set(job, text);
    return this.#writing = this.#writing.then(() => this.#writeReady());
  }

  async #writeReady(): Promise<void> {
    for (let next = this.#left.at(-1); next !== undefined; next = this.#left.at(-1)) {
      const text = this.#waiting.get(next);
      if (text === undefined) return;
      this.#waiting.delete(next);
      this.#left.pop();
      if (text !== "") await this.write(text);
    }
  }
}
