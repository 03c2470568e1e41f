// How much each user asks of the engine, over all connections and HTTP requests of the user.
//
// What is above a rate is refused, at the cost of an answer. Who goes on far above it has a second bucket of the same size
// for what is refused; once that is empty too, the connection ends.

import type { EngineLimits } from "./engine-limits.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Why a message is not looked at. */
export interface RateRefusal {
  readonly message: string;
  readonly retryAfterMs: number;
  /** Whether its connection has to end. */
  readonly isFlood: boolean;
}

export class UserRates {
  readonly #byUser = new Map<string, UserRate>();

  /** `now`: milliseconds that grow, from any beginning. */
  constructor(private readonly limits: EngineLimits, private readonly now: () => number) {}

  /** Users are those of the market, so that there are no more of these than of them. */
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

  /** Takes what a frame or a body has; null if it may be looked at. */
  takeBytes(bytes: number): RateRefusal | null {
    const now = this.#now();
    if (this.#bytes.take(bytes, now)) return null;
    return this.#refusal(this.#bytes, "bytes", this.#excess.bytes.take(bytes, now));
  }

  /** Takes a message, or one that counts as several; null if it may be carried out. */
  takeMessage(count = 1): RateRefusal | null {
    const now = this.#now();
    if (!this.#messages.take(count, now)) {
      return this.#refusal(this.#messages, "messages", this.#excess.messages.take(count, now));
    }
    if (this.#refusals.waitMs(now) === 0) return null;
    return this.#refusal(this.#refusals, "refused requests", this.#excess.messages.take(count, now));
  }

  /** The engine has refused a request. */
  refused(): void {
    this.#refusals.take(1, this.#now());
  }

  #refusal(bucket: TokenBucket, what: string, isTolerable: boolean): RateRefusal {
    const retryAfterMs = bucket.waitMs(this.#now());
    const message = `More than ${bucket.perSecond} ${what} a second of this user: try again in ${retryAfterMs} ms.`;
    return { message, retryAfterMs, isFlood: !isTolerable };
  }
}
