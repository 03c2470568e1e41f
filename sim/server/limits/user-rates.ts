// The rates of each user, over all connections and HTTP requests: messages, bytes, and refused requests.
//
// A message above a rate is refused with an answer. These answers have a second token bucket of the same size; once that is
// empty too, the user floods the engine and the connection ends.

import type { EngineLimits } from "./engine-limits.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Why a message is refused unread. */
export interface RateRefusal {
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
    let rate = this.#byUser.get(userId);
    if (rate === undefined) this.#byUser.set(userId, rate = new UserRate(this.limits, this.now));
    return rate;
  }
}

export class UserRate {
  readonly #now: () => number;
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #refusals: TokenBucket;
  readonly #excess: { readonly messages: TokenBucket; readonly bytes: TokenBucket };

  constructor({ requestsPerSecond, bytesPerSecond, refusalsPerSecond }: EngineLimits, now: () => number) {
    this.#now = now;
    const bucket = (perSecond: number) => new TokenBucket(perSecond, now());
    this.#messages = bucket(requestsPerSecond);
    this.#bytes = bucket(bytesPerSecond);
    this.#refusals = bucket(refusalsPerSecond);
    this.#excess = { messages: bucket(requestsPerSecond), bytes: bucket(bytesPerSecond) };
  }

  /** Counts the bytes of a frame or a body. Null: it may be read. */
  takeBytes(bytes: number): RateRefusal | null {
    const now = this.#now();
    if (this.#bytes.take(bytes, now)) return null;
    return this.#refusal(this.#bytes, "bytes", this.#excess.bytes.take(bytes, now));
  }

  /** Counts a message; `count`: as how many. Null: it may be executed. */
  takeMessage(count = 1): RateRefusal | null {
    const now = this.#now();
    if (!this.#messages.take(count, now)) {
      return this.#refusal(this.#messages, "messages", this.#excess.messages.take(count, now));
    }
    if (this.#refusals.waitMs(now) === 0) return null;
    return this.#refusal(this.#refusals, "refused requests", this.#excess.messages.take(count, now));
  }

  /** Counts a request that the engine refused. */
  refused(): void {
    this.#refusals.take(1, this.#now());
  }

  #refusal(bucket: TokenBucket, what: string, isTolerable: boolean): RateRefusal {
    const retryAfterMs = bucket.waitMs(this.#now());
    const message = `More than ${bucket.perSecond} ${what} a second of this user: try again in ${retryAfterMs} ms.`;
    return { message, retryAfterMs, isFlood: !isTolerable };
  }
}
