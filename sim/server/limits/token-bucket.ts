// A rate with a burst. What is taken may run into debt, so that one large amount passes and the next one waits.

/** Seconds' worth that may come at once. */
const BURST_SECONDS = 2;

export class TokenBucket {
  readonly #burst: number;
  #tokens: number;
  #filledAt: number;

  /** `nowMs` grows, from any beginning. */
  constructor(readonly perSecond: number, nowMs: number) {
    this.#burst = perSecond * BURST_SECONDS;
    this.#tokens = this.#burst;
    this.#filledAt = nowMs;
  }

  /** False, and nothing taken, if the bucket is empty. */
  take(amount: number, nowMs: number): boolean {
    if (this.waitMs(nowMs) > 0) return false;
    this.#tokens -= amount;
    return true;
  }

  /** Milliseconds until it takes something again. */
  waitMs(nowMs: number): number {
    const earned = Math.max(0, nowMs - this.#filledAt) * this.perSecond / 1000;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#filledAt = Math.max(this.#filledAt, nowMs);
    return this.#tokens > 0 ? 0 : Math.max(1, Math.ceil((1 - this.#tokens) * 1000 / this.perSecond));
  }
}
