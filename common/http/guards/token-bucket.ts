// A token bucket: a rate with a burst. It may run into debt, so one large amount passes and the next one waits.

/** Size of the bucket, in seconds of its rate. */
const BURST_SECONDS = 2;

export class TokenBucket {
  readonly #burst: number;
  #tokens: number;
  #filledAt: number;

  /** `nowMs`: milliseconds that only grow. */
  constructor(readonly perSecond: number, nowMs: number) {
    this.#burst = perSecond * BURST_SECONDS;
    this.#tokens = this.#burst;
    this.#filledAt = nowMs;
  }

  /** Takes `amount`, or returns false if the bucket is empty. */
  take(amount: number, nowMs: number): boolean {
    if (this.waitMs(nowMs) > 0) return false;
    this.#tokens -= amount;
    return true;
  }

  /** Milliseconds until `take` succeeds again. */
  waitMs(nowMs: number): number {
    const earned = Math.max(0, nowMs - this.#filledAt) * this.perSecond / 1000;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#filledAt = Math.max(this.#filledAt, nowMs);
    return this.#tokens > 0 ? 0 : Math.max(1, Math.ceil((1 - this.#tokens) * 1000 / this.perSecond));
  }
}
