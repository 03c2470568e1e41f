// Runs of one kind, one after the other, that calls share: a call waits for the first run that begins after the call. So
// however many calls there are, at most one run is under way and one waits.

export class SharedRun<Result> {
  #current: Promise<Result> | null = null;
  #next: Promise<Result> | null = null;

  constructor(private readonly run: () => Promise<Result>) {}

  /** Begins at once if no run is under way. Rejects as the run does. */
  next(): Promise<Result> {
    if (this.#current === null) return this.#begin();
    return this.#next ??= this.#afterwards(this.#current);
  }

  async #begin(): Promise<Result> {
    this.#current = this.run();
    try {
      return await this.#current;
    } finally {
      this.#current = null;
    }
  }

  async #afterwards(earlier: Promise<Result>): Promise<Result> {
    await Promise.allSettled([earlier]);
    this.#next = null;
    return await this.next();
  }
}
