// MCP_RATE_LIMIT: requests a second for each client. A client is the name of its token, else its address; what it merely
// claims to be does not count, or each request could claim to be another.

import type { Context, Env, MiddlewareHandler } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export interface RateLimitOptions<Routes extends Env> {
  /** Requests a second. */
  readonly perSecond: number;
  readonly clientOf: (context: Context<Routes>) => string;
}

/** Answers 429 with Retry-After, in whole seconds, above the limit. */
export function rateLimit<Routes extends Env>(
  { perSecond, clientOf }: RateLimitOptions<Routes>,
): MiddlewareHandler<Routes> {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  return async function rateLimit(context, next) {
    try {
      await limiter.consume(clientOf(context));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      context.header("Retry-After", String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))));
      const message = `More than ${perSecond} requests a second: slow down and try again.`;
      return context.json({ error: { code: "rate_limited", message } }, 429);
    }
    await next();
  };
}
