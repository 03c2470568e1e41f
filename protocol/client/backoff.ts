// How long to wait before the next attempt, after each failure: from `firstMs`, twice as long each time, up to `longestMs`.
// The wait is drawn between half of that and the whole, so that many clients of one engine do not come back together.

export class Backoff {
  #failures = 0;

  /** `random`: from 0 to 1; 1 gives the whole wait. */
  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
    private readonly random: () => number = Math.random,
  ) {}

  nextMs(): number {
    const wholeMs = Math.min(this.firstMs * 2 ** this.#failures, this.longestMs);
    this.#failures += 1;
    return wholeMs * (0.5 + this.random() / 2);
  }

  /** After a success: the next wait is the first one again. */
  reset(): void {
    this.#failures = 0;
  }
}
