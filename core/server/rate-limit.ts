// MCP_RATE_LIMIT: requests a second for each client. A client is its token where it sent one, else its address.

import type { Context, MiddlewareHandler } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export interface RateLimitOptions {
  /** Requests a second. */
  readonly perSecond: number;
  readonly addressOf: (context: Context) => string;
}

/** Answers 429 with Retry-After, in whole seconds, above the limit. */
export function rateLimit({ perSecond, addressOf }: RateLimitOptions): MiddlewareHandler {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  return async function rateLimit(context, next) {
    try {
      await limiter.consume(context.req.header("Authorization") ?? addressOf(context));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      context.header("Retry-After", String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))));
      const message = `More than ${perSecond} requests a second: slow down and try again.`;
      return context.json({ error: { code: "rate_limited", message } }, 429);
    }
    await next();
  };
}
