// How much a client may do in a second. A client is the name of its token, else its address; what it merely claims to be
// does not count, or each request could claim to be another.
//
// A second begins with a client's first request after the last one has ended.

import type { Context } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** Of 401 answers to each address, if nothing else is set. */
export const UNAUTHORIZED_PER_SECOND = 20;

export class RateLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(readonly perSecond: number) {
    this.#limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  }

  /** Whether the client is within its limit. What is refused counts too. */
  async admits(client: string, count = 1): Promise<boolean> {
    try {
      await this.#limiter.consume(client, count);
      return true;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return false;
    }
  }
}

/** 429 with Retry-After: a second is over in a second at most. */
export function tooMany(context: Context, message: string): Response {
  context.header("Retry-After", "1");
  return context.json({ error: { code: "rate_limited", message } }, 429);
}

/** What is said instead of why a token was refused. */
export const TOO_MANY_FAILURES = "Too many requests without a right token: slow down and try again.";
