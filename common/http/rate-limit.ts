// Limits how often a client may do something in a second. The caller identifies clients by the name of a token or by
// address. Unverified claims in a request don't count, because each request could claim to be another client.
//
// The window of a client begins with its first request after the previous window has ended.

import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { HttpRefusal } from "./refusal.ts";

/** Counts the requests of each client in windows of a second. `consume` rejects with RateLimiterRes above the limit. */
export type RateCounter = Pick<RateLimiterAbstract, "consume">;

export class RateLimit {
  /** `counter`: in the memory of this process if absent. */
  constructor(
    readonly perSecond: number,
    private readonly counter: RateCounter = new RateLimiterMemory({ points: perSecond, duration: 1 }),
  ) {}

  /** Whether the client is within its limit. A refused request counts, too. */
  async admits(client: string, count = 1): Promise<boolean> {
    try {
      await this.counter.consume(client, count);
      return true;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return false;
    }
  }
}

/** 429 with Retry-After: 1, since a window lasts one second. */
export function tooMany(message: string): HttpRefusal {
  return { status: 429, code: "rate_limited", message, headers: { "Retry-After": "1" } };
}

/** The message of a 429 after too many 401 answers. */
export const TOO_MANY_FAILURES = "Too many requests without a valid token: slow down and try again.";
