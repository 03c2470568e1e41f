// How long to wait before the next attempt to reconnect: doubling from the first to the longest wait, each drawn between
// half of that and the whole, so that many clients of one engine do not come back in step.

export class ReconnectBackoff {
  #failures = 0;

  /** `random`: in [0, 1). */
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

  reset(): void {
    this.#failures = 0;
  }
}
