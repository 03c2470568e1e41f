// The rates of each user, over all connections and HTTP requests: messages, bytes, and rejected requests.
//
// A message above a rate is answered with a rejection. These rejections have a second token bucket of the same size. Once
// that bucket is empty too, the user floods the engine and the connection ends.

import type { EngineLimits } from "./engine-limits.ts";

/** Size of the bucket, in seconds of its rate. */
const BURST_SECONDS = 2;

/** A rate with a burst. It may run into debt, so one large amount passes and the next one waits. */
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

/** How a message exceeds a rate: it is rejected unread. */
interface RateExcess {
  readonly message: string;
  readonly retryAfterMs: number;
  /** Whether the connection must end. */
  readonly isFlood: boolean;
}

export class UserRates {
  readonly #byUser = new Map<string, UserRate>();

  /** `now`: milliseconds that only grow. */
  constructor(private readonly limits: EngineLimits, private readonly now: () => number) {}

  /** Call this for users of the market only, whose number is bounded: their rates are kept for ever. */
  of(userId: string): UserRate {
    return this.#byUser.getOrInsertComputed(userId, () => new UserRate(this.limits, this.now));
  }
}

export class UserRate {
  readonly #now: () => number;
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #rejections: TokenBucket;
  readonly #excess: { readonly messages: TokenBucket; readonly bytes: TokenBucket };

  constructor({ requestsPerSecond, bytesPerSecond, refusalsPerSecond }: EngineLimits, now: () => number) {
    this.#now = now;
    const bucket = (perSecond: number) => new TokenBucket(perSecond, now());
    this.#messages = bucket(requestsPerSecond);
    this.#bytes = bucket(bytesPerSecond);
    this.#rejections = bucket(refusalsPerSecond);
    this.#excess = { messages: bucket(requestsPerSecond), bytes: bucket(bytesPerSecond) };
  }

  /** Counts the bytes of a frame or a body. Null: it may be read. */
  takeBytes(bytes: number): RateExcess | null {
    const now = this.#now();
    if (this.#bytes.take(bytes, now)) return null;
    return this.#excessOf(this.#bytes, "bytes", this.#excess.bytes.take(bytes, now));
  }

  /** Counts a message; `count`: as how many. Null: it may be executed. */
  takeMessage(count = 1): RateExcess | null {
    const now = this.#now();
    if (!this.#messages.take(count, now)) {
      return this.#excessOf(this.#messages, "messages", this.#excess.messages.take(count, now));
    }
    if (this.#rejections.waitMs(now) === 0) return null;
    return this.#excessOf(this.#rejections, "rejected requests", this.#excess.messages.take(count, now));
  }

  /** Counts a request that the engine rejected. */
  rejected(): void {
    this.#rejections.take(1, this.#now());
  }

  #excessOf(bucket: TokenBucket, what: string, isTolerable: boolean): RateExcess {
    const retryAfterMs = bucket.waitMs(this.#now());
    const message = `More than ${bucket.perSecond} ${what} a second of this user: try again in ${retryAfterMs} ms.`;
    return { message, retryAfterMs, isFlood: !isTolerable };
  }
}
